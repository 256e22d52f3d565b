import { describe, expect, it } from "vitest";
import { catalogOf, type PlainObject, pageOf, pdfOf } from "../../../../../support/fixtures/pdf-objects.ts";
import { splitTexts } from "../../../../../support/made-texts.ts";

/** The pages split off one by one, each as the text of its file. */
const pagesOf = (objects: readonly PlainObject[]) => splitTexts(pdfOf(objects), "all");

const element = (num: number, entries: string): PlainObject => ({
  num,
  body: `<</Type/StructElem${entries}>>`,
});
const tagged = (root: string): PlainObject[] => [
  ...catalogOf("3 0 R 4 0 R", "/StructTreeRoot 5 0 R"),
  { num: 5, body: `<</Type/StructTreeRoot${root}>>` },
];

describe("the structure tree of an extracted page", () => {
  it("has content and annotations that the parent tree lacks", async () => {
    const [first, second] = await pagesOf([
      ...tagged("/K 6 0 R"),
      pageOf(3, "/Annots[11 0 R]"),
      pageOf(4),
      element(6, "/S/Document/K[7 0 R 8 0 R 9 0 R]"),
      element(7, "/S/ContentOfFirst/Pg 3 0 R/K 0"),
      element(8, "/S/ContentOfSecond/Pg 4 0 R/K[<</Type/MCR/MCID 0>>]"),
      element(9, "/S/NoteOnFirst/K<</Type/OBJR/Obj 11 0 R>>"),
      { num: 11, body: "<</Type/Annot/Subtype/Text/Rect[0 0 9 9]>>" },
    ]);
    const roles = (text = "") => [...text.matchAll(/\/S \/(\w+)/g)].map(([, role]) => role).sort();
    expect(roles(first)).toEqual(["ContentOfFirst", "Document", "NoteOnFirst"]);
    expect(roles(second)).toEqual(["ContentOfSecond", "Document"]);
  });

  it("puts elements under the one that lists them, whatever their P says", async () => {
    const [first = ""] = await pagesOf([
      ...tagged("/K 6 0 R/ParentTree<</Nums[0[8 0 R]]>>"),
      pageOf(3, "/StructParents 0"),
      pageOf(4),
      element(6, "/S/Document/P 5 0 R/K 7 0 R"),
      element(7, "/S/Section/P 6 0 R/K 8 0 R"),
      element(8, "/S/Paragraph/Pg 3 0 R/K 0"),
    ]);
    const [, section] = /(\d+) 0 obj\n<<[^\n]*\/S \/Section/.exec(first) ?? [];
    expect(section).toBeDefined();
    expect(first).toMatch(new RegExp(`/S /Paragraph[^\\n]*/P ${section} 0 R`));
  });

  it("drops the replacement text of an element that lacks content, and keeps that of a whole one", async () => {
    const [first, second] = await pagesOf([
      ...tagged("/K[6 0 R 8 0 R]/ParentTree<</Nums[0[7 0 R 8 0 R]1[7 0 R]]>>"),
      pageOf(3, "/StructParents 0"),
      pageOf(4, "/StructParents 1"),
      element(6, "/S/Section/P 5 0 R/K[7 0 R]/ActualText(of both pages)"),
      element(7, "/S/Paragraph/P 6 0 R/K[<</Type/MCR/Pg 3 0 R/MCID 0>><</Type/MCR/Pg 4 0 R/MCID 0>>]"),
      // An element without content stands in no one's way.
      element(8, "/S/Figure/P 5 0 R/Pg 3 0 R/K[1 9 0 R]/Alt(of the first page)"),
      element(9, "/S/Caption/P 8 0 R"),
    ]);
    expect(first).not.toContain("of both pages");
    expect(second).not.toContain("of both pages");
    expect(first).toContain("of the first page");
    expect(second).not.toContain("of the first page");
  });

  it("has the empty cells of its page only", async () => {
    const cell = (num: number, row: number, entries = "") =>
      element(num, `/S/TD/P ${row} 0 R/T(cell ${num})${entries}`);
    const [first = "", second = ""] = await pagesOf([
      ...tagged("/K 6 0 R"),
      pageOf(3),
      pageOf(4),
      element(6, "/S/Table/P 5 0 R/K[7 0 R 8 0 R 9 0 R]"),
      element(7, "/S/TR/P 6 0 R/K[10 0 R 11 0 R 12 0 R]"),
      cell(10, 7),
      cell(11, 7, "/Pg 3 0 R/K 0"),
      cell(12, 7),
      // A row without content, between the rows of two pages.
      element(8, "/S/TR/P 6 0 R/K[13 0 R]"),
      cell(13, 8),
      element(9, "/S/TR/P 6 0 R/K[14 0 R 15 0 R 16 0 R]"),
      cell(14, 9, "/Pg 4 0 R/K 0"),
      cell(15, 9),
      cell(16, 9, "/Pg 3 0 R"),
    ]);
    const cells = (text: string) => [...text.matchAll(/cell (\d+)/g)].map(([, num]) => Number(num)).sort();
    expect(cells(first)).toEqual([10, 11, 12]);
    expect(cells(second)).toEqual([14, 15]);
  });

  it("has the attribute classes in use, without fonts of other pages", async () => {
    const [first = ""] = await pagesOf([
      ...tagged("/K[6 0 R 7 0 R]/ClassMap<</Mine 10 0 R/Other<</O/Layout>>>>"),
      pageOf(3),
      pageOf(4, "/Resources<</Font<</F 11 0 R>>>>"),
      element(6, "/S/P/P 5 0 R/Pg 3 0 R/K 0/C[/Mine 0]"),
      element(7, "/S/P/P 5 0 R/Pg 4 0 R/K 0/C/Other"),
      { num: 10, body: "<</O/Style/size 9/font-family 11 0 R>>" },
      { num: 11, body: "<</Type/Font/Subtype/Type1/BaseFont/OfTheSecondPage>>" },
    ]);
    expect(first).toContain("/ClassMap <</Mine ");
    expect(first).toContain("<</O /Style/size 9>>");
    expect(first).not.toContain("OfTheSecondPage");
    expect(first).not.toContain("/Other");
  });

  it("reads lists that double at every level once", async () => {
    const [first] = await pagesOf([
      ...tagged("/K 6 0 R"),
      pageOf(3),
      pageOf(4),
      element(6, "/S/Document/K 7 0 R"),
      { num: 7, body: "[<</S/P/K 7 0 R>><</S/P/K 7 0 R>>8 0 R]" },
      element(8, "/S/Spare"),
    ]);
    expect(first).toContain("/Type /Page");
  });
});
