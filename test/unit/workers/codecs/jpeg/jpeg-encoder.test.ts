import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { eachCode, huffmanTable } from "../../../../../workers/codecs/jpeg/huffman.ts";
import { JpegEncoder, type Pixels, type RowSource } from "../../../../../workers/codecs/jpeg/jpeg-encoder.ts";
import { PLANES_HALVED_ACROSS, WHOLE_PLANES } from "../../../../../workers/codecs/jpeg/mcu-rows.ts";
import { quantizersOf, ZIGZAG } from "../../../../../workers/codecs/jpeg/quantization-tables.ts";
import { rowsOfPlanes } from "../../../../../workers/image/formats/jpg/plane-rows.ts";
import { readJpeg } from "../../../../../workers/image/formats/jpg/read-jpeg.ts";
import { readScans } from "../../../../../workers/image/formats/jpg/scans.ts";
import { chromaSize, type Planes } from "../../../../../workers/image/picture/planes.ts";
import { bufferSource } from "../../../../../workers/io/source.ts";

const compiled = new URL("../../../../../workers/codecs/jpeg/jpeg-encoder.wasm", import.meta.url);

describe("Huffman codes", () => {
  const lengthsOf = (counts: readonly number[]) => {
    const found = new Map<number, { readonly code: number; readonly length: number }>();
    eachCode(huffmanTable(counts), (symbol, code, length) => found.set(symbol, { code, length }));
    return found;
  };
  const counts = fc.array(fc.oneof(fc.constant(0), fc.nat(5), fc.nat(1 << 24)), { maxLength: 256 });

  test("are there for what occurs, none begins with another, and none is of ones only", () => {
    fc.assert(
      fc.property(counts, (counts) => {
        const codes = lengthsOf(counts);
        expect([...codes.keys()].sort((a, b) => a - b)).toEqual(
          [...counts.keys()].filter((symbol) => (counts[symbol] ?? 0) > 0),
        );
        const written = [...codes.values()].map(({ code, length }) => code.toString(2).padStart(length, "0"));
        written.sort();
        written.forEach((code, index) => {
          expect(code.length).toBeLessThanOrEqual(16);
          expect(written[index + 1]?.startsWith(code) ?? false).toBe(false);
          expect(code).toContain("0");
        });
      }),
    );
  });

  test("are the shortest", () => {
    // 1, 1, 2, 4, …: each code a bit longer than the one before, but for the limit.
    const few = lengthsOf([8, 4, 2, 1, 1]);
    expect([...few.values()].map(({ length }) => length)).toEqual([1, 2, 3, 4, 5]);
    const many = lengthsOf(Array.from({ length: 40 }, (_, index) => 2 ** index));
    expect(Math.max(...[...many.values()].map(({ length }) => length))).toBe(16);
    expect(many.get(39)?.length).toBe(1);
    const equal = lengthsOf(Array.from({ length: 127 }, () => 3));
    expect([...equal.values()].every(({ length }) => length === 7)).toBe(true);
  });
});

test("quantizers are those of libjpeg", () => {
  expect(quantizersOf(0.5).luma.slice(0, 4)).toEqual([16, 11, 10, 16]);
  expect(quantizersOf(0.75).luma.slice(0, 4)).toEqual([8, 6, 5, 8]);
  expect(quantizersOf(0.92).chroma.slice(0, 4)).toEqual([3, 3, 4, 8]);
  expect(quantizersOf(0).luma.every((value) => value === 255)).toBe(true);
  expect(ZIGZAG.slice(0, 10)).toEqual([0, 1, 8, 16, 9, 2, 3, 10, 17, 24]);
});

const SIZES_OF_PLANES = [
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

/** Pixels in planes: of what two pixels across and down share of color, that of the first. */
function planesOf({ width, height, pixels }: Pixels): Planes {
  const chroma = chromaSize({ width, height });
  const plane = (
    size: typeof chroma,
    step: number,
    [r, g, b, zero]: readonly [number, number, number, number],
  ) =>
    Uint8Array.from({ length: size.width * size.height }, (_, index) => {
      const at = 4 * ((index % size.width) * step + Math.floor(index / size.width) * step * width);
      const value = r * (pixels[at] ?? 0) + g * (pixels[at + 1] ?? 0) + b * (pixels[at + 2] ?? 0);
      return Math.min(255, Math.round(zero + value));
    });
  return {
    luma: plane({ width, height }, 1, [0.299, 0.587, 0.114, 0]),
    cb: plane(chroma, 2, [-0.168736, -0.331264, 0.5, 128]),
    cr: plane(chroma, 2, [0.5, -0.418688, -0.081312, 128]),
  };
}

/** Planes as a source of rows with more chroma: each value as often as pixels share it. */
function rowsOf(
  { luma, cb, cr }: Planes,
  { width, height }: { width: number; height: number },
  { form, across, down }: { form: RowSource<Planes>["form"]; across: number; down: number },
): RowSource<Planes> {
  const chromaWidth = Math.ceil(width / 2);
  const rowWidth = Math.ceil(width / across);
  const wider = (plane: Uint8Array, first: number, count: number) =>
    Uint8Array.from({ length: rowWidth * count }, (_, at) => {
      const [x, y] = [at % rowWidth, first + Math.floor(at / rowWidth)];
      return plane[((y * down) >> 1) * chromaWidth + ((x * across) >> 1)] ?? 0;
    });
  return {
    ...{ width, height, form },
    rows: async (first, count) => ({
      luma: luma.subarray(first * width, (first + count) * width),
      cb: wider(cb, first / down, Math.ceil(count / down)),
      cr: wider(cr, first / down, Math.ceil(count / down)),
    }),
  };
}

describe("a JPEG", () => {
  let encoder: JpegEncoder;
  beforeAll(async () => {
    encoder = new JpegEncoder(await WebAssembly.compile(readFileSync(compiled)));
  });
  const noise = (width: number, height: number, seed: number) => {
    let state = seed;
    const pixels = Uint8ClampedArray.from({ length: 4 * width * height }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    });
    return { width, height, pixels };
  };

  const encodePlanes = (planes: Planes, size: { width: number; height: number }, quality: number) =>
    encoder.encodeRows(rowsOfPlanes(planes, size), quality);

  test("is whole, of its size, and the same each time", () => {
    const sizes = [1, 2, 7, 8, 9, 15, 16, 17, 33, 130];
    for (const [index, width] of sizes.entries()) {
      for (const height of sizes) {
        const picture = noise(width, height, width * height);
        const file = encoder.encode(picture, index / sizes.length);
        const source = bufferSource(file);
        const jpeg = readJpeg(source);
        expect(jpeg).toMatchObject({ width, height, orientation: 1 });
        expect(readScans(source, jpeg).ending).toBe("whole");
        expect(Buffer.compare(encoder.encode(picture, index / sizes.length), file)).toBe(0);
      }
    }
  });

  test("of planes is whole, of its size, and the same each time", async () => {
    for (const [index, [width, height]] of SIZES_OF_PLANES.entries()) {
      const planes = planesOf(noise(width, height, 11));
      const quality = index / SIZES_OF_PLANES.length;
      const file = await encodePlanes(planes, { width, height }, quality);
      const source = bufferSource(file);
      const jpeg = readJpeg(source);
      expect(jpeg).toMatchObject({ width, height, orientation: 1 });
      expect(readScans(source, jpeg).ending).toBe("whole");
      expect(Buffer.compare(await encodePlanes(planes, { width, height }, quality), file)).toBe(0);
    }
  });

  test("of more chroma is that of the same halved", async () => {
    for (const [index, [width, height]] of SIZES_OF_PLANES.entries()) {
      const planes = planesOf(noise(width, height, 5));
      const quality = (index + 1) / SIZES_OF_PLANES.length;
      const halved = await encodePlanes(planes, { width, height }, quality);
      const across = { form: PLANES_HALVED_ACROSS, across: 2, down: 1 };
      for (const sampling of [across, { form: WHOLE_PLANES, across: 1, down: 1 }]) {
        const source = rowsOf(planes, { width, height }, sampling);
        expect(Buffer.compare(await encoder.encodeRows(source, quality), halved)).toBe(0);
      }
    }
  });

  test("of whole chroma has the mean of what it is halved from", async () => {
    const [width, height] = [64, 48];
    const { pixels } = noise(width, height, 7);
    const of = (channel: number) =>
      Uint8Array.from({ length: width * height }, (_, at) => pixels[4 * at + channel] ?? 0);
    const whole = { luma: of(0), cb: of(1), cr: of(2) };
    const mean = (plane: Uint8Array) =>
      Uint8Array.from({ length: (width * height) / 4 }, (_, at) => {
        const first = 2 * (at % (width / 2)) + 2 * width * Math.floor((2 * at) / width);
        const sum = [0, 1, width, width + 1].reduce((total, next) => total + (plane[first + next] ?? 0), 0);
        return (sum + 1 + (at & 1)) >> 2;
      });
    const form = WHOLE_PLANES;
    const source: RowSource<Planes> = {
      ...{ width, height, form },
      rows: async (first, count) => {
        const range = [first * width, (first + count) * width] as const;
        return {
          luma: whole.luma.subarray(...range),
          cb: whole.cb.subarray(...range),
          cr: whole.cr.subarray(...range),
        };
      },
    };
    const halved = { luma: whole.luma, cb: mean(whole.cb), cr: mean(whole.cr) };
    const expected = await encodePlanes(halved, { width, height }, 0.9);
    expect(Buffer.compare(await encoder.encodeRows(source, 0.9), expected)).toBe(0);
  });

  test("of gray planes is that of gray pixels", async () => {
    for (const [width, height] of SIZES_OF_PLANES) {
      const { pixels } = noise(width, height, 3);
      for (let at = 0; at < pixels.length; at += 4) pixels.fill(pixels[at] ?? 0, at, at + 3);
      const planes = planesOf({ width, height, pixels });
      for (const quality of [0.3, 0.92]) {
        const ours = await encodePlanes(planes, { width, height }, quality);
        expect(Buffer.compare(ours, encoder.encode({ width, height, pixels }, quality))).toBe(0);
      }
    }
  });

  test("is as short wherever lines of text are", () => {
    const lengths = [0, 16, 32, 48].map((from) => {
      const { width, height, pixels } = noise(512, 1024, 3);
      // White but for a line of 16 in 64 rows.
      for (let row = 0; row < height; row++) {
        const isText = row % 64 >= from && row % 64 < from + 16;
        if (!isText) pixels.fill(255, 4 * row * width, 4 * (row + 1) * width);
      }
      return encoder.encode({ width, height, pixels }, 0.75).length;
    });
    expect(Math.max(...lengths)).toBeLessThan(1.02 * Math.min(...lengths));
  });

  test("of the widest picture leaves the small ones after it as they were", () => {
    const small = noise(20, 20, 5);
    const before = encoder.encode(small, 0.99);
    const wide = encoder.encode(noise(16_384, 3, 7), 0.99);
    expect(readScans(bufferSource(wide), readJpeg(bufferSource(wide))).ending).toBe("whole");
    expect(Buffer.compare(encoder.encode(small, 0.99), before)).toBe(0);
  });
});
