import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import { FONTS_VARIABLE, fontUrl } from "../../service/folder-urls.ts";
import { runCall } from "../../service/platform/run-call.ts";
import { StoredFile } from "../../service/platform/stored-blob.ts";
import { compositeFont, drawnPdf, FIRST_OWN } from "../support/fixtures/drawn-pdf.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makePdf, pageText } from "../support/fixtures/pdf.ts";
import { writeTiledHeic } from "../support/fixtures/tiled-heic.ts";
import {
  largestDifference,
  mutoolDraws,
  type NativePicture,
  vips,
  vipsDecodes,
} from "../support/native-pictures.ts";
import { announceMissing } from "../support/native-tools.ts";
import { nodeEngines, PACKAGE_URL } from "../support/node-engines.ts";
import { mustRun, popplerPages, qpdfCheck, unzipNames } from "../support/oracles.ts";

// The engines in Node, without a browser: protecting, pages, text, and pictures through the canvas of a library.

const TOOLS = [
  "qpdf",
  "mutool",
  "pdftotext",
  "vips",
  "unzip",
  "exiftool",
  "heif-enc",
  "heif-convert",
] as const;
const missing = announceMissing("the engines in Node", TOOLS);
const { scratch, run } = nodeEngines();

const SIZE = { width: 600, height: 520 };

/** Writes a PDF. */
function pdfFile(shape: Parameters<typeof makePdf>[0], name = "report.pdf"): string {
  const path = scratch.path(name);
  writeFileSync(path, makePdf(shape));
  return path;
}

/** Writes an opaque picture without sharp edges, whose halves differ. */
function photoFile(): string {
  const path = scratch.path("photo.png");
  const sample = (x: number, y: number) => [x / 2.4, y / 2.1, (x + y) / 4.5].map(Math.floor);
  writeFileSync(path, makePng({ ...SIZE, colorType: 2, bitDepth: 8, sample }));
  return path;
}

/** The mean difference between components, from 0 to 255. Infinity when the sizes differ. */
function meanDifference(one: NativePicture, other: NativePicture): number {
  if (one.width !== other.width || one.height !== other.height) return Number.POSITIVE_INFINITY;
  return one.rgb.reduce((sum, value, at) => sum + Math.abs(value - (other.rgb[at] ?? 0)), 0) / one.rgb.length;
}

/** Decodes a picture by libvips, without its alpha channel. */
async function shown(path: string): Promise<NativePicture> {
  const flat = scratch.path("flat.png");
  await vips("autorot", path, `${flat}.v`);
  await vips("extract_band", `${flat}.v`, flat, "0", "--n", "3");
  return vipsDecodes(flat, scratch.path("decoded"));
}

describe.skipIf(missing.length > 0)("in Node", () => {
  test("protects a PDF", async () => {
    const { path, fileName } = await run("protectPdf", [pdfFile({ pages: 3 })], { password: "key" });
    expect(fileName).toMatch(/^protected-.*report\.pdf$/);
    expect(await qpdfCheck(path, "key")).toMatchObject({ verdict: "ok", pageCount: 3, encrypted: true });
  });

  test("keeps a large output on disk", async () => {
    const input = pdfFile({ pages: 10, ballastPerPage: 1_000_000 });
    const setup = { packageUrl: PACKAGE_URL, folder: mkdtempSync(scratch.path("call-")) };
    const params = { file: StoredFile.at(input, "report.pdf"), password: "key" };
    const { file } = await runCall({ operation: "protectPdf", params }, setup);
    const inMemory = file.pieces.reduce((sum, one) => sum + (one.kind === "bytes" ? one.bytes.length : 0), 0);
    expect(file.size).toBeGreaterThan(10_000_000);
    expect(inMemory).toBeLessThan(2_000_000);
    expect(readdirSync(setup.folder, { recursive: true }).join()).toMatch(/blob-1/);
  });

  test("reads the text of a PDF", async () => {
    const { path, type } = await run("convert", [pdfFile({ pages: 2 })], { output_format: "txt" });
    expect(type).toMatch(/^text\/plain/);
    expect(await StoredFile.at(path, "a").text()).toContain(pageText(2));
  });

  test("draws a page as mutool does", async () => {
    const input = pdfFile({ pages: 1 });
    const { path } = await run("convert", [input], { output_format: "png", dpi: 72 });
    expect(meanDifference(await shown(path), await mutoolDraws(input, 595, 842))).toBeLessThan(1);
  });

  test("draws pages in several threads", async () => {
    const input = pdfFile({ pages: 6 });
    const fields = { output_format: "jpg", dpi: 36 };
    const { path } = await run("convert", [input], fields, { threads: 3 });
    expect(await unzipNames(path)).toHaveLength(6);
  });

  test.each([
    ["png", 0],
    ["jpg", 3],
    ["webp", 4],
    ["avif", 4],
  ] as const)("converts a picture to %s", async (format, most) => {
    const photo = photoFile();
    const { path } = await run("convert", [photo], { output_format: format });
    const decoded = format === "avif" ? scratch.path("decoded.png") : path;
    if (format === "avif") await mustRun("heif-convert", [path, decoded]);
    expect(meanDifference(await shown(decoded), await shown(photo))).toBeLessThanOrEqual(most);
  });

  test.each(["png", "jpg", "webp"])("keeps the colors of a picture with a profile in %s", async (format) => {
    const wide = scratch.path("wide.jpg");
    await vips("icc_transform", photoFile(), wide, "p3", "--input-profile", "srgb");
    const { path } = await run("convert", [wide], { output_format: format });
    const [made, given] = [scratch.path("made.png"), scratch.path("given.png")];
    await vips("icc_transform", path, made, "srgb", "--embedded", "--input-profile", "srgb");
    await vips("icc_transform", wide, given, "srgb", "--embedded", "--input-profile", "srgb");
    expect(meanDifference(await shown(made), await shown(given))).toBeLessThan(2);
  });

  test("turns a JPEG upright, by its metadata", async () => {
    const jpeg = scratch.path("turned.jpg");
    await vips("copy", photoFile(), jpeg);
    await mustRun("exiftool", ["-q", "-overwrite_original", "-n", "-Orientation=6", jpeg]);
    const { path } = await run("convert", [jpeg], { output_format: "png" });
    const made = await shown(path);
    expect([made.width, made.height]).toEqual([SIZE.height, SIZE.width]);
    expect(largestDifference(made, await vipsDecodes(jpeg, scratch.path("native")))).toBeLessThanOrEqual(3);
  });

  test("converts a HEIC of tiles", async () => {
    const [photo, heic, native] = [photoFile(), scratch.path("phone.heic"), scratch.path("native.png")];
    await writeTiledHeic(photo, SIZE, heic, scratch);
    await mustRun("heif-convert", [heic, native]);
    const { path } = await run("convert", [heic], { output_format: "jpg" }, { threads: 2 });
    expect(meanDifference(await shown(path), await shown(native))).toBeLessThan(3);
  });

  test("merges a PDF and a picture", async () => {
    const { path } = await run("mergePdf", [pdfFile({ pages: 2 }), photoFile()]);
    expect(await qpdfCheck(path)).toMatchObject({ verdict: "ok", pageCount: 3 });
    expect((await popplerPages(path))[1]).toContain(pageText(2));
  });

  test("draws text in a font that is not embedded, from the folder of fonts", async () => {
    const font = compositeFont("Ryumin-Light", "Japan1", "UniJIS-UCS2-H");
    const page = {
      content: "BT /F1 40 Tf 10 15 Td <65E5672C> Tj ET",
      resources: `/Font<</F1 ${FIRST_OWN} 0 R>>`,
    };
    const input = scratch.path("japanese.pdf");
    writeFileSync(input, drawnPdf([page], { objects: font }));
    const inkWith = async (folder: string | undefined) => {
      const setup = { fontUrl: fontUrl({ [FONTS_VARIABLE]: folder }) };
      const { path } = await run("convert", [input], { output_format: "png", dpi: 72 }, setup);
      return (await shown(path)).rgb.filter((value) => value < 128).length;
    };
    expect(await inkWith(join(ROOT, "node_modules/@embedpdf/fonts-jp/fonts"))).toBeGreaterThan(300);
    expect(await inkWith(undefined)).toBe(0);
  });

  test("refuses with the errors of the contract", async () => {
    await expect(run("splitPdf", [pdfFile({ pages: 3 })], { pages: "4" })).rejects.toMatchObject({
      name: "ServiceError",
      code: "invalid_page_selection",
    });
    await expect(run("convert", [photoFile()], { output_format: "docx" })).rejects.toMatchObject({
      code: "remote_refused",
    });
  });

  test("ends with the reason when it is aborted", async () => {
    const aborted = AbortSignal.abort(new Error("the caller is gone"));
    const input = pdfFile({ pages: 1 });
    const params = { file: StoredFile.at(input, "report.pdf"), password: "key" };
    const setup = { packageUrl: PACKAGE_URL, folder: scratch.directory };
    const call = runCall({ operation: "protectPdf", params, signal: aborted }, setup);
    await expect(call).rejects.toThrow("the caller is gone");
  });

  test("reports a file that is removed during the call", async () => {
    const input = pdfFile({ pages: 1 });
    const file = StoredFile.at(input, "report.pdf");
    rmSync(input);
    const setup = { packageUrl: PACKAGE_URL, folder: scratch.directory };
    const call = runCall({ operation: "protectPdf", params: { file, password: "key" } }, setup);
    await expect(call).rejects.toMatchObject({ code: "damaged_file" });
  });
});
