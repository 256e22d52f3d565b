import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, expect, test, vi } from "vitest";
import { jobContext } from "../../../../workers/job-context.ts";
import { readText } from "../../../../workers/render/read-text.ts";
import { drawnPdf, FIRST_OWN, QUARTERS } from "../../../support/fixtures/drawn-pdf.ts";
import { makePdf, pageText } from "../../../support/fixtures/pdf.ts";
import { pagesOf } from "../../../support/pages-of-text.ts";
import { CountingReader, ReadableBlob } from "../../../support/readable-blob.ts";
import { textOf } from "../../../support/text-of.ts";

const WASM = createRequire(import.meta.url).resolve("@embedpdf/pdfium/pdfium.wasm");
vi.mock("../../../../workers/wasm/wasm-module.ts", () => ({
  wasmModule: async () => WebAssembly.compile(await readFile(WASM)),
}));

const HELVETICA = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>";
const page = (content: string, font = HELVETICA) => ({
  content: `BT /F1 12 Tf 20 170 Td ${content} ET`,
  entries: "/MediaBox[0 0 300 200]",
  resources: `/Font<</F1${font}>>`,
});
const wordsOf = (words: readonly { readonly text: string }[] = []) => words.map(({ text }) => text);

/** The labels of an axis that is drawn in perspective: each character is placed by itself. */
const AXIS = Array.from({ length: 9 }, (_, index) => {
  const [x, y] = [20 + 26 * index, 150 - 4.5 * index];
  const characters = ["0", ".", `${index + 1}`].map(
    (text, at) => `1 0 0 1 ${x + (at === 0 ? 0 : 3.4 + 3.3 * at)} ${y} Tm (${text}) Tj`,
  );
  return characters.join(" ");
}).join(" ");
const LABELS = Array.from({ length: 9 }, (_, index) => `0.${index + 1}`);

describe("readText", () => {
  test("delivers the text of the selected pages, with their words", async () => {
    const pages = await pagesOf(makePdf({ pages: 9 }), { pages: "last,2" });
    expect(pages.map(({ page, text, unknown }) => [page, text, unknown])).toEqual([
      [9, `${pageText(9)}\n`, false],
      [2, `${pageText(2)}\n`, false],
    ]);
    expect(wordsOf(pages[0]?.words)).toEqual(pageText(9).split(" "));
  });

  test("reads no more pages than the caller takes", async () => {
    expect(await pagesOf(makePdf({ pages: 9 }), {}, 2)).toHaveLength(2);
  });

  test("has no deadline while the caller takes a page", async () => {
    const events: string[] = [];
    const context = jobContext(new ReadableBlob(makePdf({ pages: 2 })), {
      reader: new CountingReader(),
      helpers: 0,
      deadline: (deadline) => events.push(deadline ? "deadline" : "no deadline"),
      deliver: async () => events.push("page") > 0,
    });
    await readText(context, {});
    const beforePages = events.flatMap((event, index) => (event === "page" ? (events[index - 1] ?? "") : []));
    expect(beforePages).toEqual(["no deadline", "no deadline"]);
  });

  test("delivers an empty text for a page without one", async () => {
    const pages = await pagesOf(drawnPdf([{ content: QUARTERS }]));
    expect(pages).toEqual([{ page: 1, text: "", words: [], unknown: false }]);
  });

  test("has two words, with a place each, of a word that is divided at the end of a line", async () => {
    const [read] = await pagesOf(drawnPdf([page("(A di-) Tj 0 -14 Td (vided word) Tj")]));
    expect(read?.text).toBe("A divided word\n");
    expect(wordsOf(read?.words)).toEqual(["A", "di-", "vided", "word"]);
    const [, first, second] = read?.words ?? [];
    expect((second?.y ?? 0) - (first?.y ?? 0)).toBeCloseTo(14, 1);
  });

  test.each([
    ["a superscript", "(x) Tj 5 Ts /F1 7 Tf (2) Tj 0 Ts /F1 12 Tf ( + y) Tj", ["x2", "+", "y"]],
    ["characters that are placed one by one", AXIS, LABELS],
    ["double letters", "(all) Tj 1 0 0 1 31.9 170 Tm (l) Tj", ["alll"]],
    ["words that a gap divides", "(one) Tj 1 0 0 1 43 170 Tm (two) Tj", ["one", "two"]],
    ["lines", "(one) Tj 20 -14 Td (two) Tj", ["one", "two"]],
  ])("has the words of %s", async (_, content, words) => {
    const [read] = await pagesOf(drawnPdf([page(content)]));
    expect(wordsOf(read?.words)).toEqual(words);
  });

  test("has a word once that is drawn twice, as with an outline", async () => {
    const word = (x: number, y: number) =>
      [..."bone"].map((letter, index) => `1 0 0 1 ${x + 6.7 * index} ${y} Tm (${letter}) Tj`).join(" ");
    const [read] = await pagesOf(drawnPdf([page(`/F1 18 Tf ${word(18.3, 168)} /F1 12 Tf ${word(20, 170)}`)]));
    expect(wordsOf(read?.words)).toEqual(["bone"]);
  });

  const withMap = (map: string) => ({
    font: `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode ${FIRST_OWN} 0 R>>`,
    objects: [{ num: FIRST_OWN, body: "<<>>", stream: `1 beginbfchar <63> <${map}> endbfchar` }],
  });

  test("has both letters of a ligature", async () => {
    const { font, objects } = withMap("00660066");
    const [read] = await pagesOf(drawnPdf([page("(dicerent) Tj", font)], { objects }));
    expect(read).toMatchObject({ text: "different\n", unknown: false });
  });

  test("does not know a letter whose font says that it is a control character", async () => {
    const { font, objects } = withMap("000d");
    const [read] = await pagesOf(drawnPdf([page("(cat) Tj", font)], { objects }));
    expect(read).toMatchObject({ text: "\ufffdat\n", unknown: true });
  });

  const glyph = { body: "<<>>", stream: "800 0 0 0 800 800 d1 0 0 700 700 re f" };
  const type3 = (codes: string) =>
    `<</Type/Font/Subtype/Type3/FontBBox[0 0 800 800]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 65/LastChar 66/Widths[800 800]` +
    `/Encoding<</Differences[${codes}]>>/CharProcs<</g1 ${FIRST_OWN} 0 R/g2 ${FIRST_OWN} 0 R>>>>`;
  const absent =
    "<</Type/Font/Subtype/Type0/BaseFont/Arial/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2" +
    "/BaseFont/Arial/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 600>>]>>";

  test.each([
    ["takes visible codes of a Type 3 font for ASCII", page("(AB A) Tj", type3("65/g1/g2")), "AB A"],
    ["knows no other codes of a Type 3 font", page("<0190> Tj", type3("1/g1 144/g2")), "\ufffd\ufffd"],
    ["takes visible codes of an absent font for ASCII", page("<004100420020> Tj", absent), "AB"],
    ["knows no other codes of an absent font", page("<00030041> Tj", absent), "\ufffdA"],
  ])("%s, and says that their meaning is unknown", async (_, drawn, text) => {
    const bytes = drawnPdf([page("(known) Tj"), drawn], { objects: [{ num: FIRST_OWN, ...glyph }] });
    const [known, read] = await pagesOf(bytes);
    expect(known).toMatchObject({ text: "known\n", unknown: false });
    expect(read).toMatchObject({ text: `${text}\n`, unknown: true });
    expect(wordsOf(read?.words).join(" ")).toBe(text);
    expect(await textOf(bytes)).toBe(`known\n\f${text}\n`);
  });

  const MAP = FIRST_OWN + 4;
  /** A font with codes of two bytes, and a map to Unicode whose section claims a wrong number of entries. */
  const mapped = (num: number, text: string, map = num + 1) => [
    {
      num,
      body: `<</Type/Font/Subtype/Type0/BaseFont/Odd/Encoding/Identity-H/ToUnicode ${map} 0 R/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/Odd/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 600>>]>>`,
    },
    { num: map, body: "<<>>", stream: `7 beginbfchar <0141> <${text}> endbfchar` },
  ];
  const resources = `/Resources<</Font<</F2 ${MAP} 0 R>>>>`;
  const form = `<</Type/XObject/Subtype/Form/BBox[0 0 300 200]${resources}>>`;
  const shown = "BT /F2 12 Tf 20 20 Td <0141> Tj ET";

  test.each([
    ["a page", { content: shown, resources: `/Font<</F2 ${MAP} 0 R>>` }, []],
    [
      "a form",
      { content: "/X1 Do", resources: `/XObject<</X1 ${FIRST_OWN} 0 R>>` },
      [{ body: form, stream: shown }],
    ],
    [
      "an annotation",
      { content: "", entries: `/MediaBox[0 0 300 200]/Annots[${FIRST_OWN + 1} 0 R]` },
      [
        { body: form, stream: shown },
        { body: `<</Type/Annot/Subtype/Stamp/Rect[0 0 300 200]/F 4/AP<</N ${FIRST_OWN} 0 R>>>>` },
      ],
    ],
  ])("reads the map to Unicode of a font of %s that PDFium refuses", async (_, page, own) => {
    const objects = [
      ...own.map((object, index) => ({ num: FIRST_OWN + index, ...object })),
      ...mapped(MAP, "0416"),
    ];
    const [read] = await pagesOf(drawnPdf([{ entries: "/MediaBox[0 0 300 200]", ...page }], { objects }));
    expect(read).toMatchObject({ text: "\u0416\n", unknown: false });
  });

  test("knows no code of which two fonts of one name disagree", async () => {
    const objects = [...mapped(MAP, "0416"), ...mapped(MAP + 2, "0417")];
    const fonts = `/Font<</F2 ${MAP} 0 R/F3 ${MAP + 2} 0 R>>`;
    const [read] = await pagesOf(drawnPdf([{ content: shown, resources: fonts }], { objects }));
    expect(read).toMatchObject({ text: "\ufffd\n", unknown: true });
  });

  test.each([
    ["Japan1", "Identity-H", "0022034b04aa", "Aあ井"],
    ["Japan1", "90ms-RKSJ-H", "82a088c0", "あ安"],
    ["Japan1", "UniJIS-UTF16-H", "30424e9c", "あ亜"],
    ["GB1", "Identity-H", "002203e81000", "A拜炎"],
    ["GB1", "GBK-EUC-H", "c4e3bac3", "你好"],
    ["CNS1", "Identity-H", "0022025303e8", "A一汗"],
    ["CNS1", "ETen-B5-H", "a741a66e", "你好"],
    ["Korea1", "Identity-H", "0022044e04b0", "A갚굘"],
    ["Korea1", "KSCms-UHC-H", "b0a1b0a2", "가각"],
  ])(
    "knows the characters of the collection Adobe-%s in the encoding %s",
    async (ordering, encoding, codes, text) => {
      const descriptor =
        "<</Type/FontDescriptor/FontName/Some/Flags 4/Ascent 800/Descent -200/StemV 80/ItalicAngle 0/CapHeight 700/FontBBox[0 -200 1000 900]>>";
      const font =
        `<</Type/Font/Subtype/Type0/BaseFont/Some/Encoding/${encoding}/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/Some` +
        `/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 2>>/DW 1000/FontDescriptor${descriptor}>>]>>`;
      const [read] = await pagesOf(drawnPdf([page(`<${codes}> Tj`, font)]));
      expect(read).toMatchObject({ text: `${text}\n`, unknown: false });
    },
  );

  test.each([
    ["one word", "", "あ亜\n"],
    ["two words, if they are far apart", "-40 Tc ", "あ\n亜\n"],
  ])("takes characters one below the other as %s", async (_, spacing, text) => {
    const font =
      "<</Type/Font/Subtype/Type0/BaseFont/Some/Encoding/UniJIS-UTF16-V/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/Some" +
      "/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/DW 1000>>]>>";
    const [read] = await pagesOf(drawnPdf([page(`${spacing}<30424e9c> Tj`, font)]));
    expect(read?.text).toBe(text);
  });
});
