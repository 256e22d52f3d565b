import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { writeCompressed } from "../../workers/compress/write-compressed.ts";
import { compressBytes, qpdfStreams } from "../support/compressed-pdf.ts";
import { protectBytes } from "../support/engine.ts";
import { flateImage, PHOTO, samplesOf } from "../support/fixtures/drawn-images.ts";
import { drawnPdf, FIRST_OWN, QUARTERS } from "../support/fixtures/drawn-pdf.ts";
import { makeFeaturedPdf } from "../support/fixtures/featured-pdf.ts";
import type { PlainObject } from "../support/fixtures/pdf-objects.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { popplerText, qpdfCanonical, qpdfCheck, qpdfIsEncrypted } from "../support/oracles.ts";
import { onDisk, refusalOf } from "../support/pdf-files.ts";

vi.mock("../../workers/wasm/wasm-module.ts", () => import("../support/wasm-from-disk.ts"));
vi.mock("../../workers/compress/write-compressed.ts", { spy: true });

const SUITE = "compressed PDFs";
const missing = announceMissing(SUITE, ["qpdf", "pdftotext"]);

const A = FIRST_OWN;
const B = FIRST_OWN + 1;

/** A page with a photograph at 600 dpi, without loss. */
function photoPdf(): Uint8Array<ArrayBuffer> {
  const page = { content: "72 0 0 48 10 5 cm /A Do", resources: `/XObject<</A ${A} 0 R>>` };
  return drawnPdf([page], { objects: [flateImage(A, {}, samplesOf(600, 400, 3, PHOTO))] });
}

const LONG_TEXT = "0 0 m 10 10 l S ".repeat(200);
const hex = (text: string) => `${Buffer.from(text, "latin1").toString("hex")}>`;
const form = (num: number, entries: string, stream: string): PlainObject => ({
  num,
  body: `<</Type/XObject/Subtype/Form/BBox[0 0 100 60]${entries}>>`,
  stream,
});

describe.skipIf(missing.length > 0)(SUITE, () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());
  beforeEach(() => void vi.mocked(writeCompressed).mockClear());

  /** Writes a PDF, and what it becomes. Checks it. */
  async function compressed(input: Uint8Array<ArrayBuffer>): Promise<{ before: string; after: string }> {
    const output = await compressBytes(input);
    const [before, after] = [onDisk(scratch, input), onDisk(scratch, output)];
    expect(output.length).toBeLessThanOrEqual(input.length);
    expect(await qpdfCheck(after)).toMatchObject({ verdict: "ok" });
    expect(await popplerText(after)).toEqual(await popplerText(before));
    return { before, after };
  }

  test("keep every object: outline, links, form, tags, labels, layers, attachments", async () => {
    const { before, after } = await compressed(makeFeaturedPdf());
    // In any order, and with any numbers.
    const objects = async (path: string) => {
      const text = (await qpdfCanonical(path)).split("\nxref\n")[0] ?? "";
      return text
        .replaceAll(/\b\d+ 0 (?=R|obj)/g, "")
        .split("endobj")
        .slice(1)
        .sort();
    };
    const [kept, given] = [await objects(after), await objects(before)];
    // With object streams, the Info dictionary is an object of its own.
    expect(kept.filter((object) => !given.includes(object))).toEqual([expect.stringContaining("/Author")]);
    expect(kept).toEqual(expect.arrayContaining(given));
  });

  test("have no thumbnails and no private data", async () => {
    const data = `/PieceInfo<</App<</Private ${B} 0 R>>>>`;
    const page = {
      content: "/A Do",
      resources: `/XObject<</A ${A} 0 R>>`,
      entries: `/Thumb ${B} 0 R${data}`,
    };
    const secret = { num: B, body: "<</Kind/Secret>>", stream: "secret ".repeat(100) };
    const { after } = await compressed(
      drawnPdf([page], { objects: [form(A, data, LONG_TEXT), secret], catalog: data }),
    );
    expect(await qpdfCanonical(after)).not.toMatch(/PieceInfo|Thumb|secret/);
  });

  test.each([
    ["1", false],
    ["2", true],
  ])("that claim PDF/A-%s have object streams: %s", async (part, isPacked) => {
    const xmp = `<x:xmpmeta><pdfaid:part>${part}</pdfaid:part></x:xmpmeta>`;
    const metadata = { num: B, body: "<</Type/Metadata/Subtype/XML>>", stream: xmp };
    const input = drawnPdf([{ content: LONG_TEXT }], { objects: [metadata], catalog: `/Metadata ${B} 0 R` });
    const output = await compressBytes(input);
    expect(Buffer.from(output).includes("/ObjStm")).toBe(isPacked);
    // Metadata stays readable for other programs.
    expect(Buffer.from(output).includes(xmp)).toBe(true);
  });

  test("have deflated streams, and equal ones once", async () => {
    const page = (name: string) => ({
      content: `/${name} Do`,
      resources: `/XObject<</A ${A} 0 R/B ${B} 0 R/C ${B + 1} 0 R>>`,
    });
    const coded = `/Filter/ASCIIHexDecode`;
    const { after } = await compressed(
      drawnPdf([page("A"), page("B"), page("C")], {
        objects: [form(A, coded, hex(LONG_TEXT)), form(B, coded, hex(LONG_TEXT)), form(B + 1, "", LONG_TEXT)],
      }),
    );
    const forms = (await qpdfStreams(after)).filter((dict) => dict["/Subtype"] === "/Form");
    expect(forms.map((dict) => dict["/Filter"])).toEqual(["/FlateDecode", "/FlateDecode"]);
  });

  test("are the input itself if they would not become smaller", async () => {
    const small = await compressBytes(photoPdf());
    expect(await compressBytes(small)).toEqual(small);
  });

  test("are not locked any more", async () => {
    for (const plain of [photoPdf(), drawnPdf([{ content: QUARTERS }])]) {
      const locked = new Uint8Array(await protectBytes(plain, { password: "key" }));
      const output = await compressBytes(locked, { password: "key" });
      const path = onDisk(scratch, output);
      expect(output.length).toBeLessThanOrEqual(locked.length);
      expect(await qpdfIsEncrypted(path)).toBe(false);
      expect(await qpdfCheck(path)).toMatchObject({ verdict: "ok", pageCount: 1 });
    }
  });

  test("need the password of a locked one", async () => {
    const locked = new Uint8Array(await protectBytes(photoPdf(), { password: "key" }));
    expect(await refusalOf(compressBytes(locked))).toMatchObject({ code: "password_required" });
    const wrong = await refusalOf(compressBytes(locked, { password: "other" }));
    expect(wrong).toMatchObject({ code: "wrong_password" });
  });

  test("have at most max_bytes, after at most four attempts", async () => {
    const input = photoPdf();
    const { length: usual } = await compressBytes(input, { dpi: 600, quality: 0.9 });
    const { length: least } = await compressBytes(input, { dpi: 72, quality: 0.4 });
    for (const share of [0.1, 0.5, 0.9]) {
      vi.mocked(writeCompressed).mockClear();
      const maxBytes = Math.round(least + share * (usual - least));
      const { length } = await compressBytes(input, { dpi: 600, quality: 0.9, maxBytes });
      expect(length).toBeLessThanOrEqual(maxBytes);
      expect(length).toBeGreaterThan(0.5 * maxBytes);
      expect(vi.mocked(writeCompressed).mock.calls.length).toBeLessThanOrEqual(4);
    }
  });

  test("that cannot be so small are refused, with their smallest size", async () => {
    const { length: smallest } = await compressBytes(photoPdf(), { dpi: 72, quality: 0.4 });
    expect(await refusalOf(compressBytes(photoPdf(), { maxBytes: smallest - 1 }))).toMatchObject({
      code: "invalid_parameter",
      message: expect.stringContaining(`its smallest size is ${smallest}`),
      details: { parameter: "max_bytes", smallest },
    });
  });
});
