import { describe, expect, test, vi } from "vitest";
import { calibratedProfile } from "../../../../../workers/image/color/calibrated-profile.ts";
import { profileComponents } from "../../../../../workers/image/color/icc.ts";
import { plainBmp } from "../../../../../workers/image/formats/bmp/plain-copy.ts";
import { readBmp, readBmpLayout } from "../../../../../workers/image/formats/bmp/read-bmp.ts";
import { plainGif, readGif } from "../../../../../workers/image/formats/gif/read-gif.ts";
import { readPng } from "../../../../../workers/image/formats/png/read-png.ts";
import { hasIntactPixels, repairedPng } from "../../../../../workers/image/formats/png/repaired-copy.ts";
import { plainPng, withPngMetadata } from "../../../../../workers/image/formats/png/write-metadata.ts";
import {
  plainWebp,
  readWebp,
  withWebpMetadata,
} from "../../../../../workers/image/formats/webp/read-webp.ts";
import { readExif } from "../../../../../workers/image/metadata/exif.ts";
import { uprightMetadata } from "../../../../../workers/image/metadata/upright-metadata.ts";
import { bufferSource } from "../../../../../workers/io/source.ts";
import { concatBytes, latin1 } from "../../../../support/fixtures/image/bytes.ts";
import {
  makeAlphaBmp,
  makeBmp,
  makeDividedBmp,
  makeGif,
} from "../../../../support/fixtures/image/gif-and-bmp.ts";
import { displayP3 } from "../../../../support/fixtures/image/icc.ts";
import { makeExif, makeXmp } from "../../../../support/fixtures/image/metadata.ts";
import { makePng, pngChunks, pngGamma, pngProfile } from "../../../../support/fixtures/image/png.ts";

const SIZE = { width: 64, height: 32 };

const ASCII = new TextEncoder();

function riff(...chunks: readonly (readonly [string, readonly number[]])[]): Uint8Array<ArrayBuffer> {
  const body = concatBytes(
    chunks.map(([name, data]) =>
      concatBytes([
        ASCII.encode(name),
        Uint8Array.of(data.length & 255, data.length >> 8, 0, 0, ...data),
        new Uint8Array(data.length & 1),
      ]),
    ),
  );
  const length = body.length + 4;
  return concatBytes([
    ASCII.encode("RIFF"),
    Uint8Array.of(length & 255, length >> 8, 0, 0),
    ASCII.encode("WEBP"),
    body,
  ]);
}

/** 300 × 200, lossy: three bytes of frame tag, the start code, and the size. */
const LOSSY = ["VP8 ", [0x30, 1, 0, 0x9d, 1, 0x2a, 300 & 255, 300 >> 8, 200, 0, 0]] as const;

describe("WebP", () => {
  test("lossy", () => {
    expect(readWebp(riff(LOSSY))).toMatchObject({
      ...{ width: 300, height: 200, hasAlpha: false, isLossless: false, isAnimated: false },
    });
  });

  test("lossless with alpha", () => {
    const bits = 299 | (199 << 14) | (1 << 28);
    const webp = riff(["VP8L", [0x2f, bits & 255, (bits >> 8) & 255, (bits >> 16) & 255, bits >>> 24]]);
    expect(readWebp(webp)).toMatchObject({ width: 300, height: 200, hasAlpha: true, isLossless: true });
  });

  test.each([
    ["lossless", ["VP8L", [0x2f, 0, 0, 0, 0x10]]],
    ["lossy", ["ALPH", [0, 0]]],
  ] as const)("%s with alpha that its header does not speak of", async (_, pixels) => {
    const webp = riff(["VP8X", [0, 0, 0, 0, 43, 1, 0, 199, 0, 0]], pixels, LOSSY);
    expect(readWebp(webp).hasAlpha).toBe(true);
    const made = new Uint8Array(await withWebpMetadata(webp, {}).arrayBuffer());
    expect(made[20]).toBe(0x10);
    expect(plainWebp(webp, readWebp(webp))[20]).toBe(0x10);
  });

  test("metadata goes in, comes out, and is replaced", async () => {
    const metadata = { exif: makeExif(1), xmp: makeXmp(1), icc: Uint8Array.of(1, 2, 3) };
    const once = new Uint8Array(await withWebpMetadata(riff(LOSSY), metadata).arrayBuffer());
    expect(readWebp(once)).toMatchObject({ width: 300, height: 200, hasAlpha: false, ...metadata });
    const view = new DataView(once.buffer);
    expect(view.getUint32(4, true)).toBe(once.length - 8);
    const twice = new Uint8Array(await withWebpMetadata(once, { xmp: makeXmp(2) }).arrayBuffer());
    const { exif, icc, xmp } = readWebp(twice);
    expect({ exif, icc, xmp }).toEqual({ exif: undefined, icc: undefined, xmp: makeXmp(2) });
    expect(readExif(readWebp(plainWebp(once, readWebp(once))).exif ?? ASCII.encode("")).orientation).toBe(1);
    expect(plainWebp(twice, readWebp(twice))).toBe(twice);
  });

  test.each([
    ["nothing", new Uint8Array()],
    ["no picture", riff(["EXIF", [1, 2]])],
    ["a cut", riff(LOSSY).slice(0, -4)],
    ["a length beyond the file", riff(["VP8 ", [1]], LOSSY).fill(0xff, 16, 20)],
  ])("%s is damaged_file", (_, bytes) => {
    expect(() => readWebp(bytes)).toThrow(expect.objectContaining({ code: "damaged_file" }));
  });
});

describe("GIF and BMP", () => {
  const black = [0, 0, 0];
  const gif = makeGif(9, 7, [black, black, black, black], () => 0);

  test("size and transparency", () => {
    expect(readGif(gif)).toEqual({ width: 9, height: 7, hasAlpha: false });
    const control = Uint8Array.of(0x21, 0xf9, 4, 1, 0, 0, 0, 0);
    const transparent = concatBytes([gif.subarray(0, 25), control, gif.subarray(25)]);
    expect(readGif(transparent)).toEqual({ width: 9, height: 7, hasAlpha: true });
    expect(readBmp(makeBmp(8, 5, () => [0, 0, 0]))).toEqual({ width: 8, height: 5, hasAlpha: false });
  });

  test("a BMP's pixels per meter are its resolution, where they can be meant", () => {
    const resolutionOf = (...pixelsPerMetre: [number, number]) =>
      readBmp(makeBmp(8, 5, () => [0, 0, 0], pixelsPerMetre)).resolution;
    expect(resolutionOf(11_811, 5_906)).toEqual({ x: 300, y: 150 });
    for (const none of [0, -2_835, 1]) expect(resolutionOf(none, 2_835)).toBeUndefined();
  });

  test("a frame that does not begin at the corner leaves some of the screen out", () => {
    const colors = [black, black, black, black];
    const at = (left: number, top: number) =>
      makeGif(9, 7, colors, () => 0, { width: 9, height: 7, left, top });
    expect(readGif(at(2, 0))).toEqual({ width: 11, height: 7, hasAlpha: true });
    expect(readGif(at(0, 3))).toEqual({ width: 9, height: 10, hasAlpha: true });
  });

  test("a mask for alpha behind the header", () => {
    const bmp = makeAlphaBmp(2, 3, () => [1, 2, 3, 4]);
    expect(readBmp(bmp)).toEqual({ width: 2, height: 3, hasAlpha: true });
    expect(readBmp(concatBytes([bmp.subarray(0, 66), new Uint8Array(4), bmp.subarray(70)])).hasAlpha).toBe(
      false,
    );
    const cut = makeAlphaBmp(0, 0, () => [1, 2, 3, 4]).subarray(0, 68);
    for (const short of [cut, bmp.subarray(0, -1)])
      expect(() => readBmp(short)).toThrow(expect.objectContaining({ code: "damaged_file" }));
  });

  test("a BMP on which browsers agree stays as it is", () => {
    const usual = makeBmp(8, 5, () => [1, 2, 3]);
    expect(plainBmp(usual)).toBe(usual);
    const transparent = makeAlphaBmp(2, 3, () => [1, 2, 3, 4]);
    expect(plainBmp(transparent)).toBe(transparent);
  });

  test("a BMP's fourth bytes become opaque where they are not alpha, and nothing else of it changes", () => {
    const bmp = makeDividedBmp("8, 8, 8 and 8 bits", 2, 1, () => [1, 2, 3]);
    const footer = Uint8Array.of(9, 9, 9, 9);
    const opaque = concatBytes([bmp.subarray(0, 54), Uint8Array.of(3, 2, 1, 255, 3, 2, 1, 255), footer]);
    expect(plainBmp(concatBytes([bmp, footer]))).toEqual(opaque);
  });

  test.each(["5, 5 and 5 bits", "5, 6 and 5 bits"] as const)(
    "a BMP of %s gets a byte for each color, its rows in their order",
    (kind) => {
      const color = (x: number, y: number) => [255 * x, 255 * y, 0] as const;
      const bmp = makeDividedBmp(kind, 2, 2, (x, y) => [...color(x, y)]);
      for (const height of [2, -2]) {
        new DataView(bmp.buffer).setInt32(22, height, true);
        const plain = plainBmp(bmp);
        expect(readBmp(plain)).toMatchObject({ width: 2, height: 2, hasAlpha: false });
        expect(new DataView(plain.buffer).getInt32(22, true)).toBe(height);
        const rows = [
          [0, 255, 0, 255, 0, 255, 255, 255],
          [0, 0, 0, 255, 0, 0, 255, 255],
        ];
        expect([...plain.subarray(54)]).toEqual(rows.flat());
      }
      for (let cut = 0; cut < bmp.length; cut++)
        expect(() => plainBmp(bmp.slice(0, cut))).toThrow(expect.objectContaining({ code: "damaged_file" }));
    },
  );

  test.each([
    ["24 bits", makeBmp(4, 2, (x, y) => [x, y, 9])],
    ["32 bits", makeDividedBmp("8, 8, 8 and 8 bits", 2, 2, (x, y) => [x, y, 9])],
    ["15 bits", makeDividedBmp("5, 5 and 5 bits", 2, 2, (x, y) => [255 * x, 255 * y, 9])],
    ["16 bits", makeDividedBmp("5, 6 and 5 bits", 2, 2, (x, y) => [255 * x, 255 * y, 9])],
    ["32 bits with alpha", makeAlphaBmp(2, 2, (x, y) => [x, y, 9, 8])],
  ])("a BMP of %s that does not say where its pixels are has them behind its headers", (_, bmp) => {
    for (const nothing of [0, 14]) {
      const silent = bmp.slice();
      new DataView(silent.buffer).setUint32(10, nothing, true);
      expect(plainBmp(silent)).toEqual(plainBmp(bmp));
      const cut = silent.slice(0, -1);
      expect(() => plainBmp(cut)).toThrow(expect.objectContaining({ code: "damaged_file" }));
    }
  });

  test("such a BMP with a palette has them behind that", () => {
    const place = (headerBytes: number, bits: number, colors: number) => {
      const view = new DataView(new ArrayBuffer(2000));
      for (const [at, value] of [
        [14, headerBytes],
        [headerBytes === 12 ? 24 : 28, bits],
      ] as const)
        view.setUint32(at, value, true);
      if (headerBytes >= 40) view.setUint32(46, colors, true);
      return readBmpLayout(new Uint8Array(view.buffer)).pixelsAt;
    };
    expect(place(40, 8, 0)).toBe(54 + 4 * 256);
    expect(place(40, 8, 7)).toBe(54 + 4 * 7);
    expect(place(124, 4, 0xffffffff)).toBe(138 + 4 * 16);
    expect(place(12, 1, 0)).toBe(26 + 3 * 2);
  });

  test("a BMP whose 16 bits are divided otherwise is the browser's to read", () => {
    const bmp = makeDividedBmp("5, 6 and 5 bits", 2, 2, () => [255, 0, 0]);
    new DataView(bmp.buffer).setUint32(54, 0x7800, true);
    expect(plainBmp(bmp)).toBe(bmp);
  });

  test("a GIF's screen becomes as large as its first frame needs", () => {
    expect(plainGif(gif, readGif(gif))).toBe(gif);
    const small = makeGif(9, 7, [black, black, black, black], () => 0, {
      ...{ width: 300, height: 3, left: 2, top: 600 },
    });
    const plain = plainGif(small, readGif(small));
    expect([...plain.subarray(6, 10)]).toEqual([300 & 255, 300 >> 8, 607 & 255, 607 >> 8]);
    expect(plain.subarray(10)).toEqual(small.subarray(10));
  });

  test("a short header of OS/2 2 has no compression, whatever follows it", () => {
    const head = new DataView(new ArrayBuffer(30));
    head.setUint32(10, 42, true);
    head.setUint32(14, 16, true);
    head.setUint32(18, 2, true);
    head.setUint32(22, 3, true);
    head.setUint16(28, 8, true);
    const palette = new Uint8Array(12).fill(7);
    const bmp = concatBytes([new Uint8Array(head.buffer), palette, new Uint8Array(12)]);
    expect(readBmp(bmp)).toEqual({ width: 2, height: 3, hasAlpha: false });
    expect(() => readBmp(bmp.subarray(0, -1))).toThrow(expect.objectContaining({ code: "damaged_file" }));
  });

  test("a GIF with fewer pixels than its frame has is damaged_file", () => {
    const higher = gif.slice();
    higher[gif.indexOf(0x2c) + 7] = 8;
    expect(() => readGif(higher)).toThrow(expect.objectContaining({ code: "damaged_file" }));
    const senseless = gif.slice();
    // Codes behind the first of the table, right after it is cleared.
    senseless.fill(0xff, gif.indexOf(0x2c) + 12, gif.indexOf(0x2c) + 16);
    expect(() => readGif(senseless)).toThrow(expect.objectContaining({ code: "damaged_file" }));
  });

  test("cut off before the picture is damaged_file", () => {
    for (const cut of [0, 6, 12, 20, gif.length - 5])
      expect(() => readGif(gif.subarray(0, cut))).toThrow(expect.objectContaining({ code: "damaged_file" }));
    for (const cut of [0, 14, 30, 54 + 47]) {
      const bmp = makeBmp(4, 4, () => [0, 0, 0]).subarray(0, cut);
      expect(() => readBmp(bmp)).toThrow(expect.objectContaining({ code: "damaged_file" }));
    }
  });
});

describe("PNG", () => {
  const png = makePng({
    ...{ width: 2, height: 1, colorType: 2, bitDepth: 8, sample: () => [1, 2, 3] },
    chunks: [
      ["gAMA", pngGamma(1)],
      ["eXIf", makeExif(6)],
    ],
  });

  test("metadata goes in, and what it replaces goes", async () => {
    const metadata = { exif: makeExif(1), icc: Uint8Array.of(1, 2, 3), xmp: makeXmp(1) };
    const chunks = pngChunks(new Uint8Array(await withPngMetadata(png, metadata).arrayBuffer()));
    expect([...chunks.keys()]).toEqual(["IHDR", "iCCP", "eXIf", "iTXt", "IDAT", "IEND"]);
    expect(chunks.get("eXIf")).toEqual(makeExif(1));
  });

  test("a missing end and wrong check sums are repaired, missing pixels are not", () => {
    const wrong = png.slice();
    wrong[30] = (wrong[30] ?? 0) ^ 1;
    expect(repairedPng(wrong)).toEqual(png);
    expect(repairedPng(png.subarray(0, -12))).toEqual(png);
    expect(repairedPng(png.subarray(0, -20))).toBeUndefined();
    expect(repairedPng(png.subarray(0, 20))).toBeUndefined();
  });

  test("pixels that say they are longer than the file are as long as they can be", () => {
    const data = png.length - 12 - 12 - (pngChunks(png).get("IDAT")?.length ?? 0);
    const wrong = png.slice();
    wrong[data + 2] = 0x20;
    expect(repairedPng(wrong)).toEqual(png);
    expect(repairedPng(wrong.subarray(0, -12))).toBeUndefined();
  });

  test("checks the checksums of the pixels and the end chunk", () => {
    expect(hasIntactPixels(png)).toBe(true);
    const wrong = png.with(-14, (png.at(-14) ?? 0) ^ 1);
    expect(hasIntactPixels(wrong)).toBe(false);
    const cut = png.subarray(0, -12);
    expect(hasIntactPixels(cut)).toBe(false);
    // Chunks about colors are not pixels.
    const otherGamma = png.with(45, 9);
    expect(hasIntactPixels(otherGamma)).toBe(true);
  });

  test("chunks about the colors go in as they are", async () => {
    const { colors, colorChunks } = readPng(bufferSource(png));
    expect(colors).toMatchObject({ kind: "calibrated", gamma: 1 });
    const plain = makePng({ width: 2, height: 1, colorType: 2, bitDepth: 8, sample: () => [1, 2, 3] });
    const made = withPngMetadata(plain, { colorRecords: colorChunks });
    const chunks = pngChunks(new Uint8Array(await made.arrayBuffer()));
    expect(chunks.get("gAMA")).toEqual(pngGamma(1));
  });

  test("a profile that fails its check sum counts as not there", () => {
    const profile = pngProfile(displayP3());
    const plan = { width: 1, height: 1, colorType: 2, bitDepth: 8, sample: () => [1, 2, 3] } as const;
    const read = (data: Uint8Array) =>
      readPng(bufferSource(makePng({ ...plan, chunks: [["iCCP", data]] }))).colors;
    expect(read(profile)).toMatchObject({ kind: "icc" });
    expect(read(profile.with(-1, (profile.at(-1) ?? 0) ^ 1))).toEqual({ kind: "unknown" });
  });

  test.each<[string, (profile: DataView) => void]>([
    ["with a rendering intent that does not exist", (profile) => profile.setUint32(64, 0x01000000)],
    ["of gray, in a picture in color", (profile) => profile.setUint32(16, 0x47524159)],
    ["that links devices", (profile) => profile.setUint32(12, 0x6c696e6b)],
    ["through a space that is none of connection", (profile) => profile.setUint32(20, 0x4c757620)],
  ])("a profile %s counts as not there, as for libpng", (_, change) => {
    const profile = displayP3();
    change(new DataView(profile.buffer));
    const png = readPng(
      bufferSource(
        makePng({
          ...{ width: 1, height: 1, colorType: 2, bitDepth: 8, sample: () => [1, 2, 3] },
          chunks: [["iCCP", pngProfile(profile)]],
        }),
      ),
    );
    expect(png).toMatchObject({
      colors: { kind: "unknown" },
      disputedChunks: new Map([["iCCP", undefined]]),
    });
  });

  const still = { width: 2, height: 2, colorType: 2, bitDepth: 8, sample: () => [1, 2, 3] } as const;

  test("what decoders do not agree on is taken away, or mended where it stands", async () => {
    const frame = new Uint8Array(26);
    const source = makePng({
      ...still,
      chunks: [
        ["gAMA", pngGamma(0.45455)],
        ["sRGB", Uint8Array.of(0)],
        ["pHYs", new Uint8Array(9)],
        ["acTL", Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 0)],
        ["tRNS", Uint8Array.of(9, 1, 9, 2, 9, 3)],
      ],
      lateChunks: [
        ["fcTL", frame],
        ["eXIf", makeExif(6)],
        ["fdAT", Uint8Array.of(0, 0, 0, 1, 9)],
        ["fdAT", Uint8Array.of(0, 0, 0, 2, 9)],
      ],
    });
    const plain = plainPng(new Blob([source]), source, readPng(bufferSource(source)));
    const wanted = makePng({
      ...still,
      chunks: [
        ["pHYs", new Uint8Array(9)],
        ["tRNS", Uint8Array.of(0, 1, 0, 2, 0, 3)],
      ],
    });
    expect(new Uint8Array(await plain.arrayBuffer())).toEqual(wanted);
    const file = new Blob([wanted]);
    expect(plainPng(file, wanted, readPng(bufferSource(wanted)))).toBe(file);
  });

  test("what decoders do not agree on is left out of very many chunks with few parts of the file", async () => {
    const frames = Array.from({ length: 2000 }, () => ["fdAT", Uint8Array.of(0, 0, 0, 1, 9)] as const);
    const others = [
      ["abCd", new Uint8Array(100_000)] as const,
      ...frames.map(() => ["abCd", new Uint8Array(4)] as const),
    ];
    const mixed = others.flatMap((one, at) => [one, frames[at % 2000] ?? one]);
    const moving = [["acTL", Uint8Array.of(0, 0, 0, 2, 0, 0, 0, 0)]] as const;
    const source = makePng({ ...still, chunks: moving, lateChunks: [...frames, ...mixed] });
    const file = new Blob([source]);
    const slice = vi.spyOn(file, "slice");
    const plain = plainPng(file, source, readPng(bufferSource(source)));
    expect(slice.mock.calls.length).toBeLessThan(10);
    const wanted = makePng({ ...still, lateChunks: others });
    expect(new Uint8Array(await plain.arrayBuffer())).toEqual(wanted);
  });

  test("a gamma becomes a profile of red, green and blue", () => {
    const profile = calibratedProfile({ gamma: 1 / 1.8 });
    expect(profile && profileComponents(profile)).toBe(3);
    const xyz = (name: string) => {
      const view = new DataView((profile ?? new Uint8Array()).buffer);
      for (let at = 132; at < 132 + 12 * view.getUint32(128); at += 12) {
        const tag = String.fromCharCode(...new Uint8Array(view.buffer, at, 4));
        const offset = view.getUint32(at + 4) + 8;
        if (tag === name) return [0, 4, 8].map((step) => view.getInt32(offset + step) / 65_536);
      }
      return [];
    };
    // Of sRGB's own profile (IEC 61966-2-1, adapted by Bradford).
    for (const [name, wanted] of [
      ["rXYZ", [0.436, 0.2225, 0.0139]],
      ["gXYZ", [0.3851, 0.7169, 0.0971]],
      ["bXYZ", [0.1431, 0.0606, 0.7139]],
    ] as const) {
      for (const [index, value] of xyz(name).entries()) expect(value).toBeCloseTo(wanted[index] ?? 0, 2);
    }
    expect(calibratedProfile({ gamma: 1, chromaticities: [0, 0, 0, 0, 0, 0, 0, 0] })).toBeUndefined();
  });
});

describe("metadata of a picture that is stored upright", () => {
  test.each([1, 3, 6, 8])("says so, whatever it said before: %i", (orientation) => {
    const { exif, xmp, icc } = uprightMetadata(
      { exif: makeExif(orientation), xmp: makeXmp(orientation) },
      SIZE,
    );
    expect(exif).toEqual(makeExif(1));
    expect(xmp).toEqual(makeXmp(1));
    expect(icc).toBeUndefined();
  });

  test("is without what JPEG puts in front of EXIF", () => {
    const { exif } = uprightMetadata({ exif: concatBytes([latin1("Exif\0\0"), makeExif(6)]) }, SIZE);
    expect(exif).toEqual(makeExif(1));
  });

  test("of nonsense is nonsense", () => {
    for (const length of [0, 4, 9, 30]) {
      const exif = makeExif(6).slice(0, length);
      expect(uprightMetadata({ exif }, SIZE).exif?.length).toBe(length);
    }
  });
});
