import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import {
  JpegEncoder,
  type PlaneSource,
  pixelSource,
  type Subsampling,
} from "../../../../../workers/codecs/jpeg/index.ts";
import type { Planes, Size } from "../../../../../workers/codecs/jpeg/mcu-rows.ts";
import { readJpeg } from "../../../../../workers/image/formats/jpg/read-jpeg.ts";
import { readScans } from "../../../../../workers/image/formats/jpg/scans.ts";
import { bufferSource } from "../../../../../workers/io/source.ts";

const WASM = new URL("../../../../../workers/codecs/jpeg/jpeg-encoder.wasm", import.meta.url);

let encoder: JpegEncoder;
beforeAll(async () => {
  encoder = new JpegEncoder(await WebAssembly.compile(readFileSync(WASM)));
});

interface Pixels extends Size {
  readonly pixels: Uint8ClampedArray;
}

/** Random pixels. */
function noise(width: number, height: number, seed: number): Pixels {
  let state = seed;
  const pixels = Uint8ClampedArray.from({ length: 4 * width * height }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
  return { width, height, pixels };
}

/** Converts pixels to 4:2:0. Four pixels get the chroma of their first. */
function planesOf({ width, height, pixels }: Pixels): Planes {
  const plane = (step: number, [r, g, b, zero]: readonly [number, number, number, number]) => {
    const planeWidth = Math.ceil(width / step);
    return Uint8Array.from({ length: planeWidth * Math.ceil(height / step) }, (_, index) => {
      const at = 4 * ((index % planeWidth) * step + Math.floor(index / planeWidth) * step * width);
      const value = r * (pixels[at] ?? 0) + g * (pixels[at + 1] ?? 0) + b * (pixels[at + 2] ?? 0);
      return Math.min(255, Math.round(zero + value));
    });
  };
  return {
    luma: plane(1, [0.299, 0.587, 0.114, 0]),
    cb: plane(2, [-0.168736, -0.331264, 0.5, 128]),
    cr: plane(2, [0.5, -0.418688, -0.081312, 128]),
  };
}

/** Returns a source of planes with this subsampling. */
function planeSource(
  { luma, cb, cr }: Planes,
  { width, height }: Size,
  subsampling: Subsampling,
): PlaneSource {
  const { across, down } = subsampling;
  const chromaWidth = Math.ceil(width / across);
  return {
    ...{ kind: "planes", width, height, subsampling },
    readRows: async (first, count) => {
      const chroma = [(first / down) * chromaWidth, Math.ceil((first + count) / down) * chromaWidth] as const;
      return {
        luma: luma.subarray(first * width, (first + count) * width),
        cb: cb.subarray(...chroma),
        cr: cr.subarray(...chroma),
      };
    },
  };
}

const YUV_420 = { across: 2, down: 2 } as const;
const YUV_422 = { across: 2, down: 1 } as const;
const YUV_444 = { across: 1, down: 1 } as const;

/** Repeats the chroma samples of 4:2:0. */
function upsampled({ luma, cb, cr }: Planes, { width, height }: Size, { across, down }: Subsampling): Planes {
  const chromaWidth = Math.ceil(width / across);
  const chromaHeight = Math.ceil(height / down);
  const wider = (plane: Uint8Array) =>
    Uint8Array.from({ length: chromaWidth * chromaHeight }, (_, at) => {
      const [x, y] = [at % chromaWidth, Math.floor(at / chromaWidth)];
      return plane[((y * down) >> 1) * Math.ceil(width / 2) + ((x * across) >> 1)] ?? 0;
    });
  return { luma, cb: wider(cb), cr: wider(cr) };
}

function expectValid(file: Uint8Array<ArrayBuffer>, { width, height }: Size): void {
  const source = bufferSource(file);
  const jpeg = readJpeg(source);
  expect(jpeg).toMatchObject({ width, height, orientation: 1 });
  expect(readScans(source, jpeg).ending).toBe("whole");
}

const isSame = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;

const SIZES = [
  [1, 1],
  [2, 3],
  [15, 17],
  [16, 16],
  [17, 8],
  [31, 47],
  [130, 33],
  [300, 1],
  [1, 300],
] as const;

describe("encode", () => {
  test("writes the same complete file each time, for pixels of any size", async () => {
    const sides = [1, 2, 7, 8, 9, 15, 16, 17, 33, 130];
    for (const [index, width] of sides.entries()) {
      for (const height of sides) {
        const source = pixelSource(noise(width, height, width * height));
        const file = await encoder.encode(source, index / sides.length);
        expectValid(file, { width, height });
        expect(isSame(await encoder.encode(source, index / sides.length), file)).toBe(true);
      }
    }
  });

  test("writes the same file for gray planes and gray pixels", async () => {
    for (const [width, height] of SIZES) {
      const image = noise(width, height, 3);
      const { pixels } = image;
      for (let at = 0; at < pixels.length; at += 4) pixels.fill(pixels[at] ?? 0, at, at + 3);
      for (const quality of [0.3, 0.92]) {
        const ofPlanes = await encoder.encode(planeSource(planesOf(image), image, YUV_420), quality);
        expect(isSame(ofPlanes, await encoder.encode(pixelSource(image), quality))).toBe(true);
      }
    }
  });

  test("does not depend on previous images", async () => {
    const small = pixelSource(noise(20, 20, 5));
    const before = await encoder.encode(small, 0.99);
    const wide = await encoder.encode(pixelSource(noise(16_384, 3, 7)), 0.99);
    expectValid(wide, { width: 16_384, height: 3 });
    expect(isSame(await encoder.encode(small, 0.99), before)).toBe(true);
  });

  test("finds good Huffman tables wherever lines of text are", async () => {
    const lengths: number[] = [];
    for (const from of [0, 16, 32, 48]) {
      const image = noise(512, 1024, 3);
      // 16 of every 64 rows are noise, the others white.
      for (let row = 0; row < image.height; row++) {
        const isText = row % 64 >= from && row % 64 < from + 16;
        if (!isText) image.pixels.fill(255, 4 * row * image.width, 4 * (row + 1) * image.width);
      }
      lengths.push((await encoder.encode(pixelSource(image), 0.75)).length);
    }
    expect(Math.max(...lengths)).toBeLessThan(1.02 * Math.min(...lengths));
  });
});

describe("chroma subsampling", () => {
  test.each([
    ["4:2:2", YUV_422],
    ["4:4:4", YUV_444],
  ])("of %s restores 4:2:0 that was upsampled", async (_, subsampling) => {
    for (const [index, [width, height]] of SIZES.entries()) {
      const size = { width, height };
      const planes = planesOf(noise(width, height, 5));
      const quality = (index + 1) / SIZES.length;
      const expected = await encoder.encode(planeSource(planes, size, YUV_420), quality);
      expectValid(expected, size);
      const source = planeSource(upsampled(planes, size, subsampling), size, subsampling);
      expect(isSame(await encoder.encode(source, quality), expected)).toBe(true);
    }
  });

  test("of 4:4:4 takes the mean of 2 × 2 samples", async () => {
    const size = { width: 64, height: 48 };
    const { width, height } = size;
    const { pixels } = noise(width, height, 7);
    const plane = (channel: number) =>
      Uint8Array.from({ length: width * height }, (_, at) => pixels[4 * at + channel] ?? 0);
    const full = { luma: plane(0), cb: plane(1), cr: plane(2) };
    const mean = (samples: Uint8Array) =>
      Uint8Array.from({ length: (width * height) / 4 }, (_, at) => {
        const first = 2 * (at % (width / 2)) + 2 * width * Math.floor((2 * at) / width);
        const sum = [0, 1, width, width + 1].reduce((total, next) => total + (samples[first + next] ?? 0), 0);
        return (sum + 1 + (at & 1)) >> 2;
      });
    const halved = { luma: full.luma, cb: mean(full.cb), cr: mean(full.cr) };
    const expected = await encoder.encode(planeSource(halved, size, YUV_420), 0.9);
    expect(isSame(await encoder.encode(planeSource(full, size, YUV_444), 0.9), expected)).toBe(true);
  });
});
