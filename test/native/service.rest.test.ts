import { resolveObjectURL } from "node:buffer";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { strToU8, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { buildPackageOnce } from "../../scripts/built.mjs";
import { Service } from "../../service/http/service.ts";
import { findOffice } from "../../service/office/find-office.mjs";
import { type Client, createClient, type Progress } from "../../src/index.ts";
import { protectBytes } from "../support/engine.ts";
import { jpegWith, makeExif } from "../support/fixtures/image/metadata.ts";
import { docx, pptx, xlsx } from "../support/fixtures/office/documents.ts";
import { ScriptedService, text } from "../support/fixtures/office/scripted-service.ts";
import { type NativePicture, popplerDraws, vips, vipsDecodes } from "../support/native-pictures.ts";
import { announceMissing, runTool, Scratch } from "../support/native-tools.ts";
import { popplerText } from "../support/oracles.ts";

const RED = [200, 30, 30];
const GREEN = [30, 160, 30];
const BLUE = [30, 30, 200];
const GRAY = [120, 120, 120];

const soffice = findOffice();
if (soffice === undefined)
  process.stderr.write("SKIPPED: the service with LibreOffice: LibreOffice is not here\n");
const missing = announceMissing("the service with LibreOffice", [
  "pdfimages",
  "pdftotext",
  "pdftoppm",
  "unzip",
  "vips",
]);

describe.skipIf(soffice === undefined || missing.length > 0)("through a service with LibreOffice", () => {
  const scratch = new Scratch();
  let service: Service;
  let client: Client;
  let protectedPdf: Uint8Array;

  beforeAll(async () => {
    await buildPackageOnce();
    service = await Service.start({ soffice: soffice ?? "", key: "secret" });
    client = createClient({ baseUrl: service.url, apiKey: "secret" });
    protectedPdf = await protectBytes(await textPdf(), { password: "open" });
  });
  afterAll(async () => {
    client.close();
    // Files of a job would stay until the service ends.
    expect(readdirSync(service.folder)).toEqual(["results"]);
    await service.close();
    scratch.remove();
  });

  /** Converts a file by the client and writes the result to disk. */
  async function convert(
    bytes: Uint8Array,
    name: string,
    output_format: string,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly path: string; readonly fileName: string; readonly type: string }> {
    const file = new File([new Uint8Array(bytes)], name);
    const result = await client.convert({ file, output_format, ...fields });
    const blob = resolveObjectURL(result.download_url);
    if (blob === undefined) throw new Error("the result has no blob");
    const path = scratch.path(result.file_name);
    writeFileSync(path, new Uint8Array(await blob.arrayBuffer()));
    client.release(result);
    return { path, fileName: result.file_name, type: blob.type };
  }

  /** A PDF with text, made by LibreOffice. */
  async function textPdf(): Promise<Uint8Array> {
    const file = new File([docx(["Grüße aus Zürich", "\fSecond page", "\fThird page"])], "text.docx");
    const { download_url } = await client.convert({ file, output_format: "pdf" });
    return new Uint8Array((await resolveObjectURL(download_url)?.arrayBuffer()) ?? []);
  }

  async function textOf(pdf: string): Promise<string> {
    return (await popplerText(pdf)).toString("utf8").trim().replace(/\s+/g, " ");
  }

  /** The text in a part of a package, without markup. */
  async function textIn(path: string, part: string): Promise<string> {
    const { code, stdout } = await runTool("unzip", ["-p", path, part]);
    expect(code).toBe(0);
    return stdout
      .toString("utf8")
      .replaceAll(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim();
  }

  test.each<[string, Uint8Array, string]>([
    ["docx", docx(["Grüße & <Küsse>", "\fSecond page"]), "Grüße & <Küsse> Second page"],
    [
      "xlsx",
      xlsx([
        ["Zürich", "1"],
        ["Genève", "2"],
      ]),
      "Zürich 1 Genève 2",
    ],
    ["pptx", pptx(["First slide", "Second slide"]), "First slide Second slide"],
  ])("%s becomes a PDF with its text", async (from, bytes, expected) => {
    const { path, fileName, type } = await convert(bytes, `Übersicht 2026.${from}`, "pdf");
    expect([fileName, type]).toEqual(["Übersicht 2026.pdf", "application/pdf"]);
    // The order of a table's words depends on the fonts.
    const sorted = (words: string) => words.split(" ").toSorted();
    expect(sorted(await textOf(path))).toEqual(sorted(expected));
  });

  test("a PDF becomes a DOCX and a PPTX with its text", async () => {
    const pdf = await textPdf();
    const word = await convert(pdf, "text.pdf", "docx");
    expect(word.fileName).toBe("text.docx");
    expect(await textIn(word.path, "word/document.xml")).toContain("Grüße aus Zürich");
    const slides = await convert(pdf, "text.pdf", "pptx");
    expect(await textIn(slides.path, "ppt/slides/slide2.xml")).toContain("Second page");
  });

  test("applies pages and password to the PDF that is read or written", async () => {
    const bytes = docx(["One", "\fTwo", "\fThree"]);
    const { path } = await convert(bytes, "a.docx", "pdf", { pages: "3,1" });
    expect(await textOf(path)).toBe("Three One");
    const word = await convert(protectedPdf, "a.pdf", "docx", { pages: "2", password: "open" });
    const words = await textIn(word.path, "word/document.xml");
    expect(words).toContain("Second page");
    expect(words).not.toContain("Zürich");
    await expect(convert(protectedPdf, "a.pdf", "docx")).rejects.toMatchObject({ code: "password_required" });
    await expect(convert(protectedPdf, "a.pdf", "docx", { password: "no" })).rejects.toMatchObject({
      code: "wrong_password",
    });
    await expect(convert(bytes, "a.docx", "pdf", { pages: "4" })).rejects.toMatchObject({
      code: "invalid_page_selection",
      details: { position: 0, page_count: 3 },
    });
  });

  test("rotates the pages of a PDF or of images, and refuses to rotate a document", async () => {
    const bytes = docx(["One", "\fTwo"]);
    const { path } = await convert(bytes, "a.docx", "pdf", { pages: "2", rotate: "90:2" });
    const { stdout } = await runTool("pdfinfo", [path]);
    expect(stdout.toString()).toMatch(/^Page rot:\s+90$/m);
    const image = await convert(bytes, "a.docx", "png", { pages: "1", rotate: "-90", dpi: "36" });
    const { width, height } = await vipsDecodes(image.path, scratch.path("rotated"));
    expect(width).toBeGreaterThan(height);
    for (const [from, content] of [
      ["docx", bytes],
      ["pdf", protectedPdf],
    ] as const)
      await expect(convert(content, `a.${from}`, "docx", { rotate: "90" })).rejects.toMatchObject({
        code: "invalid_parameter",
        details: { parameter: "rotate" },
      });
  });

  test.each<[string, string, Uint8Array, string]>([
    ["odt", "docx", docx(["Grüße"]), "content.xml"],
    ["docx", "docx", docx(["Grüße"]), "word/document.xml"],
    ["ods", "xlsx", xlsx([["Grüße"]]), "content.xml"],
    ["odp", "pptx", pptx(["Grüße"]), "content.xml"],
  ])("writes %s from %s with its text", async (to, from, bytes, part) => {
    const { path, fileName } = await convert(bytes, `a.${from}`, to);
    expect(fileName).toBe(`a.${to}`);
    expect(await textIn(path, part)).toContain("Grüße");
  });

  test.each<[string, string, Uint8Array]>([
    ["doc", "docx", docx(["Grüße"])],
    ["rtf", "docx", docx(["Grüße"])],
    ["xls", "xlsx", xlsx([["Grüße"]])],
    ["ppt", "pptx", pptx(["Grüße"])],
  ])("writes %s from %s, which LibreOffice can read", async (to, from, bytes) => {
    const written = await convert(bytes, `a.${from}`, to);
    const { path } = await convert(readFileSync(written.path), written.fileName, "pdf");
    expect(await textOf(path)).toBe("Grüße");
  });

  test("returns an image for one page, an archive for several, and only the selected pages", async () => {
    const bytes = docx(["One", "\fTwo", "\fThree"]);
    // The same page of LibreOffice's PDF, drawn the same way.
    const pdf = await convert(bytes, "a.docx", "pdf", { pages: "2" });
    for (const to of ["png", "jpg", "webp"]) {
      const { path, fileName, type } = await convert(bytes, "a.docx", to, { pages: "2", dpi: "72" });
      expect([fileName, type]).toEqual([`a.${to}`, `image/${to === "jpg" ? "jpeg" : to}`]);
      const picture = await vipsDecodes(path, scratch.path("decoded"));
      const expected = await popplerDraws(pdf.path, picture.width, picture.height);
      expect([picture.width, picture.height]).toEqual([expected.width, expected.height]);
      const darkness = (values: Uint8Array) => values.reduce((sum, value) => sum + (255 - value), 0);
      expect(darkness(expected.rgb)).toBeGreaterThan(1000);
      expect(darkness(picture.rgb) / darkness(expected.rgb)).toBeCloseTo(1, 0);
    }
    const { path, fileName, type } = await convert(bytes, "a.docx", "png", { pages: "3,1", dpi: "36" });
    expect([fileName, type]).toEqual(["a.zip", "application/zip"]);
    const { stdout } = await runTool("unzip", ["-Z1", path]);
    expect(stdout.toString().trim().split("\n")).toEqual(["a-3.png", "a-1.png"]);
  });

  test.each([
    ["docx", 794, 1123, [3, 6] as const],
    ["pptx", 1058, 595, [8] as const],
  ])("converts a picture to %s by its orientation", async (to, width, height, orientations) => {
    const pixmap = scratch.path("quarters.ppm");
    const values = Array.from({ length: 60 * 40 }, (_, at) => {
      const isRight = at % 60 >= 30;
      return at >= 60 * 20 ? (isRight ? GRAY : BLUE) : isRight ? GREEN : RED;
    });
    writeFileSync(pixmap, Buffer.concat([Buffer.from("P6\n60 40\n255\n"), Buffer.from(values.flat())]));
    const png = scratch.path("a.png");
    await vips("copy", pixmap, png);
    // Stored rotated, with the orientation in EXIF.
    const pictures = [["a.png", readFileSync(png)] as [string, Uint8Array]];
    for (const orientation of orientations) {
      const turn = { 3: "d180", 6: "d270", 8: "d90" }[orientation];
      const [turned, jpg] = [scratch.path("turned.ppm"), scratch.path("turned.jpg")];
      await vips("rot", pixmap, turned, turn);
      await vips("copy", turned, `${jpg}[Q=95]`);
      pictures.push([`a${orientation}.jpg`, jpegWith(readFileSync(jpg), { exif: makeExif(orientation) })]);
    }
    for (const [name, bytes] of pictures) {
      const made = await convert(bytes, name, to);
      const pdf = await convert(readFileSync(made.path), made.fileName, "pdf");
      const { size, colors } = quartersOf(await popplerDraws(pdf.path, width, height));
      expect([name, size]).toEqual([name, [expect.closeTo(60, -1), expect.closeTo(40, -1)]]);
      for (const [index, color] of [RED, GREEN, BLUE, GRAY].entries()) {
        const distance = Math.max(
          ...color.map((value, at) => Math.abs(value - (colors[index]?.[at] ?? 1e9))),
        );
        expect([name, index, distance < 20]).toEqual([name, index, true]);
      }
    }
  });

  test("reports progress", async () => {
    const told: Progress[] = [];
    const file = new File([docx(["One"])], "a.docx");
    await client.convert({ file, output_format: "pdf" }, { onProgress: (one) => told.push(one) });
    expect([...new Set(told.map(({ phase }) => phase))]).toEqual(["queued", "uploading", "downloading"]);
  });

  test.each<[string, Uint8Array, string]>([
    ["pdf", new TextEncoder().encode("%PDF-1.7\n"), "xlsx"],
    ["docx", docx(["One"]), "xlsx"],
    ["docx", docx(["One"]), "avif"],
    ["xlsx", xlsx([["One"]]), "docx"],
  ])("returns unsupported_conversion for %s (%#) to %s", async (from, bytes, to) => {
    await expect(convert(bytes, `a.${from}`, to)).rejects.toMatchObject({
      code: "unsupported_conversion",
      details: { from, to, status: 422 },
      message: expect.stringContaining("LibreOffice does not convert"),
    });
  });

  test("returns damaged_file for a file that LibreOffice cannot read", async () => {
    const whole = docx(["One"]);
    const cut = new Uint8Array([...whole.subarray(0, 40), ...whole.subarray(90)]);
    await expect(convert(cut, "a.docx", "pdf")).rejects.toMatchObject({
      code: "damaged_file",
      details: { status: 422 },
      message: expect.not.stringContaining(service.folder),
    });
  });

  test("fetches nothing that a document refers to", async () => {
    const elsewhere = await ScriptedService.start();
    onTestFinished(() => elsewhere.close());
    elsewhere.at("/picture.png", text(200, "no picture"));
    const { path } = await convert(docx(["One"], `${elsewhere.url}/picture.png`), "a.docx", "pdf");
    expect(await textOf(path)).toBe("One");
    expect(elsewhere.requests).toEqual([]);
  });

  test("reads no file of the disk that a field of an RTF names", async () => {
    const secret = scratch.path("secret.png");
    await vips("black", secret, "200", "200");
    const field = `{\\field{\\*\\fldinst INCLUDEPICTURE "file://${secret}" \\\\d}{\\fldrslt last}}`;
    const rtf = new TextEncoder().encode(`{\\rtf1 first ${field}}`);
    const { path } = await convert(rtf, "a.rtf", "pdf");
    expect(await textOf(path)).toBe("first last");
    const { stdout } = await runTool("pdfimages", ["-list", path]);
    expect(stdout.toString().trim().split("\n")).toHaveLength(2);
  });

  test("refuses an OpenDocument file that shows a file of the disk", async () => {
    const secret = scratch.path("secret.png");
    await vips("black", secret, "200", "200");
    const content = `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
      xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink">
      <draw:image xlink:href="file://${secret}"/></office:document-content>`;
    const document = zipSync({
      mimetype: [strToU8("application/vnd.oasis.opendocument.text"), { level: 0 }],
      "content.xml": strToU8(content),
    });
    const converted = convert(document, "a.odt", "pdf");
    await expect(converted).rejects.toMatchObject({ code: "unsupported_input" });
  });
});

/** The content of a white page: its size and the colors in the middle of its quarters. */
function quartersOf({ width, rgb }: NativePicture) {
  const isSeen = (at: number) => rgb.subarray(3 * at, 3 * at + 3).some((value) => value < 180);
  const seen = Array.from({ length: rgb.length / 3 }, (_, at) => at).filter(isSeen);
  const columns = seen.map((at) => at % width);
  const rows = seen.map((at) => Math.floor(at / width));
  const [left, right] = [Math.min(...columns), Math.max(...columns)];
  const [top, bottom] = [Math.min(...rows), Math.max(...rows)];
  const at = (across: number, down: number) => {
    const pixel =
      Math.round(top + (bottom - top) * down) * width + Math.round(left + (right - left) * across);
    return [...rgb.subarray(3 * pixel, 3 * pixel + 3)];
  };
  return {
    size: [right - left + 1, bottom - top + 1],
    colors: [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)],
  };
}
