import { describe, expect, it } from "vitest";
import { catalogOf, type PlainObject, pageOf, pdfOf } from "../../../../support/fixtures/pdf-objects.ts";
import { splitTexts } from "../../../../support/made-texts.ts";

/** A field on the first page, and what its default appearance says. */
const field = (appearance: string, entries = ""): PlainObject => ({
  num: 11,
  body: `<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/Rect[0 0 9 9]/DA(${appearance})/V(a)${entries}>>`,
});
const FONT_WITH_GLYPHS: Readonly<Record<string, string>> = {
  "a TrueType font": "<</Type/Font/Subtype/TrueType/BaseFont/ABCDEF+A/FontDescriptor 15 0 R>>",
  "a composite font": "<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+A/DescendantFonts[14 0 R]>>",
  "a Type 3 font": "<</Type/Font/Subtype/Type3/Encoding<</Differences[97/a]>>/CharProcs<</a 16 0 R>>>>",
};
/** Two pages; the form has Helvetica as `Helv` and a font that comes with glyphs as `F1`. */
const documentOf = (font: string, ...more: readonly PlainObject[]) =>
  pdfOf([
    ...catalogOf(
      "3 0 R 4 0 R",
      "/AcroForm<</Fields[11 0 R]/DR<</Font<</Helv 12 0 R/F1 13 0 R>>>>/DA(/Helv 9 Tf)>>",
    ),
    pageOf(3, "/Annots[11 0 R 18 0 R]"),
    pageOf(4, "/Resources<</Font<</F1 13 0 R>>>>/Contents 17 0 R"),
    { num: 12, body: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>" },
    { num: 13, body: font },
    { num: 14, body: "<</Type/Font/Subtype/CIDFontType2/BaseFont/ABCDEF+A/FontDescriptor 15 0 R>>" },
    { num: 15, body: "<</Type/FontDescriptor/FontName/ABCDEF+A/FontFile2 16 0 R>>" },
    { num: 16, body: "<<>>", stream: "GLYPHS" },
    { num: 17, body: "<<>>", stream: "BT /F1 9 Tf (a) Tj ET" },
    ...more,
  ]);

describe.each(Object.entries(FONT_WITH_GLYPHS))("%s of the form", (_, font) => {
  it("is dropped when only another page uses it", async () => {
    const [first, second] = await splitTexts(documentOf(font, field("/Helv 9 Tf")), "1,2");
    expect(first).toContain("/Helvetica");
    expect(first).not.toContain("GLYPHS");
    expect(second).toContain("GLYPHS");
  });

  it.each([
    ["the field", [field("0 g /F1 9 Tf")]],
    ["a field above it", [field("", "/Parent 20 0 R"), { num: 20, body: "<</Kids[11 0 R]/DA(/F1 9 Tf)>>" }]],
    [
      "a text on the page",
      [field("/Helv 9 Tf"), { num: 18, body: "<</Type/Annot/Subtype/FreeText/Rect[0 0 9 9]/DA(/F1 9 Tf)>>" }],
    ],
  ])("is kept when the default appearance of %s names it", async (_name, more) => {
    const [first] = await splitTexts(documentOf(font, ...more), "1,2");
    expect(first).toContain("/F1");
    expect(first).toContain("GLYPHS");
  });

  it("is dropped from the resources that LibreOffice gives each field", async () => {
    const own = "/DR<</Font<</F1 13 0 R/Helv 12 0 R>>>>";
    const [first] = await splitTexts(documentOf(font, field("/Helv 9 Tf", own)), "1,2");
    expect(first).not.toContain("GLYPHS");
    const [naming] = await splitTexts(documentOf(font, field("/F1 9 Tf", own)), "1,2");
    expect(naming).toContain("GLYPHS");
  });
});
