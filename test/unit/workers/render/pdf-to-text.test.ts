import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, expect, test, vi } from "vitest";
import type { Deadline } from "../../../../src/shared/protocol.ts";
import { readableText } from "../../../../workers/render/page-words.ts";
import { protectBytes } from "../../../support/engine.ts";
import { drawnPdf, FIRST_OWN, QUARTERS } from "../../../support/fixtures/drawn-pdf.ts";
import { makePdf, pageText } from "../../../support/fixtures/pdf.ts";
import type { PlainObject } from "../../../support/fixtures/pdf-objects.ts";
import { textOf } from "../../../support/text-of.ts";

const WASM = createRequire(import.meta.url).resolve("@embedpdf/pdfium/pdfium.wasm");
vi.mock("../../../../workers/wasm/wasm-module.ts", () => ({
  wasmModule: async () => WebAssembly.compile(await readFile(WASM)),
}));

const HELVETICA = "/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>>>";
const BOX = "/MediaBox[0 0 300 200]";

/** A page with lines of text. */
function written(...lines: readonly string[]) {
  const shown = lines.map((line) => `(${line}) Tj 0 -14 Td`).join(" ");
  return { content: `BT /F1 12 Tf 20 170 Td ${shown} ET`, entries: BOX, resources: HELVETICA };
}

/** A note on a page that shows a text. */
function note(num: number, text: string, entries = "/Subtype/FreeText/F 4"): PlainObject[] {
  return [
    { num, body: `<</Type/Annot/Rect[20 20 220 50]/AP<</N ${num + 1} 0 R>>${entries}>>` },
    {
      num: num + 1,
      body: `<</Type/XObject/Subtype/Form/BBox[0 0 200 30]/Resources<<${HELVETICA}>>>>`,
      stream: `BT /F1 12 Tf 5 10 Td (${text}) Tj ET`,
    },
  ];
}

describe("the text of a PDF", () => {
  test("has a form feed between pages", async () => {
    expect(await textOf(makePdf({ pages: 3 }))).toBe(
      [1, 2, 3].map((page) => `${pageText(page)}\n`).join("\f"),
    );
  });

  test("has the selected pages in their order", async () => {
    const text = await textOf(makePdf({ pages: 9 }), { pages: "last,2-3" });
    expect(text).toBe([9, 2, 3].map((page) => `${pageText(page)}\n`).join("\f"));
  });

  test("needs the password of a protected file", async () => {
    const locked = new Uint8Array(await protectBytes(makePdf({ pages: 1 }), { password: "key" }));
    await expect(textOf(locked)).rejects.toMatchObject({
      code: "password_required",
      message: "The PDF is locked. Enter its password.",
    });
    await expect(textOf(locked, { password: "no" })).rejects.toMatchObject({ code: "wrong_password" });
    expect(await textOf(locked, { password: "key" })).toBe(`${pageText(1)}\n`);
  });

  test("has nothing for an empty page", async () => {
    const pdf = drawnPdf([written("first"), { content: QUARTERS }, written("third")]);
    expect(await textOf(pdf)).toBe("first\n\f\fthird\n");
  });

  test("has the lines of the page, and joins divided words", async () => {
    const text = await textOf(
      drawnPdf([written("A first line with di-", "vided words.", "caf\\351 \\252 \\200 1")]),
    );
    expect(text).toBe("A first line with divided words.\ncafé ª € 1\n");
  });

  test("has form fields and notes, unless they are hidden", async () => {
    const [field, hidden, unseen, layered] = [FIRST_OWN, FIRST_OWN + 2, FIRST_OWN + 4, FIRST_OWN + 6];
    const layer = FIRST_OWN + 8;
    const annotations = [field, hidden, unseen, layered].map((num) => `${num} 0 R`).join(" ");
    const pdf = drawnPdf([{ ...written("Name:"), entries: `${BOX}/Annots[${annotations}]` }], {
      objects: [
        ...note(field, "Smith", "/Subtype/Widget/FT/Tx/T(name)/V(Smith)/F 4"),
        ...note(hidden, "hidden", "/Subtype/FreeText/F 2"),
        ...note(unseen, "unseen", "/Subtype/FreeText/F 32"),
        ...note(layered, "layered", `/Subtype/FreeText/F 4/OC ${layer} 0 R`),
        { num: layer, body: "<</Type/OCG/Name(off)>>" },
      ],
      catalog: `/AcroForm<</Fields[${field} 0 R]>>/OCProperties<</OCGs[${layer} 0 R]/D<</OFF[${layer} 0 R]>>>>`,
    });
    expect(await textOf(pdf)).toBe("Name:\nSmith\n");
  });

  test.each([
    ["the order of places", "1 0 0 1 20 170 Tm (HG FE DCBA) Tj"],
    ["the order of reading, as by macOS", "-14.4 Tc 1 0 0 1 200 170 Tm (ABCD EF GH) Tj"],
  ])("is in the order of reading for Hebrew that is drawn in %s", async (_, shown) => {
    const map =
      "/CIDInit/ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange<00><ff>endcodespacerange " +
      "1 beginbfrange<41><48><05d0>endbfrange endcmap end end";
    const font = `<</Type/Font/Subtype/Type1/BaseFont/Courier/ToUnicode ${FIRST_OWN} 0 R>>`;
    const page = { ...written(""), content: `BT /F1 12 Tf ${shown} ET`, resources: `/Font<</F1${font}>>` };
    const pdf = drawnPdf([page], { objects: [{ num: FIRST_OWN, body: "<<>>", stream: map }] });
    expect(await textOf(pdf)).toBe("אבגד הו זח\n");
  });

  test("is unsupported_conversion for pages with pictures only", async () => {
    const pictures = drawnPdf([{ content: QUARTERS }, { content: QUARTERS }, written("text")]);
    await expect(textOf(pictures, { pages: "1-2" })).rejects.toMatchObject({
      code: "unsupported_conversion",
      message: expect.stringMatching(/^These pages hold pictures only/),
    });
    await expect(textOf(drawnPdf([{ content: QUARTERS }]))).rejects.toMatchObject({
      code: "unsupported_conversion",
      message: expect.stringMatching(/^This PDF holds pictures only/),
      details: { from: "pdf", to: "txt" },
    });
  });

  test("reports pages, and sets one deadline for a batch of them", async () => {
    const reported: string[] = [];
    const deadlines: (Deadline | undefined)[] = [];
    await textOf(
      makePdf({ pages: 2 }),
      {},
      {
        report: (phase, done, total) => reported.push(`${phase} ${done}/${total}`),
        deadline: (deadline) => deadlines.push(deadline),
      },
    );
    expect(reported).toEqual(["working 0/2", "working 1/2"]);
    expect(deadlines.at(-1)).toBeUndefined();
    expect(deadlines.find((deadline) => deadline?.error.details.page === 1)).toMatchObject({
      error: {
        code: "input_too_large",
        message: "Page 1 of this PDF takes more than 40 seconds to read. Select the other pages.",
      },
    });
  });

  test("is input_too_large when it is too long", async () => {
    const written = textOf(makePdf({ pages: 3 }), {}, {}, 2 * pageText(1).length);
    await expect(written).rejects.toMatchObject({
      code: "input_too_large",
      details: { page: 2, limit: "output_bytes" },
    });
  });
});

describe("readable text", () => {
  test.each([
    ["one\r\ntwo", "one\ntwo\n"],
    ["di\ufffevided", "divided\n"],
    ["well\u00adknown", "well-known\n"],
    ["a\tb\nc", "a b c\n"],
    ["Copyright \rc 2009", "Copyright c 2009\n"],
    ["\u0001\u0013\u009f\ufeff\uffff", ""],
    ["one \r\n \r\n\r\n  two", "one\n  two\n"],
    ["\ud83d\ude00", "😀\n"],
    ["", ""],
  ])("of %j is %j", (raw, text) => {
    expect(readableText(raw)).toBe(text);
  });
});
