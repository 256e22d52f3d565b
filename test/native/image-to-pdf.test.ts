import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import type { FormatId } from "../../src/shared/formats.ts";
import type { ImageToPdfOptions, Input } from "../../src/shared/protocol.ts";
import { embedPng } from "../../workers/image/to-pdf/embed-png.ts";
import { ImageDocument } from "../../workers/image/to-pdf/image-document.ts";
import { imageToPdf } from "../../workers/image/to-pdf/image-to-pdf.ts";
import { MemorySink } from "../../workers/io/sink.ts";
import { bufferSource } from "../../workers/io/source.ts";
import { latin1, uint32s } from "../support/fixtures/image/bytes.ts";
import { displayP3 } from "../support/fixtures/image/icc.ts";
import { inkProfile } from "../support/fixtures/image/ink-profile.ts";
import { exifSegment, iccHeader, jpegSegment, tiff, withSegments } from "../support/fixtures/image/jpeg.ts";
import { makePng, type PngPlan } from "../support/fixtures/image/png.ts";
import {
  largestDifference,
  mutoolDraws,
  type NativePicture,
  popplerDraws,
  vips,
  vipsDecodes,
} from "../support/native-pictures.ts";
import { announceMissing, runTool, Scratch } from "../support/native-tools.ts";
import { popplerInfo, popplerText, qpdfCheck } from "../support/oracles.ts";

const missing = announceMissing("images as PDF", [
  "qpdf",
  "mutool",
  "pdftoppm",
  "pdfimages",
  "pdftotext",
  "pdfinfo",
  "vips",
]);
const WIDTH = 37;
const HEIGHT = 23;

const scratch = new Scratch();
afterAll(() => scratch.remove());

async function pdfOf(
  bytes: Uint8Array<ArrayBuffer>,
  format: FormatId,
  options: Omit<ImageToPdfOptions, "inputs"> = {},
): Promise<Uint8Array> {
  const source = bufferSource(bytes);
  const sink = new MemorySink();
  const file = new Blob([bytes]);
  const context = { open: () => source, sink, report: () => undefined, helpers: 0 };
  await imageToPdf(context, { inputs: [{ file, name: "image", format }], ...options });
  return sink.toBytes();
}

/** Converts an image, checks the PDF by qpdf and returns its path. */
async function checked(
  bytes: Uint8Array<ArrayBuffer>,
  from: FormatId,
  options: Omit<ImageToPdfOptions, "inputs"> = {},
): Promise<string> {
  const path = scratch.path("image.pdf");
  writeFileSync(path, await pdfOf(bytes, from, options));
  const { verdict, complaint, pageCount } = await qpdfCheck(path);
  expect({ verdict, complaint, pageCount }).toEqual({ verdict: "ok", complaint: "", pageCount: 1 });
  return path;
}

/** The objects of a file, uncompressed, as text with single blanks. */
async function objectsOf(path: string): Promise<string> {
  const run = await runTool("qpdf", ["--qdf", "--object-streams=disable", path, "-"]);
  return run.stdout.toString("latin1").replace(/\s+/g, " ");
}

/** A pseudorandom number from 0 to `most`. */
function speckle(x: number, y: number, channel: number, most: number): number {
  return Math.floor(((x * 7919 + y * 104_729 + channel * 1_299_709 + x * y * 31) % 1009) * (most / 1008));
}

describe.skipIf(missing.length > 0).concurrent("a PNG in a PDF", () => {
  const kinds: readonly [colorType: PngPlan["colorType"], depths: readonly PngPlan["bitDepth"][]][] = [
    [0, [1, 2, 4, 8, 16]],
    [2, [8, 16]],
    [3, [1, 2, 4, 8]],
    [4, [8, 16]],
    [6, [8, 16]],
  ];
  const cases = kinds.flatMap(([colorType, depths]) =>
    depths.flatMap((bitDepth) =>
      [false, true].flatMap((interlaced) =>
        (colorType < 4 && !interlaced ? ["opaque", "one color", "graded"] : ["graded"]).map(
          (transparency) => [colorType, bitDepth, interlaced ? "interlaced" : "plain", transparency] as const,
        ),
      ),
    ),
  );

  test.each(cases)(
    "is drawn exactly: type %i, %i bits, %s, %s",
    async (colorType, bitDepth, order, transparency) => {
      const { recipe, expected } = plan(colorType, bitDepth, order === "interlaced", transparency);
      const path = await checked(makePng(recipe), "png");
      const drawn = await mutoolDraws(path, WIDTH, HEIGHT);
      // Readers round blended colors differently and use the upper 8 of 16 bits.
      const isMixed = colorType >= 4 || transparency === "graded";
      const tolerance = (isMixed ? 1 : 0) + (bitDepth === 16 ? 1 : 0);
      expect(largestDifference(drawn, expected)).toBeLessThanOrEqual(tolerance);
      const byPoppler = await popplerDraws(path, WIDTH, HEIGHT);
      expect(largestDifference(byPoppler, expected)).toBeLessThanOrEqual(tolerance);
    },
  );

  test.each([1, 2, 4, 8] as const)(
    "is drawn exactly whichever palette entry is transparent: %i bits",
    async (bitDepth) => {
      const entries = Math.min(2 ** bitDepth, 5);
      const palette = Uint8Array.from({ length: 3 * entries }, (_, index) => (index * 77 + 40) % 256);
      const entryAt = (x: number, y: number) => (7 * x + 3 * y) % entries;
      for (let clear = 0; clear < entries; clear++) {
        const alphas = new Uint8Array(entries).fill(255).fill(0, clear, clear + 1);
        const png = makePng({
          ...({ width: WIDTH, height: HEIGHT, colorType: 3, bitDepth } as const),
          sample: (x, y) => [entryAt(x, y)],
          chunks: [
            ["PLTE", palette],
            ["tRNS", alphas],
          ],
        });
        const rgb = Uint8Array.from({ length: 3 * WIDTH * HEIGHT }, (_, at) => {
          const pixel = Math.floor(at / 3);
          const entry = entryAt(pixel % WIDTH, Math.floor(pixel / WIDTH));
          return entry === clear ? 255 : (palette[3 * entry + (at % 3)] ?? 0);
        });
        const expected = { width: WIDTH, height: HEIGHT, rgb };
        const path = await checked(png, "png");
        expect(largestDifference(await mutoolDraws(path, WIDTH, HEIGHT), expected)).toBe(0);
        expect(largestDifference(await popplerDraws(path, WIDTH, HEIGHT), expected)).toBe(0);
      }
    },
  );

  const lacking = ([1, 2, 4, 8] as const).flatMap((bitDepth) =>
    ["opaque", "transparent"].map((transparency) => [bitDepth, transparency] as const),
  );
  test.each(lacking)(
    "draws black, like libpng, for values that the palette lacks: %i bits, %s",
    async (bitDepth, transparency) => {
      const palette = Uint8Array.of(255, 120, 0);
      const isTransparent = transparency === "transparent";
      const png = makePng({
        ...({ width: WIDTH, height: HEIGHT, colorType: 3, bitDepth } as const),
        sample: (x, y) => [(7 * x + 3 * y) % 2 ** bitDepth],
        chunks: [["PLTE", palette], ...(isTransparent ? [["tRNS", Uint8Array.of(0)] as const] : [])],
      });
      const path = await checked(png, "png");
      const file = scratch.path("lacking.png");
      writeFileSync(file, png);
      const onPaper = scratch.path("flat.v");
      if (isTransparent) await vips("flatten", file, onPaper, "--background", "255 255 255");
      const expected = await vipsDecodes(isTransparent ? onPaper : file, scratch.path("decoded"));
      expect(expected.rgb).toContain(0);
      expect(largestDifference(await mutoolDraws(path, WIDTH, HEIGHT), expected)).toBe(0);
      expect(largestDifference(await popplerDraws(path, WIDTH, HEIGHT), expected)).toBe(0);
    },
  );

  test("is drawn exactly when its alpha is compressed in several parts", async () => {
    const size = { width: 700, height: 450 };
    const { recipe, expected } = plan(6, 8, false, "graded", size);
    const path = await checked(makePng(recipe), "png");
    expect(largestDifference(await mutoolDraws(path, size.width, size.height), expected)).toBeLessThanOrEqual(
      1,
    );
    expect(
      largestDifference(await popplerDraws(path, size.width, size.height), expected),
    ).toBeLessThanOrEqual(1);
  });

  test("keeps its compressed data byte for byte", async () => {
    const { recipe } = plan(2, 8, false, "opaque");
    const png = makePng({ ...recipe, chunkBytes: 1e6 });
    const at = Buffer.from(png).indexOf("IDAT");
    const data = png.subarray(at + 4, at + 4 + new DataView(png.buffer).getUint32(at - 4));
    for (const chunkBytes of [1e6, 100, 7]) {
      const pdf = await pdfOf(makePng({ ...recipe, chunkBytes }), "png");
      expect(Buffer.from(pdf).includes(Buffer.from(data))).toBe(true);
    }
  });

  test("has the page size that its pixels per meter give", async () => {
    const resolution: [string, Uint8Array] = ["pHYs", Uint8Array.of(...uint32s(11811, 5906), 1)];
    const { recipe } = plan(0, 8, false, "opaque");
    const path = await checked(makePng({ ...recipe, chunks: [resolution] }), "png");
    expect((await popplerInfo(path)).get("Page size")).toBe("8.88 x 11.04 pts");
  });

  test("is rotated by its EXIF orientation", async () => {
    const { recipe, expected } = plan(0, 8, false, "opaque");
    const exif: [string, Uint8Array] = ["eXIf", tiff({ littleEndian: true, orientation: 3 })];
    const path = await checked(makePng({ ...recipe, chunks: [exif] }), "png");
    const turned = { ...expected, rgb: expected.rgb.slice().reverse() };
    expect(largestDifference(await mutoolDraws(path, WIDTH, HEIGHT), turned)).toBe(0);
  });

  test("has CalRGB for its gamma and primaries, and DeviceRGB for those of sRGB", async () => {
    const { recipe } = plan(2, 8, false, "opaque");
    const primaries: [string, Uint8Array] = [
      "cHRM",
      uint32s(31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6000),
    ];
    const wide = await checked(makePng({ ...recipe, chunks: [["gAMA", uint32s(50_000)], primaries] }), "png");
    const text = await objectsOf(wide);
    expect(text).toMatch(/\/CalRGB/);
    // Display P3's red by its standard, relative to D65 (SMPTE EG 432-1).
    expect(text).toMatch(
      /\/Matrix \[\s*0\.4865\d* 0\.2289\d* 0 0\.2656\d* 0\.6917\d* 0\.0451\d* 0\.1982\d* 0\.0792\d* 1\.0439\d*\s*\]/,
    );
    expect(text).toMatch(/\/Gamma \[\s*2 2 2\s*\]/);
    const plain = await checked(makePng({ ...recipe, chunks: [["gAMA", uint32s(45_455)]] }), "png");
    expect(await objectsOf(plain)).not.toMatch(/CalRGB/);
  });

  test("keeps its XMP as the document's metadata only with keep_metadata", async () => {
    const { recipe } = plan(0, 8, false, "opaque");
    const xmp = latin1("XML:com.adobe.xmp\0\0\0\0\0<x:xmpmeta>SECRET</x:xmpmeta>");
    const png = makePng({
      ...recipe,
      chunks: [
        ["iTXt", xmp],
        ["tEXt", latin1("Comment\0SECRET")],
      ],
    });
    expect(await objectsOf(await checked(png, "png"))).not.toMatch(/SECRET/);
    const kept = await checked(png, "png", { keepMetadata: true });
    expect((await popplerInfo(kept)).get("Metadata Stream")).toBe("yes");
    expect(await objectsOf(kept)).toMatch(/<x:xmpmeta>SECRET<\/x:xmpmeta>/);
  });

  test("keeps XMP of one image only", async () => {
    const { recipe } = plan(0, 8, false, "opaque");
    await expect(pdfOf(makePng(recipe), "png", { pages: "2" })).rejects.toMatchObject({
      code: "invalid_page_selection",
      details: { page_count: 1 },
    });
    await checked(makePng(recipe), "png", { pages: "last" });
  });
});

describe.skipIf(missing.length > 0)("several files in a PDF", () => {
  const { recipe, expected } = plan(2, 8, false, "opaque");
  const png: Input = { file: new Blob([makePng(recipe)]), name: "picture", format: "png" };
  const broken: Input = { file: new Blob(["\x89PNG\r\n"]), name: "broken", format: "png" };

  async function pdfOfAll(inputs: readonly Input[]) {
    const contents = new Map<Blob, Uint8Array>();
    for (const { file } of inputs) contents.set(file, new Uint8Array(await file.arrayBuffer()));
    const sink = new MemorySink();
    const progress: (readonly [number, number])[] = [];
    const context = {
      open: (file: Blob) => bufferSource(contents.get(file) ?? new Uint8Array()),
      report: (_: string, done: number, total: number) => void progress.push([done, total]),
      ...{ sink, helpers: 0 },
    };
    await imageToPdf(context, { inputs });
    const path = scratch.path("several.pdf");
    writeFileSync(path, sink.toBytes());
    return { path, progress };
  }

  test("are pages in order, each drawn exactly", async () => {
    const source = scratch.path("source.png");
    writeFileSync(source, new Uint8Array(await png.file.arrayBuffer()));
    const jpeg = scratch.path("picture.jpg");
    await vips("jpegsave", source, jpeg);
    const jpg: Input = { file: new Blob([readFileSync(jpeg)]), name: "photo", format: "jpg" };
    const { path, progress } = await pdfOfAll([png, jpg, png]);
    expect(await qpdfCheck(path)).toMatchObject({ verdict: "ok", complaint: "", pageCount: 3 });
    expect(progress).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    const pictures = [expected, await vipsDecodes(jpeg, scratch.path("decoded")), expected];
    for (const [index, picture] of pictures.entries()) {
      const page = scratch.path("page.pdf");
      await runTool("qpdf", [path, "--pages", ".", String(index + 1), "--", page]);
      expect(largestDifference(await mutoolDraws(page, WIDTH, HEIGHT), picture)).toBe(0);
    }
  });

  test("name a file that cannot be opened on its page", async () => {
    const { path } = await pdfOfAll([png, broken, png]);
    expect(await qpdfCheck(path)).toMatchObject({ verdict: "ok", pageCount: 3 });
    expect((await popplerText(path)).toString("utf8")).toMatch(/broken: \S+/);
  });

  test("fail when none can be opened", async () => {
    await expect(pdfOfAll([broken, broken])).rejects.toMatchObject({ code: "damaged_file" });
  });
});

describe.skipIf(missing.length > 0)("several images in a PDF", () => {
  test("names an unreadable image on its page and keeps the others", async () => {
    const source = bufferSource(new Uint8Array());
    const sink = new MemorySink();
    const document = new ImageDocument(sink, "fit");
    const { recipe } = plan(0, 8, false, "opaque");
    const png = makePng(recipe);
    const embedded = await embedPng(bufferSource(png));
    if (embedded === undefined) throw new Error("it was not embedded");
    const data = embedded.data.map((piece) =>
      piece.kind === "range"
        ? { kind: "bytes" as const, bytes: png.subarray(piece.start, piece.end) }
        : piece,
    );
    await document.addImage({ ...embedded, data }, source);
    document.addNote("Image 2 of 3: it cannot be read (really), \\ no.", { width: 300, height: 400 });
    await document.addImage({ ...embedded, data }, source);
    await document.end();
    const path = scratch.path("several.pdf");
    writeFileSync(path, sink.toBytes());
    expect(await qpdfCheck(path)).toMatchObject({ verdict: "ok", pageCount: 3 });
    const text = (await popplerText(path)).toString("utf8").replace(/\s+/g, " ");
    expect(text).toContain("Image 2 of 3: it cannot be read (really), \\ no.");
  });
});

describe.skipIf(missing.length > 0).concurrent("a JPEG in a PDF", () => {
  /** A picture without symmetry, as a JPEG by libvips. */
  async function photo(bands: 1 | 3, ...options: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
    const { recipe } = plan(bands === 1 ? 0 : 2, 8, false, "opaque");
    const png = scratch.path("photo.png");
    const jpeg = scratch.path("photo.jpg");
    writeFileSync(
      png,
      makePng({ ...recipe, sample: (x, y) => [0, 60, 120].map((more) => (x * 5 + y * 2 + more) % 256) }),
    );
    await vips("jpegsave", png, jpeg, ...options);
    return new Uint8Array(readFileSync(jpeg));
  }

  /** A new file for libvips. */
  function saved(jpeg: Uint8Array): string {
    const path = scratch.path("image.jpg");
    writeFileSync(path, jpeg);
    return path;
  }

  test.each<[string, 1 | 3, string[]]>([
    ["gray", 1, []],
    ["baseline", 3, []],
    ["progressive", 3, ["--interlace"]],
    ["with all its colors", 3, ["--subsample-mode", "off"]],
  ])("is drawn as libvips decodes it: %s", async (_, bands, options) => {
    const jpeg = await photo(bands, ...options);
    const path = await checked(jpeg, "jpg");
    const expected = await vipsDecodes(saved(jpeg), scratch.path("decoded"));
    expect(largestDifference(await mutoolDraws(path, WIDTH, HEIGHT), expected)).toBe(0);
    expect(largestDifference(await popplerDraws(path, WIDTH, HEIGHT), expected)).toBe(0);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("of orientation %i is upright", async (orientation) => {
    const exif = exifSegment(tiff({ littleEndian: orientation % 2 === 0, orientation }));
    const jpeg = withSegments(await photo(3, "--strip"), [exif]);
    const path = await checked(jpeg, "jpg");
    const expected = await vipsDecodes(saved(jpeg), scratch.path("decoded"));
    expect(expected.width).toBe(orientation >= 5 ? HEIGHT : WIDTH);
    const { width, height } = expected;
    expect(largestDifference(await mutoolDraws(path, width, height), expected)).toBe(0);
    expect(largestDifference(await popplerDraws(path, width, height), expected)).toBe(0);
  });

  const SECRETS = [
    exifSegment(Uint8Array.of(...tiff({ littleEndian: true, hasPosition: true }), ...latin1("SECRET"))),
    jpegSegment(0xe1, "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>SECRET</x:xmpmeta>"),
    jpegSegment(0xed, "Photoshop 3.0\0SECRET"),
    jpegSegment(0xfe, "SECRET"),
  ];

  test("keeps its coded data and loses its GPS position", async () => {
    const plain = await photo(3, "--strip");
    const pdf = await pdfOf(withSegments(plain, SECRETS), "jpg");
    expect(Buffer.from(pdf).includes(Buffer.from(plain))).toBe(true);
    expect(Buffer.from(pdf).includes("SECRET")).toBe(false);
  });

  test("keeps EXIF and XMP with keep_metadata", async () => {
    const jpeg = withSegments(await photo(3, "--strip"), SECRETS);
    const path = await checked(jpeg, "jpg", { keepMetadata: true });
    expect(readFileSync(path).includes(Buffer.from(jpeg))).toBe(true);
    expect((await popplerInfo(path)).get("Metadata Stream")).toBe("yes");
  });

  test("has its profile as its color space only when the profile fits its components", async () => {
    const plain = await photo(3, "--strip");
    const withProfile = (profile: Uint8Array) =>
      withSegments(plain, [jpegSegment(0xe2, "ICC_PROFILE\0\x01\x01", profile)]);
    const list = async (jpeg: Uint8Array<ArrayBuffer>) =>
      (await runTool("pdfimages", ["-list", await checked(jpeg, "jpg")])).stdout.toString("utf8");
    expect(await list(withProfile(displayP3()))).toMatch(/\bicc\b/);
    expect(await list(withProfile(inkProfile()))).toMatch(/\brgb\b/);
    // A damaged profile is ignored.
    expect(await list(withProfile(iccHeader("RGB ")))).toMatch(/\brgb\b/);
  });

  test("is drawn as libjpeg decodes it when its segments contradict each other about colors", async () => {
    const yCbCr = jpegSegment(0xe0, "JFIF\0", Uint8Array.of(1, 1, 0, 0, 1, 0, 1, 0, 0));
    const asTheyAre = jpegSegment(0xee, "Adobe", Uint8Array.of(0, 100, 0, 0, 0, 0, 0));
    const jpeg = withSegments(await photo(3, "--strip"), [yCbCr, asTheyAre]);
    const expected = await vipsDecodes(saved(jpeg), scratch.path("decoded"));
    const path = await checked(jpeg, "jpg");
    expect(largestDifference(await mutoolDraws(path, WIDTH, HEIGHT), expected)).toBe(0);
    expect(largestDifference(await popplerDraws(path, WIDTH, HEIGHT), expected)).toBe(0);
  });

  test("is inverted when it is CMYK by an Adobe encoder", async () => {
    const frame = jpegSegment(0xc0, Uint8Array.of(8, 0, 8, 0, 8, 4, 1, 17, 0, 2, 17, 0, 3, 17, 0, 4, 17, 0));
    const scan = jpegSegment(0xda, Uint8Array.of(4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0));
    const cmyk = Uint8Array.of(0xff, 0xd8, ...frame, ...scan, 0, 0xff, 0xd9);
    const adobe = jpegSegment(0xee, "Adobe", Uint8Array.of(0, 100, 0, 0, 0, 0, 2));
    const text = async (jpeg: Uint8Array<ArrayBuffer>) =>
      Buffer.from(await pdfOf(jpeg, "jpg")).toString("latin1");
    expect(await text(cmyk)).toMatch(/\/DeviceCMYK/);
    expect(await text(cmyk)).not.toMatch(/\/Decode /);
    expect(await text(withSegments(cmyk, [adobe]))).toMatch(/\/Decode \[1 0 1 0 1 0 1 0\]/);
  });

  test("is placed on a page of a paper size", async () => {
    const path = await checked(await photo(3), "jpg", { pageSize: "a4" });
    expect((await popplerInfo(path)).get("Page size")).toBe("841.89 x 595.276 pts (A4)");
  });
});

/** A noisy PNG, and its appearance on white paper. */
function plan(
  colorType: PngPlan["colorType"],
  bitDepth: PngPlan["bitDepth"],
  interlaced: boolean,
  transparency: string,
  { width, height } = { width: WIDTH, height: HEIGHT },
): { readonly recipe: PngPlan; readonly expected: NativePicture } {
  const most = 2 ** bitDepth - 1;
  const entries = Math.min(most + 1, 200);
  const palette = Uint8Array.from({ length: 3 * entries }, (_, index) => (index * 77) % 256);
  const isPalette = colorType === 3;
  const highest = isPalette ? entries - 1 : most;
  const sample = (x: number, y: number, channel: number) => speckle(x >> 1, y, channel, highest);
  const clear = [0, 1, 2].map((channel) => sample(4, 4, channel));
  const entryAlpha = (entry: number) => {
    if (transparency === "one color") return entry === clear[0] ? 0 : 255;
    return transparency === "graded" ? (entry * 53) % 256 : 255;
  };
  const chunks: [string, Uint8Array][] = [];
  if (isPalette) chunks.push(["PLTE", palette]);
  const hasKey = transparency !== "opaque" && (colorType === 0 || colorType === 2);
  if (hasKey) {
    const samples = colorType === 0 ? clear.slice(0, 1) : clear;
    chunks.push(["tRNS", Uint8Array.from(samples.flatMap((value) => [value >> 8, value & 255]))]);
  } else if (isPalette && transparency !== "opaque") {
    chunks.push(["tRNS", Uint8Array.from({ length: entries }, (_, entry) => entryAlpha(entry))]);
  }

  const rgb = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (channel: number) => sample(x, y, channel);
      const colors = colorType === 2 || colorType === 6 ? [at(0), at(1), at(2)] : [at(0), at(0), at(0)];
      const isClear = hasKey && colors.every((value, index) => value === clear[colorType === 0 ? 0 : index]);
      const alpha = colorType === 4 ? at(1) / most : colorType === 6 ? at(3) / most : isClear ? 0 : 1;
      for (let channel = 0; channel < 3; channel++) {
        const value = isPalette ? (palette[3 * at(0) + channel] ?? 0) : ((colors[channel] ?? 0) * 255) / most;
        const opacity = isPalette ? entryAlpha(at(0)) / 255 : alpha;
        rgb[3 * (y * width + x) + channel] = Math.round(value * opacity + 255 * (1 - opacity));
      }
    }
  }
  const recipe = {
    ...{ width, height, colorType, bitDepth, interlaced, chunks },
    sample: (x: number, y: number) => [0, 1, 2, 3].map((channel) => sample(x, y, channel)),
  };
  return { recipe, expected: { width, height, rgb } };
}
