import fc from "fast-check";
import { zlibSync } from "fflate";
import { describe, expect, test } from "vitest";
import { calibratedProfile } from "../../../../../../workers/image/color/calibrated-profile.ts";
import { type Color, profileColor } from "../../../../../../workers/image/color/color.ts";
import { readPng } from "../../../../../../workers/image/formats/png/read-png.ts";
import { embedPng } from "../../../../../../workers/image/to-pdf/embed-png.ts";
import { bufferSource } from "../../../../../../workers/io/source.ts";
import { codeOf } from "../../../../../support/code-of.ts";
import { concatBytes, latin1, uint32s } from "../../../../../support/fixtures/image/bytes.ts";
import { iccHeader, tiff } from "../../../../../support/fixtures/image/jpeg.ts";
import { makePng, type PngPlan, pngChunk } from "../../../../../support/fixtures/image/png.ts";

const GRAY: PngPlan = { width: 5, height: 7, colorType: 0, bitDepth: 8, sample: (x, y) => [x * y] };

function read(recipe: Partial<PngPlan>) {
  return readPng(bufferSource(makePng({ ...GRAY, ...recipe })));
}

function withChunks(...chunks: readonly (readonly [string, Uint8Array])[]) {
  return read({ chunks });
}

/** A color space that PNG states by an exponent and primaries. */
function calibrated(calibration: Parameters<typeof calibratedProfile>[0]): Color {
  return profileColor(calibratedProfile(calibration) ?? new Uint8Array());
}

describe("readPng reads", () => {
  test("size, depth and type", () => {
    expect(read({ bitDepth: 4, sample: () => [3], interlaced: true })).toMatchObject({
      width: 5,
      height: 7,
      bitDepth: 4,
      colorType: 0,
      interlaced: true,
      color: undefined,
      resolution: undefined,
      orientation: 1,
    });
  });

  test("pixels per meter, and no density in another unit", () => {
    expect(withChunks(["pHYs", concatBytes([uint32s(10000, 5000), Uint8Array.of(1)])]).resolution).toEqual({
      x: 254,
      y: 127,
    });
    expect(withChunks(["pHYs", concatBytes([uint32s(4, 1), Uint8Array.of(0)])]).resolution).toBeUndefined();
  });

  test("whole pixels per inch, rounded from meters", () => {
    const resolution = (perMetre: number) =>
      withChunks(["pHYs", concatBytes([uint32s(perMetre, perMetre), Uint8Array.of(1)])]).resolution?.x;
    expect([2835, 2834, 3780, 5906, 11811, 23622].map(resolution)).toEqual([72, 72, 96, 150, 300, 600]);
  });

  test("the orientation and the resolution of EXIF", () => {
    const exif = tiff({
      littleEndian: true,
      orientation: 7,
      resolution: { x: [90, 1], y: [90, 1], unit: 2 },
    });
    expect(withChunks(["eXIf", exif])).toMatchObject({ orientation: 7, resolution: { x: 90, y: 90 } });
  });

  test("the most precise color chunk", () => {
    const gamma = ["gAMA", uint32s(100_000)] as const;
    const srgb = ["sRGB", Uint8Array.of(0)] as const;
    const profile = iccHeader("GRAY");
    const icc = ["iCCP", concatBytes([latin1("name\0\0"), zlibSync(profile)])] as const;
    const cicp = ["cICP", Uint8Array.of(12, 13, 0, 1)] as const;
    expect(withChunks(gamma)).toMatchObject({
      color: calibrated({ gamma: 1 }),
      colorChunks: ["gAMA", "cHRM"],
    });
    expect(withChunks(gamma, srgb)).toMatchObject({ color: undefined, colorChunks: [] });
    expect(withChunks(gamma, srgb, icc)).toMatchObject({
      color: profileColor(profile),
      colorChunks: ["iCCP"],
    });
    expect(withChunks(gamma, srgb, icc, cicp)).toMatchObject({
      color: { kind: "nclx", primaries: 12, transfer: 13 },
      colorChunks: ["cICP"],
    });
  });

  type Chunk = NonNullable<PngPlan["chunks"]>[number];
  const GAMMA: Chunk = ["gAMA", uint32s(45_455)];
  const SRGB: Chunk = ["cHRM", uint32s(31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6000)];
  const WIDE: Chunk = ["cHRM", uint32s(31_270, 32_900, 70_000, 30_000, 21_000, 69_000, 14_000, 8000)];
  const WIDE_PRIMARIES = [
    [0.7, 0.3],
    [0.21, 0.69],
    [0.14, 0.08],
    [0.3127, 0.329],
  ] as const;
  test.each<[string, PngPlan["colorType"], readonly Chunk[], Color | undefined]>([
    ["code points of sRGB", 2, [["cICP", Uint8Array.of(1, 13, 0, 1)]], undefined],
    ["an exponent of 1/2.2", 2, [GAMMA], undefined],
    ["sRGB's primaries", 2, [SRGB], undefined],
    ["both", 2, [GAMMA, SRGB], undefined],
    [
      "primaries of its own",
      2,
      [GAMMA, WIDE],
      calibrated({ gamma: 0.45455, chromaticities: WIDE_PRIMARIES }),
    ],
    ["primaries, for gray", 0, [GAMMA, WIDE], undefined],
    ["an exponent of 1/1.8, for gray", 0, [["gAMA", uint32s(55_556)]], calibrated({ gamma: 0.55556 })],
  ])("%s in a PNG of type %i", (_, colorType, chunks, expected) => {
    const { color, disputedChunks } = read({ colorType, sample: () => [1, 2, 3], chunks });
    expect(color).toEqual(expected);
    expect([...disputedChunks].sort()).toEqual(expected ? [] : chunks.map(([name]) => name).sort());
  });

  test("no primaries without an exponent, as browsers", () => {
    const { color, colorChunks } = read({ colorType: 2, sample: () => [1, 2, 3], chunks: [WIDE] });
    expect({ color, colorChunks }).toEqual({ color: undefined, colorChunks: ["gAMA", "cHRM"] });
  });

  test("no color or transparency chunk after the pixels", () => {
    const lateChunks: PngPlan["chunks"] = [
      ["gAMA", uint32s(100_000)],
      ["tRNS", Uint8Array.of(0, 1)],
    ];
    expect(read({ lateChunks })).toMatchObject({ color: undefined, transparency: undefined });
  });

  test("no chunk with a wrong checksum", () => {
    const bytes = makePng({ ...GRAY, chunks: [["gAMA", uint32s(100_000)]] });
    const at = Buffer.from(bytes).indexOf("gAMA");
    bytes[at + 4] = 99;
    expect(readPng(bufferSource(bytes)).color).toBeUndefined();
  });

  test("no profile that decompresses to too much", () => {
    const bomb = zlibSync(new Uint8Array(40_000_000));
    expect(withChunks(["iCCP", concatBytes([latin1("name\0\0"), bomb])]).color).toBeUndefined();
  });

  test("the chunks of the pixels in order", () => {
    const { data } = read({ width: 50, height: 50, chunkBytes: 10 });
    expect(data.length).toBeGreaterThan(5);
    expect(data.every((piece) => piece.kind === "range")).toBe(true);
  });
});

describe("a PNG that is too large for a PDF", () => {
  /** Pixels that may be there by their length, and make no sense: nothing of them may be looked at. */
  const claiming = (
    width: number,
    height: number,
    { colorType, bitDepth, chunks }: Omit<PngPlan, "width" | "height" | "sample">,
  ) => {
    const plan = { ...GRAY, colorType, bitDepth, chunks: chunks ?? [] };
    const whole = makePng({ ...plan, claims: { width, height }, chunkBytes: 1e6 });
    const pixels = new Uint8Array(Math.ceil((height * (2 + (width * bitDepth) / 2)) / 1000));
    const at = Buffer.from(whole).indexOf("IDAT") - 4;
    return bufferSource(
      concatBytes([whole.subarray(0, at), pngChunk("IDAT", pixels), pngChunk("IEND", new Uint8Array())]),
    );
  };
  const palette = ["PLTE", new Uint8Array(6)] as const;

  test.each<[string, Omit<PngPlan, "width" | "height" | "sample">]>([
    ["with alpha", { colorType: 4, bitDepth: 8 }],
    [
      "half transparent by its palette",
      { colorType: 3, bitDepth: 1, chunks: [palette, ["tRNS", Uint8Array.of(128)]] },
    ],
  ])("pixels that would have to be unpacked: %s", async (_, plan) => {
    for (const [width, height] of [
      [16_385, 16_385],
      [65_536, 1],
      [1, 65_536],
    ] as const) {
      await expect(embedPng(claiming(width, height, plan))).rejects.toMatchObject({
        code: "input_too_large",
        details: { width, height },
      });
    }
  });

  test("is not one that is embedded unchanged", async () => {
    const png = await embedPng(claiming(70_000, 70_000, { colorType: 0, bitDepth: 1 }));
    expect(png).toMatchObject({ width: 70_000, height: 70_000 });
  });

  test("is not one that is longer than a canvas", async () => {
    const long = makePng({
      width: 1,
      height: 17_000,
      colorType: 4,
      bitDepth: 8,
      sample: (_, y) => [y % 256, 9],
    });
    expect(await embedPng(bufferSource(long))).toMatchObject({ width: 1, height: 17_000 });
  });
});

describe("readPng returns damaged_file for", () => {
  const whole = makePng(GRAY);

  test("a truncated file", async () => {
    for (let length = 0; length < whole.length; length += 3) {
      expect(await codeOf(() => readPng(bufferSource(whole.subarray(0, length))))).toBe("damaged_file");
    }
  });

  test.each<[string, (view: DataView) => void]>([
    ["no width", (view) => view.setUint32(0, 0)],
    ["a negative height", (view) => view.setUint32(4, 0x80000000)],
    ["three bits", (view) => view.setUint8(8, 3)],
    ["color type 5", (view) => view.setUint8(9, 5)],
    ["an unknown compression", (view) => view.setUint8(10, 1)],
    ["an unknown interlacing", (view) => view.setUint8(12, 2)],
    ["a palette that is not there", (view) => view.setUint8(9, 3)],
  ])("%s", async (_, change) => {
    const header = whole.slice(16, 29);
    change(new DataView(header.buffer));
    const bytes = concatBytes([whole.subarray(0, 8), pngChunk("IHDR", header), whole.subarray(33)]);
    expect(await codeOf(() => readPng(bufferSource(bytes)))).toBe("damaged_file");
  });

  test("a header with a wrong checksum", async () => {
    const bytes = whole.slice();
    bytes[18] = 1;
    expect(await codeOf(() => readPng(bufferSource(bytes)))).toBe("damaged_file");
  });

  test.each([
    ["a little more than there is", 8],
    ["far more than there can be", 60_000],
  ])("a height of %s", async (_, height) => {
    const header = whole.slice(16, 29);
    new DataView(header.buffer).setUint32(4, height);
    const bytes = concatBytes([whole.subarray(0, 8), pngChunk("IHDR", header), whole.subarray(33)]);
    expect(await codeOf(() => embedPng(bufferSource(bytes)))).toBe("damaged_file");
  });

  test("pixels with an invalid filter", async () => {
    const rows = zlibSync(new Uint8Array(6 * 7).fill(5));
    const bytes = concatBytes([
      whole.subarray(0, 33),
      pngChunk("IDAT", rows),
      pngChunk("IEND", new Uint8Array()),
    ]);
    expect(await codeOf(() => embedPng(bufferSource(bytes)))).toBe("damaged_file");
  });

  test("any bytes, unless they are a PNG", async () => {
    const source = makePng({ ...GRAY, colorType: 6, chunks: [["gAMA", uint32s(45_455)]] });
    const change = fc.record({ at: fc.nat(source.length - 1), value: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 6 }), fc.nat(source.length), async (changes, cut) => {
        const bytes = source.slice();
        for (const { at, value } of changes) bytes[at] = value;
        const file = cut % 4 === 0 ? bytes.subarray(0, cut) : bytes;
        expect(["none", "damaged_file"]).toContain(await codeOf(() => embedPng(bufferSource(file))));
      }),
      { numRuns: 200 },
    );
  });
});
