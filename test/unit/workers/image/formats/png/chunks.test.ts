import { describe, expect, test, vi } from "vitest";
import { calibratedProfile } from "../../../../../../workers/image/color/calibrated-profile.ts";
import { profileColor } from "../../../../../../workers/image/color/color.ts";
import { profileComponents } from "../../../../../../workers/image/color/icc.ts";
import { readMatrixProfile } from "../../../../../../workers/image/color/icc-matrix.ts";
import {
  codedPng,
  hasIntactPixels,
  plainPng,
  withPngMetadata,
} from "../../../../../../workers/image/formats/png/chunks.ts";
import { readPng } from "../../../../../../workers/image/formats/png/read-png.ts";
import { bufferSource } from "../../../../../../workers/io/source.ts";
import { concatBytes, latin1 } from "../../../../../support/fixtures/image/bytes.ts";
import { displayP3 } from "../../../../../support/fixtures/image/icc.ts";
import { makeExif, makeXmp } from "../../../../../support/fixtures/image/metadata.ts";
import {
  makePng,
  type PngPlan,
  pngChunks,
  pngGamma,
  pngProfile,
} from "../../../../../support/fixtures/image/png.ts";

const STILL = { width: 2, height: 1, colorType: 2, bitDepth: 8, sample: () => [1, 2, 3] } as const;

/** Reads a PNG with this data in its `iCCP` chunk. */
const readWithProfile = (data: Uint8Array) =>
  readPng(bufferSource(makePng({ ...STILL, chunks: [["iCCP", data]] })));

describe("PNG", () => {
  const png = makePng({
    ...STILL,
    chunks: [
      ["gAMA", pngGamma(1)],
      ["eXIf", makeExif(6)],
    ],
  });

  test("writes metadata instead of the existing chunks", async () => {
    const metadata = { exif: makeExif(1), icc: Uint8Array.of(1, 2, 3), xmp: makeXmp(1) };
    const chunks = pngChunks(new Uint8Array(await withPngMetadata(png, metadata).arrayBuffer()));
    expect([...chunks.keys()]).toEqual(["IHDR", "iCCP", "eXIf", "iTXt", "IDAT", "IEND"]);
    expect(chunks.get("eXIf")).toEqual(makeExif(1));
  });

  test("checks the checksums of the pixels only", () => {
    expect(hasIntactPixels(png)).toBe(true);
    expect(hasIntactPixels(png.with(-14, (png.at(-14) ?? 0) ^ 1))).toBe(false);
    const otherGamma = png.with(45, 9);
    expect(hasIntactPixels(otherGamma)).toBe(true);
  });

  describe("keeps its coded data", () => {
    const coded = (source: Uint8Array<ArrayBuffer>) => codedPng(source, readPng(bufferSource(source))).data;
    const animation = [
      ["fcTL", new Uint8Array(26)],
      ["fdAT", Uint8Array.of(0, 0, 0, 1, 9)],
    ] as const;
    const moves = ["acTL", Uint8Array.of(0, 0, 0, 2, 0, 0, 0, 0)] as const;
    const density = ["pHYs", new Uint8Array(9)] as const;
    const gamma = ["gAMA", pngGamma(1)] as const;
    const metadata = [
      ["eXIf", makeExif(1)],
      ["tEXt", latin1("Comment\0secret")],
      ["tIME", new Uint8Array(7)],
      ["maKr", latin1("secret")],
    ] as const;

    test.each<[string, Partial<PngPlan>, Partial<PngPlan>]>([
      ["without metadata", { chunks: metadata, lateChunks: metadata }, {}],
      ["with 16 bits, interlaced", { bitDepth: 16, interlaced: true }, { bitDepth: 16, interlaced: true }],
      ["with its density and color space", { chunks: [gamma, density] }, { chunks: [gamma, density] }],
      ["without a profile, and what it replaces", { chunks: [["iCCP", pngProfile(displayP3())], gamma] }, {}],
      ["without chunks that say sRGB", { chunks: [["sRGB", Uint8Array.of(0)]] }, {}],
      [
        "with an animation",
        { chunks: [moves], lateChunks: animation },
        { chunks: [moves], lateChunks: animation },
      ],
      ["without frames of no animation", { lateChunks: animation }, {}],
    ])("%s", (_, plan, expected) => {
      expect(coded(makePng({ ...STILL, ...plan }))).toEqual(makePng({ ...STILL, ...expected }));
    });

    test("up to its end", () => {
      const whole = makePng({ ...STILL, chunks: [gamma] });
      expect(coded(concatBytes([whole, latin1("a video behind the picture")]))).toEqual(whole);
    });

    test.each<[string, Partial<PngPlan>, string]>([
      ["a damaged chunk", { chunks: [density] }, "pHYs"],
      ["an animation with a damaged chunk", { chunks: [moves], lateChunks: animation }, "fdAT"],
    ])("without %s", (_, plan, name) => {
      const source = makePng({ ...STILL, ...plan });
      const at = Buffer.from(source).indexOf(name) + 4;
      expect(coded(source.with(at, 99))).toEqual(makePng(STILL));
    });
  });

  test("ignores a profile with a wrong checksum, or cut off", () => {
    const profile = pngProfile(displayP3());
    expect(readWithProfile(profile).color).toEqual(profileColor(displayP3()));
    for (const wrong of [profile.with(-1, (profile.at(-1) ?? 0) ^ 1), profile.subarray(0, -40)])
      expect(readWithProfile(wrong).color).toBeUndefined();
  });

  test.each<[string, (profile: DataView) => void]>([
    ["with a rendering intent that does not exist", (profile) => profile.setUint32(64, 0x01000000)],
    ["of gray, in a picture in color", (profile) => profile.setUint32(16, 0x47524159)],
    ["that links devices", (profile) => profile.setUint32(12, 0x6c696e6b)],
    ["through a space that is none of connection", (profile) => profile.setUint32(20, 0x4c757620)],
  ])("ignores a profile %s, like libpng", (_, change) => {
    const profile = displayP3();
    change(new DataView(profile.buffer));
    expect(readWithProfile(pngProfile(profile))).toMatchObject({
      color: undefined,
      disputedChunks: new Set(["iCCP"]),
    });
  });

  test("removes chunks that decoders read differently", async () => {
    const frame = new Uint8Array(26);
    const source = makePng({
      ...STILL,
      chunks: [
        ["gAMA", pngGamma(0.45455)],
        ["sRGB", Uint8Array.of(0)],
        ["pHYs", new Uint8Array(9)],
        ["acTL", Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 0)],
      ],
      lateChunks: [
        ["fcTL", frame],
        ["eXIf", makeExif(6)],
        ["fdAT", Uint8Array.of(0, 0, 0, 1, 9)],
        ["fdAT", Uint8Array.of(0, 0, 0, 2, 9)],
      ],
    });
    const plain = plainPng(new Blob([source]), source, readPng(bufferSource(source)));
    const wanted = makePng({ ...STILL, chunks: [["pHYs", new Uint8Array(9)]] });
    expect(new Uint8Array(await plain.arrayBuffer())).toEqual(wanted);
    const file = new Blob([wanted]);
    expect(plainPng(file, wanted, readPng(bufferSource(wanted)))).toBe(file);
  });

  test("removes very many chunks with few parts of the file", async () => {
    const frames = Array.from({ length: 2000 }, () => ["fdAT", Uint8Array.of(0, 0, 0, 1, 9)] as const);
    const others = [
      ["abCd", new Uint8Array(100_000)] as const,
      ...frames.map(() => ["abCd", new Uint8Array(4)] as const),
    ];
    const mixed = others.flatMap((one, at) => [one, frames[at % 2000] ?? one]);
    const moving = [["acTL", Uint8Array.of(0, 0, 0, 2, 0, 0, 0, 0)]] as const;
    const source = makePng({ ...STILL, chunks: moving, lateChunks: [...frames, ...mixed] });
    const file = new Blob([source]);
    const slice = vi.spyOn(file, "slice");
    const plain = plainPng(file, source, readPng(bufferSource(source)));
    expect(slice.mock.calls.length).toBeLessThan(10);
    const wanted = makePng({ ...STILL, lateChunks: others });
    expect(new Uint8Array(await plain.arrayBuffer())).toEqual(wanted);
  });

  test("writes a profile for a gamma", () => {
    const profile = calibratedProfile({ gamma: 1 / 1.8 });
    expect(profile && profileComponents(profile)).toBe(3);
    const conversion = profile && readMatrixProfile(profile);
    if (typeof conversion !== "object") throw new Error("not a matrix");
    // The primaries of sRGB stay.
    for (const [row, values] of conversion.matrix.entries())
      for (const [column, value] of values.entries()) expect(value).toBeCloseTo(Number(row === column), 2);
    expect(conversion.curves[0]?.(0.5)).toBeCloseTo(0.5 ** 1.8, 2);
    const nowhere = [0, 0] as const;
    const chromaticities = [nowhere, nowhere, nowhere, nowhere] as const;
    expect(calibratedProfile({ gamma: 1, chromaticities })).toBeUndefined();
  });
});
