import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Resampler, rowsOf } from "../../workers/image/picture/resampler.ts";
import { type Bounds, fittingSize, type Size } from "../../workers/image/picture/size.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { vips } from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { mustRun } from "../support/oracles.ts";

const missing = announceMissing("smaller pictures", ["vips", "vipsheader"]);
const scratch = new Scratch();
let resampler: Resampler;
beforeAll(async () => {
  const file = new URL("../../workers/image/picture/resample.wasm", import.meta.url);
  resampler = new Resampler(await WebAssembly.compile(readFileSync(file)));
});
afterAll(() => scratch.remove());

/** Edges, gradients and noise: what filters treat differently. */
function mixture(x: number, y: number, channel: number): number {
  const noise = ((x * 7919 + y * 104_729 + channel * 1_299_709 + x * y * 31) % 101) - 50;
  const edge = (x >> 5) % 2 === (y >> 4) % 3 ? 200 : 40;
  return Math.max(0, Math.min(255, (x + 2 * y + 80 * channel + edge + noise) >> 1));
}

type Sample = (x: number, y: number, channel: number) => number;

/** Pictures with every channel from `sampleAt`, alpha included. */
function pictureOf({ width, height }: Size, channels: 3 | 4, sampleAt: Sample) {
  const png = makePng({
    ...{ width, height, colorType: channels === 4 ? 6 : 2, bitDepth: 8 },
    sample: (x, y) => [0, 1, 2, 3].map((channel) => sampleAt(x, y, channel)),
  });
  const values = new Uint8ClampedArray(4 * width * height);
  for (let at = 0; at < values.length; at++) {
    const [channel, pixel] = [at % 4, at >> 2];
    const isOpaque = channel === 3 && channels === 3;
    values[at] = isOpaque ? 255 : sampleAt(pixel % width, Math.floor(pixel / width), channel);
  }
  return { png, values };
}

/** What `vips thumbnail` makes of a picture. */
async function thumbnailOf(png: Uint8Array, { maxWidth = 1e7, maxHeight = 1e7 }) {
  const [input, output, raw] = ["in.png", "out.v", "out.raw"].map((name) => scratch.path(name));
  if (input === undefined || output === undefined || raw === undefined) throw new Error("no paths");
  writeFileSync(input, png);
  await vips("thumbnail", input, output, `${maxWidth}`, "--height", `${maxHeight}`, "--size", "down");
  await vips("rawsave", output, raw);
  const header = (await mustRun("vipsheader", [output])).toString();
  const [, width, height] = /: (\d+)x(\d+) /.exec(header)?.map(Number) ?? [];
  return { width, height, values: readFileSync(raw) };
}

const CASES: readonly (readonly [Size, { maxWidth?: number; maxHeight?: number }])[] = [
  [{ width: 500, height: 375 }, { maxWidth: 200 }],
  [{ width: 500, height: 375 }, { maxHeight: 200 }],
  [
    { width: 500, height: 375 },
    { maxWidth: 300, maxHeight: 100 },
  ],
  [{ width: 501, height: 333 }, { maxWidth: 400 }],
  [
    { width: 333, height: 501 },
    { maxWidth: 125, maxHeight: 125 },
  ],
  [{ width: 1003, height: 777 }, { maxWidth: 100 }],
  [{ width: 1003, height: 777 }, { maxWidth: 37 }],
  [{ width: 640, height: 480 }, { maxWidth: 639 }],
  [{ width: 640, height: 480 }, { maxWidth: 1 }],
  [{ width: 901, height: 17 }, { maxWidth: 100 }],
  [{ width: 5, height: 900 }, { maxHeight: 10 }],
  [{ width: 300, height: 200 }, { maxWidth: 600 }],
];

describe.skipIf(missing.length > 0).concurrent("a smaller picture is like that of vips thumbnail", () => {
  /** The mean difference. Colors count as much as they are seen. */
  async function differenceTo(
    sampleAt: Sample,
    size: Size,
    bounds: Bounds,
    channels: 3 | 4,
  ): Promise<number> {
    const { png, values } = pictureOf(size, channels, sampleAt);
    const expected = await thumbnailOf(png, bounds);
    const to = fittingSize(size, bounds);
    expect(to).toEqual({ width: expected.width, height: expected.height });
    const made = new Uint8ClampedArray(4 * to.width * to.height);
    const row = rowsOf(values, 4 * size.width);
    resampler.resample({ row, ...size, channels: 4, hasAlpha: channels === 4 }, to, made);
    let difference = 0;
    for (let at = 0; at < made.length; at++) {
      const pixel = at >> 2;
      const [ours, theirs] = [made[at] ?? 0, expected.values[channels * pixel + (at % 4)] ?? 0];
      if (at % 4 === 3) difference += channels === 4 ? Math.abs(ours - theirs) : 0;
      else difference += (Math.abs(ours - theirs) * (made[4 * pixel + 3] ?? 0)) / 255;
    }
    return difference / made.length;
  }

  test.each(CASES)("%j within %j", async (size, bounds) => {
    for (const channels of [3, 4] as const)
      expect(await differenceTo(mixture, size, bounds, channels), `${channels} channels`).toBeLessThan(2);
  });

  test.each([400, 300, 200, 100])("rings of every frequency, %i wide", async (maxWidth) => {
    const rings: Sample = (x, y) => Math.round(127.5 + 127.5 * Math.cos(((x * x + y * y) * Math.PI) / 1000));
    expect(await differenceTo(rings, { width: 500, height: 375 }, { maxWidth }, 3)).toBeLessThan(2);
  });
});
