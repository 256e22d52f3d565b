import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { afterAll, describe, expect, test, vi } from "vitest";
import { drawnPdf, FIRST_OWN } from "../support/fixtures/drawn-pdf.ts";
import { streamOf } from "../support/fixtures/pdf-objects.ts";
import { largestDifference, popplerDraws } from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { mustRun, popplerText } from "../support/oracles.ts";
import { pagesOf } from "../support/pages-of-text.ts";
import { onDisk } from "../support/pdf-files.ts";

const WASM = createRequire(import.meta.url).resolve("@embedpdf/pdfium/pdfium.wasm");
vi.mock("../../workers/wasm/wasm-module.ts", () => ({
  wasmModule: async () => WebAssembly.compile(await readFile(WASM)),
}));

const missing = announceMissing("codes of embedded fonts", ["pdftoppm", "pdftotext", "mutool"]);
const font = "../../node_modules/@embedpdf/fonts-latin/fonts/NotoSans-Regular.ttf";
const file = readFileSync(new URL(font, import.meta.url)).toString("latin1");

const DESCRIPTOR = FIRST_OWN + 2;
const FONT_FILE = FIRST_OWN + 3;
const OVERLAPPING = FIRST_OWN + 5;

function objectsOf(fontFile: string) {
  const metrics = "/Ascent 900/Descent -200/StemV 80/ItalicAngle 0/CapHeight 700/FontBBox[0 -200 1000 900]";
  return [
    {
      num: DESCRIPTOR,
      body: `<</Type/FontDescriptor/FontName/NotoSans/Flags 4/FontFile2 ${FONT_FILE} 0 R${metrics}>>`,
    },
    streamOf(FONT_FILE, fontFile, `/Length1 ${fontFile.length}`),
    // The glyphs of the codes 0 to 3.
    streamOf(FONT_FILE + 1, "\0\0\0\x26\0\x27\0\x28"),
    // PDFium ends a range with the first byte of its codes.
    streamOf(
      OVERLAPPING,
      "1 begincodespacerange <0000> <ffff> endcodespacerange " +
        "2 beginbfrange <00f0> <0140> <0041> <0105> <0106> <0391> endbfrange",
    ),
  ];
}

function written(shown: string, font: string) {
  const content = `BT /F1 24 Tf 20 100 Td ${shown} Tj ET`;
  return { content, entries: "/MediaBox[0 0 300 200]", resources: `/Font<</F1 ${font}>>` };
}

/** A page with a text in the same font with a known encoding. */
function known(text: string) {
  const widths = `/FirstChar 0/LastChar 255/Widths[${"600 ".repeat(256)}]`;
  const font = `<</Type/Font/Subtype/TrueType/BaseFont/NotoSans/FontDescriptor ${DESCRIPTOR} 0 R/Encoding/WinAnsiEncoding${widths}>>`;
  return drawnPdf([written(`(${text})`, font)], { objects: objectsOf(file) });
}

/** A page in an embedded font without a map to Unicode. */
function embedded(codes: string, { type0 = "", cid = "", fontFile = file } = {}) {
  const num = FIRST_OWN;
  const info = "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>";
  const objects = [
    {
      num,
      body: `<</Type/Font/Subtype/Type0/BaseFont/NotoSans/Encoding/Identity-H/DescendantFonts[${num + 1} 0 R]${type0}>>`,
    },
    {
      num: num + 1,
      body: `<</Type/Font/Subtype/CIDFontType2/BaseFont/NotoSans${info}/FontDescriptor ${DESCRIPTOR} 0 R/DW 600${cid}>>`,
    },
    ...objectsOf(fontFile),
  ];
  return drawnPdf([written(`<${codes}>`, `${num} 0 R`)], { objects });
}

describe.skipIf(missing.length > 0)("the codes of an embedded font that PDFium does not know", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  test.each([
    ["are glyphs, of which the font knows the characters", "002600270028", "", "CDE"],
    ["are glyphs, also those of codes that are white space elsewhere", "002000270028", "", "=DE"],
    ["are translated to glyphs", "000100020003", `/CIDToGIDMap ${FONT_FILE + 1} 0 R`, "CDE"],
  ])("%s", async (_, codes, cid, text) => {
    const bytes = embedded(codes, { cid });
    const [page] = await pagesOf(bytes);
    expect(page).toMatchObject({ text: `${text}\n`, unknown: false });
    // The natives do not know these characters, but they draw them.
    const drawn = await popplerDraws(onDisk(scratch, bytes), 300, 200);
    expect(largestDifference(drawn, await popplerDraws(onDisk(scratch, known(text)), 300, 200))).toBe(0);
    const other = await popplerDraws(onDisk(scratch, known("CDF")), 300, 200);
    expect(largestDifference(drawn, other)).toBeGreaterThan(0);
  });

  test("are those of Unicode, if the font says so", async () => {
    const [page] = await pagesOf(embedded("0158004e00fd", { type0: "/ToUnicode/Identity-H" }));
    expect(page).toMatchObject({ text: "\u0158N\u00fd\n", unknown: false });
  });

  test("have the text of a wide range, also after a short one within it", async () => {
    const bytes = embedded("00f1010401060107", { type0: `/ToUnicode ${OVERLAPPING} 0 R` });
    const [page] = await pagesOf(bytes);
    const path = onDisk(scratch, bytes);
    for (const native of [
      await popplerText(path),
      await mustRun("mutool", ["draw", "-q", "-F", "txt", path]),
    ])
      expect(native.toString().replace(/\s/g, "")).toBe("BUΒX");
    expect(page).toMatchObject({ text: "BUΒX\n", unknown: false });
  });

  test("stay unknown if the font does not know them, or is damaged", async () => {
    const unknown = { text: "\ufffd\ufffd\ufffd\n", unknown: true };
    const [absent] = await pagesOf(embedded("fff0fff1fff2"));
    expect(absent).toMatchObject(unknown);
    const [damaged] = await pagesOf(embedded("002600270028", { fontFile: file.slice(0, 400) }));
    expect(damaged).toMatchObject({ unknown: true });
  });
});
