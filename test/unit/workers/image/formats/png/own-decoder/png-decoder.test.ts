import { readFileSync } from "node:fs";
import { constants, deflateSync, type ZlibOptions } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import {
  PngDecoder,
  type PngPixels,
} from "../../../../../../../workers/image/formats/png/own-decoder/png-decoder.ts";

const compiled = new URL(
  "../../../../../../../workers/image/formats/png/own-decoder/png-decoder.wasm",
  import.meta.url,
);

/** Rows as a PNG has them, filters included, before they are compressed. */
interface Packed extends PngPixels {
  readonly bytes: Buffer;
}

let decoder: PngDecoder;
beforeAll(async () => {
  decoder = new PngDecoder(await WebAssembly.compile(readFileSync(compiled)));
});

/** Gives data in stretches, and these in pieces, of so many bytes. */
async function* inPieces(data: Uint8Array, length: number): AsyncGenerator<Uint8Array[]> {
  for (let at = 0; at < data.length; at += 3 * length) {
    const stretch = data.subarray(at, at + 3 * length);
    yield [0, 1, 2].map((piece) => stretch.subarray(piece * length, (piece + 1) * length));
  }
}

async function decoded(
  data: Uint8Array,
  size: PngPixels,
  { pieceBytes = 8192, bandRows = 128 } = {},
): Promise<Buffer> {
  const bands: Buffer[] = [];
  for await (const band of decoder.decode(inPieces(data, pieceBytes), size, bandRows)) {
    expect(band.length).toBeLessThanOrEqual(4 * size.width * bandRows);
    bands.push(Buffer.from(band));
  }
  return Buffer.concat(bands);
}

/** The definitions of PNG 3, clause 9.2, as they stand there; pixels of three bytes get a zero. */
function expected({ width, height, pixelBytes, bytes }: Packed): Buffer {
  const rowBytes = width * pixelBytes;
  const values = Buffer.alloc(rowBytes * height);
  const pixels = Buffer.alloc(4 * width * height);
  for (let y = 0; y < height; y++) {
    const filter = bytes[y * (1 + rowBytes)] ?? 0;
    for (let x = 0; x < rowBytes; x++) {
      const at = y * rowBytes + x;
      const a = (x < pixelBytes ? 0 : values[at - pixelBytes]) ?? 0;
      const b = values[at - rowBytes] ?? 0;
      const c = (x < pixelBytes ? 0 : values[at - rowBytes - pixelBytes]) ?? 0;
      const p = a + b - c;
      const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
      const paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
      const by = [0, a, b, (a + b) >> 1, paeth][filter] ?? 0;
      const value = ((bytes[y * (1 + rowBytes) + 1 + x] ?? 0) + by) & 0xff;
      values[at] = value;
      pixels[4 * (y * width + Math.floor(x / pixelBytes)) + (x % pixelBytes)] = value;
    }
  }
  return pixels;
}

/** Rows of values between 0 and a last one, with what was before repeated here and there, and filters by turns. */
function packed(size: PngPixels, { most = 255, repeated = 0, filter = -1, seed = 1 } = {}): Packed {
  const rowBytes = 1 + size.width * size.pixelBytes;
  const bytes = Buffer.alloc(rowBytes * size.height);
  let state = seed;
  const chance = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let at = 0; at < bytes.length; ) {
    if (at > 0 && chance(100) < repeated) {
      const distance = 1 + chance(Math.min(at, chance(3) === 0 ? 32_768 : 20));
      for (let left = 3 + chance(400); left > 0 && at < bytes.length; left--, at++)
        bytes[at] = bytes[at - distance] ?? 0;
    } else bytes[at++] = chance(most + 1);
  }
  for (let y = 0; y < size.height; y++) bytes[y * rowBytes] = filter < 0 ? chance(5) : filter;
  return { ...size, bytes };
}

const SIZE = { width: 301, height: 200, pixelBytes: 3 } as const;

describe("pixels are what zlib and the standard make of them", () => {
  const strategies = [
    constants.Z_DEFAULT_STRATEGY,
    constants.Z_FILTERED,
    constants.Z_HUFFMAN_ONLY,
    constants.Z_RLE,
    constants.Z_FIXED,
  ];

  test("however they are compressed, cut into pieces and asked for", async () => {
    const plan = fc.record({
      width: fc.integer({ min: 1, max: 400 }),
      height: fc.integer({ min: 1, max: 150 }),
      pixelBytes: fc.constantFrom(3 as const, 4 as const),
      most: fc.constantFrom(0, 1, 3, 40, 255),
      repeated: fc.constantFrom(0, 1, 10, 60),
      level: fc.integer({ min: 0, max: 9 }),
      memLevel: fc.integer({ min: 1, max: 9 }),
      windowBits: fc.integer({ min: 9, max: 15 }),
      strategy: fc.constantFrom(...strategies),
      seed: fc.nat(),
      pieceBytes: fc.constantFrom(1, 7, 1000, 8192, 300_000),
      bandRows: fc.constantFrom(1, 16, 128),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ width, height, pixelBytes, most, repeated, seed, ...how }) => {
        const rows = packed({ width, height, pixelBytes }, { most, repeated, seed });
        const { pieceBytes, bandRows, ...settings } = how;
        const pixels = await decoded(deflateSync(rows.bytes, settings), rows, { pieceBytes, bandRows });
        expect(pixels.equals(expected(rows))).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test.each([0, 1, 2, 3, 4])("with all rows by filter %d", async (filter) => {
    for (const pixelBytes of [3, 4] as const) {
      const rows = packed({ width: 65, height: 40, pixelBytes }, { filter });
      expect((await decoded(deflateSync(rows.bytes), rows)).equals(expected(rows))).toBe(true);
    }
  });

  test.each<[string, ZlibOptions, Parameters<typeof packed>[1]]>([
    ["that hardly get shorter", {}, { most: 255 }],
    ["that are stored", { level: 0 }, {}],
    ["that repeat what is as far back as can be", { level: 9 }, { repeated: 5 }],
    ["of one value", { level: 9 }, { most: 0, filter: 0 }],
  ])("many of them, %s", async (_, settings, plan) => {
    const rows = packed({ width: 1000, height: 700, pixelBytes: 4 }, plan);
    expect((await decoded(deflateSync(rows.bytes, settings), rows)).equals(expected(rows))).toBe(true);
  });

  test("by codes of all lengths", async () => {
    const rows = packed({ width: 400, height: 21, pixelBytes: 3 }, { filter: 0 });
    // As often as each of Fibonacci's numbers says: the longest codes that there can be.
    const values: number[] = [];
    for (let value = 0, one = 1, two = 1; values.length < rows.bytes.length; value++) {
      values.push(...Array.from({ length: one }, () => 10 + value));
      [one, two] = [two, one + two];
    }
    const order = packed({ width: values.length, height: 1, pixelBytes: 3 }, {}).bytes;
    const shuffled = values
      .map((value, index) => [order.readUInt16LE(index), value] as const)
      .sort(([one], [other]) => one - other)
      .map(([, value]) => value);
    rows.bytes.forEach((_, at) => {
      if (at % 1201 > 0) rows.bytes[at] = shuffled[at] ?? 0;
    });
    const data = deflateSync(rows.bytes, { strategy: constants.Z_HUFFMAN_ONLY, memLevel: 9 });
    expect((await decoded(data, rows)).equals(expected(rows))).toBe(true);
  });

  test("where nothing is repeated, and only one distance has a code, which others write", async () => {
    // One pixel: a block of its own codes, of four values and the end by two or three bits, one distance by one.
    const bits = new BitWriter();
    bits.put(1, 1);
    bits.put(2, 2);
    bits.put(257 - 257, 5);
    bits.put(1 - 1, 5);
    bits.put(18 - 4, 4);
    // Lengths of the codes of lengths, in their order: of 18, of 0, of 1 and of 2.
    const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1];
    const lengths = new Map([
      [18, 1],
      [1, 2],
      [2, 3],
      [0, 3],
    ]);
    for (const symbol of order) bits.put(lengths.get(symbol) ?? 0, 3);
    const codes = new Map([
      [18, "0"],
      [1, "10"],
      [0, "110"],
      [2, "111"],
    ]);
    const zeros = (count: number) => {
      for (let left = count; left > 0; ) {
        const some = Math.min(138, left);
        if (some < 11) {
          bits.code(codes.get(0) ?? "");
          left--;
          continue;
        }
        bits.code(codes.get(18) ?? "");
        bits.put(some - 11, 7);
        left -= some;
      }
    };
    bits.code(codes.get(1) ?? ""); // 0 by one bit
    zeros(98);
    bits.code(codes.get(2) ?? ""); // 99 by two
    zeros(156);
    bits.code(codes.get(2) ?? ""); // the end by two
    bits.code(codes.get(1) ?? ""); // a distance of 1 by one
    for (const code of ["0", "10", "0", "10", "11"]) bits.code(code);
    const rows: Packed = { width: 1, height: 1, pixelBytes: 3, bytes: Buffer.of(0, 99, 0, 99) };
    const reference = deflateSync(rows.bytes);
    const data = Buffer.concat([Buffer.of(0x78, 0x9c), bits.bytes(), reference.subarray(-4)]);
    expect([...(await decoded(data, rows))]).toEqual([99, 0, 99, 0]);
  });
});

/** Writes bits as deflate has them: numbers from their lowest bit on, codes from their highest. */
class BitWriter {
  readonly #bits: number[] = [];

  put(value: number, count: number): void {
    for (let bit = 0; bit < count; bit++) this.#bits.push((value >> bit) & 1);
  }

  code(code: string): void {
    this.#bits.push(...[...code].map(Number));
  }

  bytes(): Buffer {
    const bytes = Buffer.alloc(Math.ceil(this.#bits.length / 8));
    this.#bits.forEach((bit, index) => {
      bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (bit << (index & 7));
    });
    return bytes;
  }
}

describe("what is wrong in any way is not decoded", () => {
  const rows = packed(SIZE, { most: 60, repeated: 10 });
  const data = deflateSync(rows.bytes);

  test("data that is cut off, wherever", async () => {
    const ends = [0, 1, 2, 3, 100, data.length >> 1, data.length - 5, data.length - 4, data.length - 1];
    for (const end of ends) await expect(decoded(data.subarray(0, end), SIZE)).rejects.toThrow();
  });

  test("data with a bit that is another", async () => {
    const places = fc.tuple(fc.nat(data.length - 1), fc.nat(7));
    await fc.assert(
      fc.asyncProperty(places, async ([at, bit]) => {
        const other = Buffer.from(data);
        other[at] = (other[at] ?? 0) ^ (1 << bit);
        // How long its window is means nothing here, and the last bits of a byte nothing at all.
        const pixels = await decoded(other, SIZE).catch(() => undefined);
        expect(pixels === undefined || pixels.equals(expected(rows))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("data that is something else", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 0, maxLength: 3000 }), async (noise) => {
        const some = Buffer.concat([data.subarray(0, 2), noise]);
        await expect(decoded(some, SIZE)).rejects.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  test("more behind it", async () => {
    for (const length of [1, 4, 200_000, 2_000_000]) {
      await expect(decoded(Buffer.concat([data, Buffer.alloc(length)]), SIZE)).rejects.toThrow();
    }
  });

  test("fewer rows than there should be, or more", async () => {
    for (const height of [SIZE.height - 1, SIZE.height + 1, 1, 10_000]) {
      await expect(decoded(data, { ...SIZE, height })).rejects.toThrow();
    }
    await expect(decoded(data, { ...SIZE, width: 300 })).rejects.toThrow();
  });

  test("a filter that does not exist", async () => {
    const other = packed(SIZE, { filter: 5 });
    await expect(decoded(deflateSync(other.bytes), SIZE)).rejects.toThrow();
  });

  test("zeros without end", async () => {
    const bomb = deflateSync(Buffer.alloc(50_000_000));
    await expect(decoded(bomb, { width: 10, height: 10, pixelBytes: 3 })).rejects.toThrow();
  });

  test("data that asks for what stands before it", async () => {
    // Fixed codes: a length of 3 (257: 0000001) at a distance of 1 (00000), and the end.
    const bits = new BitWriter();
    bits.put(1, 1);
    bits.put(1, 2);
    for (const code of ["0000001", "00000", "0000000"]) bits.code(code);
    const some = Buffer.concat([Buffer.of(0x78, 0x9c), bits.bytes(), Buffer.of(0, 0, 0, 1)]);
    await expect(decoded(some, { width: 1, height: 1, pixelBytes: 3 })).rejects.toThrow();
  });

  test("compression that is not deflate's, or needs a dictionary", async () => {
    for (const head of [
      [0x77, 0x9c],
      [0x78, 0xbb],
      [0x78, 0x9d],
    ]) {
      const other = Buffer.concat([Buffer.from(head), data.subarray(2)]);
      await expect(decoded(other, SIZE)).rejects.toThrow();
    }
  });
});

test("the same decoder decodes what comes after something damaged", async () => {
  const rows = packed(SIZE, { repeated: 3 });
  const data = deflateSync(rows.bytes);
  await expect(decoded(data.subarray(0, 1000), SIZE)).rejects.toThrow();
  expect((await decoded(data, SIZE)).equals(expected(rows))).toBe(true);
});
