import { deflateSync } from "node:zlib";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { writeCompressed } from "../../workers/compress/write-compressed.ts";
import { ENCODERS } from "../fuzz/pdf/encoders.ts";
import { compressBytes, qpdfStreams } from "../support/compressed-pdf.ts";
import { protectBytes } from "../support/engine.ts";
import { flateImage, PHOTO, samplesOf } from "../support/fixtures/drawn-images.ts";
import { type DrawnPage, drawnPdf, FIRST_OWN, QUARTERS } from "../support/fixtures/drawn-pdf.ts";
import { makeFeaturedPdf } from "../support/fixtures/featured-pdf.ts";
import { type PlainObject, pdfOf } from "../support/fixtures/pdf-objects.ts";
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

  test.each([
    [1, true],
    [6, false],
  ])("have content that was deflated with level %i deflated again: %s", async (level, isAgain) => {
    const lines = Array.from({ length: 4000 }, (_, at) => `${(at * at) % 97} ${(at * 7) % 31} l\n`);
    const data = deflateSync(lines.join(""), { level });
    const page = { content: "/A Do", resources: `/XObject<</A ${A} 0 R>>` };
    const { after } = await compressed(
      drawnPdf([page], { objects: [form(A, "/Filter/FlateDecode", data.toString("latin1"))] }),
    );
    const made = (await qpdfStreams(after)).find((dict) => dict["/Subtype"] === "/Form");
    expect(Number(made?.["/Length"]) < data.length).toBe(isAgain);
  });

  test("have metadata without padding", async () => {
    const packet = (padding: string) =>
      `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta> </x:xmpmeta>${padding}<?xpacket end="w"?>`;
    const metadata = { num: B, body: "<</Type/Metadata/Subtype/XML>>", stream: packet(" \n".repeat(1000)) };
    const output = await compressBytes(
      drawnPdf([{ content: LONG_TEXT }], { objects: [metadata], catalog: `/Metadata ${B} 0 R` }),
    );
    expect(Buffer.from(output).includes(Buffer.from(packet("\n"), "latin1"))).toBe(true);
  });

  test.each([
    ["PDF/X-1a:2003", false],
    ["PDF/X-4", true],
  ])("that claim %s have object streams: %s", async (claim, isPacked) => {
    const objects = [
      { num: 1, body: "<</Type/Catalog/Pages 2 0 R>>" },
      { num: 2, body: "<</Type/Pages/Count 1/Kids[3 0 R]>>" },
      { num: 3, body: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>" },
      { num: 4, body: "<<>>", stream: LONG_TEXT },
    ];
    const output = await compressBytes(pdfOf(objects, `/Root 1 0 R/Info<</GTS_PDFXVersion(${claim})>>`));
    expect(Buffer.from(output).includes("/ObjStm")).toBe(isPacked);
    expect((await qpdfCheck(onDisk(scratch, output))).verdict).toBe("ok");
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

  test.each(["LZWDecode", "RunLengthDecode", "FlateDecode"])(
    "keep streams of %s that are cut off",
    async (name) => {
      // Without equal neighbors, each run length stands for one byte.
      const plain = Uint8Array.from({ length: 3000 }, (_, at) => (at * at * 7 + at) % 251);
      const whole = ENCODERS[name]?.(plain) ?? plain;
      const filtersAfter = async (data: Uint8Array) => {
        const coded = form(A, `/Filter[/ASCIIHexDecode/${name}]`, `${Buffer.from(data).toString("hex")}>`);
        const page = { content: "/A Do", resources: `/XObject<</A ${A} 0 R>>` };
        const output = await compressBytes(drawnPdf([page], { objects: [coded] }));
        return (await qpdfStreams(onDisk(scratch, output))).find((dict) => dict["/Subtype"] === "/Form")?.[
          "/Filter"
        ];
      };
      expect(await filtersAfter(whole)).toBe("/FlateDecode");
      expect(await filtersAfter(whole.subarray(0, -10))).toEqual(["/ASCIIHexDecode", `/${name}`]);
    },
  );

  test.each([
    ["/Subtype/FreeText/DA(/F 9 Tf)", true],
    ["/Subtype/Square", false],
  ])("have the fonts of a page with an annotation %s: %s", async (annotation, isKept) => {
    const page = {
      content: LONG_TEXT,
      resources: `/Font<</F ${A} 0 R>>`,
      entries: `/Annots[<</Type/Annot${annotation}/Rect[0 0 9 9]>>]`,
    };
    const font = { num: A, body: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>" };
    const { after } = await compressed(drawnPdf([page], { objects: [font] }));
    expect((await qpdfCanonical(after)).includes("/Helvetica")).toBe(isKept);
  });

  const named = (num: number, name: string, entries = "", content = LONG_TEXT) =>
    form(num, `/Named(${name})${entries}`, content);
  const [ALL, C, D] = [B + 10, B + 1, B + 2] as const;
  /** A Type 3 font whose glyph `a` draws the form `A`. */
  const type3 = (num: number, glyph: number, entries = ""): PlainObject[] => [
    {
      num,
      body: `<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[1]/Encoding<</Differences[97/a]>>/CharProcs<</a ${glyph} 0 R>>${entries}>>`,
    },
    { num: glyph, body: "<<>>", stream: `1 0 d0 /A Do ${LONG_TEXT}` },
  ];
  const LISTS = `/A ${A} 0 R/B ${B} 0 R`;
  /** A page whose annotation the form `C` draws. */
  const STAMPED: DrawnPage = {
    content: LONG_TEXT,
    resources: `/XObject<<${LISTS}>>`,
    entries: `/Annots[<</Type/Annot/Subtype/Stamp/Rect[0 0 9 9]/AP<</N ${C} 0 R>>>>]`,
  };

  test.each<[string, string[], DrawnPage[], PlainObject[], string?]>([
    [
      "are left out where no page draws them",
      ["a"],
      [{ content: "/A Do", resources: `/XObject<<${LISTS}>>` }],
      [],
    ],
    [
      "are left out of dictionaries that pages share",
      ["a", "b"],
      ["/A Do", "/B Do"].map((content) => ({ content, resources: `/XObject ${ALL} 0 R` })),
      [named(C, "c"), { num: ALL, body: `<<${LISTS}/C ${C} 0 R>>` }],
    ],
    [
      "stay where a form lists them",
      ["a", "b", "c"],
      [{ content: "/C Do", resources: `/XObject<<${LISTS}/C ${C} 0 R>>` }],
      [named(C, "c", `/Resources<</XObject<<${LISTS}>>>>`)],
    ],
    [
      "stay where a form without resources draws them",
      ["a", "c"],
      [{ content: "/C Do", resources: `/XObject<<${LISTS}/C ${C} 0 R>>` }],
      [named(C, "c", "", `/A Do ${LONG_TEXT}`)],
    ],
    [
      "stay where a soft mask draws them",
      ["a"],
      [
        {
          content: "/G gs",
          resources: `/ExtGState<</G<</SMask<</S/Alpha/G ${A} 0 R>>>>>>/XObject<<${LISTS}>>`,
        },
      ],
      [],
    ],
    [
      "stay where an appearance without resources draws them",
      ["a", "c"],
      [STAMPED],
      [named(C, "c", "", `/A Do ${LONG_TEXT}`)],
    ],
    [
      "stay where an appearance draws them whose own resources lack them",
      ["a", "c"],
      [STAMPED],
      [named(C, "c", "/Resources<</ProcSet[/PDF]>>", `/A Do ${LONG_TEXT}`)],
    ],
    [
      "stay where a form without resources draws them that an appearance draws",
      ["a", "c", "d"],
      [STAMPED],
      [
        named(C, "c", `/Resources<</XObject<</B ${D} 0 R>>>>`, `/B Do ${LONG_TEXT}`),
        named(D, "d", "", `/A Do ${LONG_TEXT}`),
      ],
    ],
    [
      "stay where glyphs draw them whose font lacks them",
      ["a"],
      [
        {
          content: `BT /T 9 Tf (a) Tj ET ${LONG_TEXT}`,
          resources: `/Font<</T ${C} 0 R>>/XObject<<${LISTS}>>`,
        },
      ],
      type3(C, D, "/Resources<</ProcSet[/PDF]>>"),
    ],
    [
      "stay where glyphs draw them whose font a graphics state selects",
      ["a"],
      [
        {
          content: `BT /G gs (a) Tj ET ${LONG_TEXT}`,
          resources: `/ExtGState<</G<</Font[${C} 0 R 9]>>>>/XObject<<${LISTS}>>`,
        },
      ],
      type3(C, D),
    ],
    [
      "stay where the form of the document lists them",
      ["a", "b"],
      [{ content: "/A Do", resources: `/XObject ${ALL} 0 R` }],
      [{ num: ALL, body: `<<${LISTS}>>` }],
      `/AcroForm<</Fields[]/DR<</XObject ${ALL} 0 R>>>>`,
    ],
    ...["Templates", "AP"].map((key): [string, string[], DrawnPage[], PlainObject[], string] => [
      `stay in a document with ${key} by name`,
      ["a", "b"],
      [{ content: "/A Do", resources: `/XObject<<${LISTS}>>` }],
      [],
      `/Names<</${key}<</Names[]>>>>`,
    ]),
    [
      "stay where an inline image hides what is drawn",
      ["a", "b"],
      [{ content: "BI/W 1/H 1/BPC 8/CS/G ID /B EI /A Do", resources: `/XObject<<${LISTS}/D ${D} 0 R>>` }],
      [named(D, "d")],
    ],
  ])("have resources that %s", async (_, names, pages, objects, catalog = "") => {
    const { after } = await compressed(
      drawnPdf(pages, {
        objects: [named(A, "a"), named(B, "b", "/Group<</S/Transparency>>"), ...objects],
        catalog,
      }),
    );
    const kept = (await qpdfStreams(after))
      .map((dict) => dict["/Named"])
      .filter((name) => name !== undefined);
    expect(kept.sort()).toEqual(names.map((name) => `u:${name}`));
  });

  test.each(["99 0 R", "null"])(
    "keep what a page draws that inherits, its Resources being %s",
    async (own) => {
      const { after } = await compressed(
        pdfOf([
          { num: 1, body: "<</Type/Catalog/Pages 2 0 R>>" },
          { num: 2, body: "<</Type/Pages/Count 1/Kids[3 0 R]/Resources 5 0 R>>" },
          { num: 3, body: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources ${own}>>` },
          { num: 4, body: "<<>>", stream: `/A Do ${LONG_TEXT}` },
          { num: 5, body: `<</XObject<<${LISTS}>>>>` },
          named(A, "a"),
          named(B, "b"),
        ]),
      );
      const kept = (await qpdfStreams(after)).flatMap((dict) => dict["/Named"] ?? []);
      expect(kept).toEqual(["u:a"]);
    },
  );

  test("keep all resources of a page whose content has a filter that is not known", async () => {
    const output = await compressBytes(
      pdfOf([
        { num: 1, body: "<</Type/Catalog/Pages 2 0 R>>" },
        { num: 2, body: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 9 9]>>" },
        { num: 3, body: "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources 5 0 R>>" },
        { num: 4, body: "<</Filter[/FlateDecode/Other]>>", stream: deflateSync("/A Do").toString("latin1") },
        { num: 5, body: `<</XObject<<${LISTS}>>>>` },
        named(A, "a"),
        named(B, "b"),
      ]),
    );
    const kept = (await qpdfStreams(onDisk(scratch, output))).flatMap((dict) => dict["/Named"] ?? []);
    expect(kept.sort()).toEqual(["u:a", "u:b"]);
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
