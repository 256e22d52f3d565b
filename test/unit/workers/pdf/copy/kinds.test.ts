import { describe, expect, it } from "vitest";
import { catalogOf, pageOf, pdfOf } from "../../../../support/fixtures/pdf-objects.ts";
import { splitTexts } from "../../../../support/made-texts.ts";

/** The first of two pages as text. Annotation 21 is on the second page, annotation 22 answers it. */
async function firstPage(entries: string, objects: Readonly<Record<number, string>> = {}): Promise<string> {
  const [text = ""] = await splitTexts(
    pdfOf([
      ...catalogOf("3 0 R 4 0 R"),
      pageOf(3, entries),
      pageOf(4, "/Annots[21 0 R]"),
      { num: 21, body: "<</Type/Annot/Subtype/Text/Rect[0 0 9 9]>>" },
      { num: 22, body: "<</Subtype/Text/Contents(mine)/IRT 21 0 R/RT/R/Rect[0 0 9 9]>>" },
      ...Object.entries(objects).map(([num, body]) => ({ num: Number(num), body })),
    ]),
  );
  return text;
}

describe("the kind of a dictionary", () => {
  it("is what the list of annotations says, when an unknown entry leads to it first", async () => {
    const text = await firstPage("/Unknown<</First 22 0 R>>/Annots[22 0 R]");
    expect(text).toContain("(mine)");
    expect(text).not.toMatch(/\/IRT|\/RT/);
  });

  it("is what its Type says, where an entry may hold anything", async () => {
    const text = await firstPage("/Unknown[9 0 R 10 0 R]", {
      9: "<</Type/Action/S/GoTo/D[4 0 R/Fit]/NM(typed)>>",
      10: "<</S/GoTo/D[4 0 R/Fit]/NM(untyped)>>",
    });
    expect(text).not.toContain("(typed)");
    expect(text).toMatch(/\/D \[null ?\/Fit\]\/NM \(untyped\)/);
  });

  it("loses private data of programs: a page, an annotation, a form", async () => {
    const data = "/PieceInfo<</Maker(SECRET)>>";
    const text = await firstPage(`${data}/Annots[<</Subtype/Stamp/Rect[0 0 9 9]${data}/AP<</N 9 0 R>>>>]`, {
      9: `<</Type/XObject/Subtype/Form/BBox[0 0 9 9]${data}/Length 0>>\nstream\n\nendstream`,
    });
    expect(text).toContain("/BBox");
    expect(text).not.toContain("SECRET");
  });

  it("has no rules when it is not known", async () => {
    const entries = "/IRT 1/Popup 2/Dest(x)/PieceInfo<<>>/Metadata 3/StructParent 4/Headers[(a)]";
    const text = await firstPage(`/Unknown<<${entries}>>`);
    for (const entry of ["/IRT 1", "/Popup 2", "/Dest (x)", "/PieceInfo <<>>", "/Metadata 3"])
      expect(text).toContain(entry);
  });
});
