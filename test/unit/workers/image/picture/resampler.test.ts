import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { lanczosFilter } from "../../../../../workers/image/picture/lanczos.ts";
import { Resampler, rowsOf } from "../../../../../workers/image/picture/resampler.ts";
import type { Size } from "../../../../../workers/image/picture/size.ts";

const WASM = new URL("../../../../../workers/image/picture/resample.wasm", import.meta.url);

let module: WebAssembly.Module;
beforeAll(async () => {
  module = await WebAssembly.compile(readFileSync(WASM));
});

/** Black and white noise, which makes the largest sums. */
function noise(length: number, seed: number): Uint8ClampedArray {
  let state = seed;
  return Uint8ClampedArray.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 31 ? 255 : 0;
  });
}

interface Case extends Size {
  readonly channels: 1 | 4;
  readonly to: Size;
}

function resampled(
  resampler: Resampler,
  values: Uint8ClampedArray,
  { channels, to, ...size }: Case,
  hasAlpha = false,
): Uint8ClampedArray {
  const made = new Uint8ClampedArray(channels * to.width * to.height);
  const row = rowsOf(values, channels * size.width);
  resampler.resample({ row, ...size, channels, hasAlpha }, to, made);
  return made;
}

/** The same by sums over the whole reach of each place, in floating point. */
function expectedOf(values: Uint8ClampedArray, { width, height, channels, to }: Case): Uint8ClampedArray {
  const [across, down] = [lanczosFilter(width, to.width, 1), lanczosFilter(height, to.height, 1)];
  const expected = new Uint8ClampedArray(channels * to.width * to.height);
  for (let at = 0; at < expected.length; at++) {
    const x = Math.floor(at / channels) % to.width;
    const y = Math.floor(at / channels / to.width);
    let sum = 0;
    for (let row = 0; row < down.taps; row++) {
      for (let column = 0; column < across.taps; column++) {
        const weight =
          (across.weights[x * across.taps + column] ?? 0) * (down.weights[y * down.taps + row] ?? 0);
        const from = ((down.starts[y] ?? 0) + row) * width + (across.starts[x] ?? 0) + column;
        sum += weight * (values[from * channels + (at % channels)] ?? 0);
      }
    }
    expected[at] = sum / 2 ** 28;
  }
  return expected;
}

const CASES: readonly Case[] = ([1, 4] as const).flatMap((channels) => [
  { width: 61, height: 47, channels, to: { width: 24, height: 19 } },
  { width: 64, height: 48, channels, to: { width: 63, height: 47 } },
  { width: 100, height: 7, channels, to: { width: 9, height: 1 } },
  { width: 5, height: 90, channels, to: { width: 1, height: 10 } },
  { width: 33, height: 33, channels, to: { width: 1, height: 1 } },
  { width: 8, height: 8, channels, to: { width: 8, height: 8 } },
  { width: 1, height: 1, channels, to: { width: 1, height: 1 } },
]);

describe("Resampler", () => {
  test.each(CASES)("$width × $height × $channels to $to: the sums of the filter", (each) => {
    const values = noise(each.channels * each.width * each.height, 7);
    const made = resampled(new Resampler(module), values, each);
    const expected = expectedOf(values, each);
    for (const [at, value] of made.entries())
      expect(Math.abs(value - (expected[at] ?? 0))).toBeLessThanOrEqual(1);
  });

  test.each(CASES)("$width × $height × $channels to $to: keeps a uniform area", (each) => {
    for (const value of [0, 1, 127, 254, 255]) {
      const values = new Uint8ClampedArray(each.channels * each.width * each.height).fill(value);
      expect(new Set(resampled(new Resampler(module), values, each))).toEqual(new Set([value]));
    }
  });

  test("does not depend on the picture before", () => {
    const resampler = new Resampler(module);
    for (const each of CASES.toSorted((a, b) => b.width - a.width)) {
      const values = noise(each.channels * each.width * each.height, each.width);
      expect(resampled(resampler, values, each)).toEqual(resampled(new Resampler(module), values, each));
    }
  });

  test("weights colors by their alpha", () => {
    const size = { width: 40, height: 30, channels: 4, to: { width: 16, height: 12 } } as const;
    const alpha = noise(size.width * size.height, 3);
    const values = Uint8ClampedArray.from({ length: 4 * alpha.length }, (_, at) => {
      const opacity = alpha[at >> 2] ?? 0;
      return at % 4 === 3 ? opacity : opacity === 0 ? 10 : 200;
    });
    const made = resampled(new Resampler(module), values, size, true);
    const alphaOnly = resampled(new Resampler(module), alpha, { ...size, channels: 1 });
    for (const [pixel, opacity] of alphaOnly.entries()) {
      const [red = 0, , , kept = 0] = made.subarray(4 * pixel);
      expect(Math.abs(kept - opacity)).toBeLessThanOrEqual(1);
      if (kept > 0) expect(red).toBe(200);
      if (kept === 0) expect(red).toBe(0);
    }
  });

  test.each([1, 2, 3, 100, 254, 255])("keeps colors under an alpha of %i", (alpha) => {
    const pixel = [200, 100, 50, alpha];
    const values = Uint8ClampedArray.from({ length: 4 * 61 * 47 }, (_, at) => pixel[at % 4] ?? 0);
    const size = { width: 61, height: 47, channels: 4, to: { width: 24, height: 19 } } as const;
    const made = resampled(new Resampler(module), values, size, true);
    for (let at = 0; at < made.length; at += 4) expect([...made.subarray(at, at + 4)]).toEqual(pixel);
  });
});
