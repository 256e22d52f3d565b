import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import type { Input } from "../../src/shared/protocol.ts";
import { embedPng } from "../../workers/image/to-pdf/embed-png.ts";
import { ImageDocument } from "../../workers/image/to-pdf/image-document.ts";
import { imageToPdf } from "../../workers/image/to-pdf/image-to-pdf.ts";
import { bufferSource } from "../../workers/io/source.ts";
import { latin1, uint32s } from "../support/fixtures/image/bytes.ts";
import { tiff } from "../support/fixtures/image/jpeg.ts";
import { HEIGHT, plan, WIDTH } from "../support/fixtures/image/noisy-png.ts";
import { makePng, type PngPlan } from "../support/fixtures/image/png.ts";
import { missing, pdfChecker, pdfOf } from "../support/image-pdf.ts";
import { MemorySink } from "../support/memory-sink.ts";
import {
  largestDifference,
  mutoolDraws,
  popplerDraws,
  vips,
  vipsDecodes,
} from "../support/native-pictures.ts";
import { runTool, Scratch } from "../support/native-tools.ts";
import { popplerInfo, popplerText, qpdfCheck } from "../support/oracles.ts";

const scratch = new Scratch();
afterAll(() => scratch.remove());

const checked = pdfChecker(scratch);

/** The objects of a file, uncompressed, as text with single blanks. */
async function objectsOf(path: string): Promise<string> {
  const run = await runTool("qpdf", ["--qdf", "--object-streams=disable", path, "-"]);
  return run.stdout.toString("latin1").replace(/\s+/g, " ");
}

describe.skipIf(missing.length > 0).concurrent("a PNG in a PDF", () => {
  const kinds: readonly [colorType: PngPlan["colorType"], depths: readonly PngPlan["bitDepth"][]][] = [
    [0, [1, 2, 4, 8, 16]],
    [2, [8, 16]],
    [3, [1, 2, 4, 8]],
    [4, [8, 16]],
    [6, [8, 16]],
  ];
  const transparencies = (colorType: PngPlan["colorType"], bitDepth: PngPlan["bitDepth"]) => {
    if (colorType >= 4) return ["graded"];
    // The browser decodes a PNG of 16 bits with a transparent color.
    return bitDepth === 16 ? ["opaque"] : ["opaque", "one color", "graded"];
  };
  const cases = kinds.flatMap(([colorType, depths]) =>
    depths.flatMap((bitDepth) =>
      transparencies(colorType, bitDepth).map((transparency) => [colorType, bitDepth, transparency] as const),
    ),
  );

  test.each(cases)("is drawn exactly: type %i, %i bits, %s", async (colorType, bitDepth, transparency) => {
    const { recipe, expected } = plan(colorType, bitDepth, transparency);
    const path = await checked(makePng(recipe), "png");
    const drawn = await mutoolDraws(path, WIDTH, HEIGHT);
    // Readers round blended colors differently and use the upper 8 of 16 bits.
    const isMixed = colorType >= 4 || transparency === "graded";
    const tolerance = (isMixed ? 1 : 0) + (bitDepth === 16 ? 1 : 0);
    expect(largestDifference(drawn, expected)).toBeLessThanOrEqual(tolerance);
    const byPoppler = await popplerDraws(path, WIDTH, HEIGHT);
    expect(largestDifference(byPoppler, expected)).toBeLessThanOrEqual(tolerance);
  });

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

  test("is drawn exactly when its alpha is compressed in several parts", async () => {
    const size = { width: 700, height: 450 };
    const { recipe, expected } = plan(6, 8, "graded", size);
    const path = await checked(makePng(recipe), "png");
    expect(largestDifference(await mutoolDraws(path, size.width, size.height), expected)).toBeLessThanOrEqual(
      1,
    );
    expect(
      largestDifference(await popplerDraws(path, size.width, size.height), expected),
    ).toBeLessThanOrEqual(1);
  });

  test("keeps its compressed data byte for byte", async () => {
    const { recipe } = plan(2, 8, "opaque");
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
    const { recipe } = plan(0, 8, "opaque");
    const path = await checked(makePng({ ...recipe, chunks: [resolution] }), "png");
    expect((await popplerInfo(path)).get("Page size")).toBe("8.88 x 11.04 pts");
  });

  test("is rotated by its EXIF orientation", async () => {
    const { recipe, expected } = plan(0, 8, "opaque");
    const exif: [string, Uint8Array] = ["eXIf", tiff({ littleEndian: true, orientation: 3 })];
    const path = await checked(makePng({ ...recipe, chunks: [exif] }), "png");
    const turned = { ...expected, rgb: expected.rgb.slice().reverse() };
    expect(largestDifference(await mutoolDraws(path, WIDTH, HEIGHT), turned)).toBe(0);
  });

  test("has a profile for its gamma and primaries, and DeviceRGB for those of sRGB", async () => {
    const { recipe } = plan(2, 8, "opaque");
    const primaries: [string, Uint8Array] = [
      "cHRM",
      uint32s(31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6000),
    ];
    const chunks: [string, Uint8Array][] = [["gAMA", uint32s(50_000)], primaries];
    const wide = await checked(makePng({ ...recipe, chunks }), "png");
    expect(await objectsOf(wide)).toMatch(/\/ICCBased/);
    // Gray would need a profile of its own. It is converted.
    const { recipe: gray } = plan(0, 8, "opaque");
    expect(await embedPng(bufferSource(makePng({ ...gray, chunks })))).toBeUndefined();
    const plain = await checked(makePng({ ...recipe, chunks: [["gAMA", uint32s(45_455)]] }), "png");
    expect(await objectsOf(plain)).not.toMatch(/ICCBased/);
  });

  test("keeps its XMP as the document's metadata only with keep_metadata", async () => {
    const { recipe } = plan(0, 8, "opaque");
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
    const { recipe } = plan(0, 8, "opaque");
    await expect(pdfOf(makePng(recipe), "png", { pages: "2" })).rejects.toMatchObject({
      code: "invalid_page_selection",
      details: { page_count: 1 },
    });
    await checked(makePng(recipe), "png", { pages: "last" });
  });
});

describe.skipIf(missing.length > 0)("several files in a PDF", () => {
  const { recipe, expected } = plan(2, 8, "opaque");
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
    const { recipe } = plan(0, 8, "opaque");
    const png = makePng(recipe);
    const embedded = await embedPng(bufferSource(png));
    if (embedded === undefined) throw new Error("it was not embedded");
    const data = embedded.data.map((piece) =>
      piece.kind === "range"
        ? { kind: "bytes" as const, bytes: png.subarray(piece.start, piece.end) }
        : piece,
    );
    await document.addImage([{ ...embedded, data }], source);
    document.addNote("Image 2 of 3: it cannot be read (really), \\ no.", { width: 300, height: 400 });
    await document.addImage([{ ...embedded, data }], source);
    await document.end();
    const path = scratch.path("several.pdf");
    writeFileSync(path, sink.toBytes());
    expect(await qpdfCheck(path)).toMatchObject({ verdict: "ok", pageCount: 3 });
    const text = (await popplerText(path)).toString("utf8").replace(/\s+/g, " ");
    expect(text).toContain("Image 2 of 3: it cannot be read (really), \\ no.");
  });
});
