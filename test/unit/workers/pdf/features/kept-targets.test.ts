import { describe, expect, it } from "vitest";
import { catalogOf, pageOf, pdfOf, structureOf } from "../../../../support/fixtures/pdf-objects.ts";
import { splitTexts } from "../../../../support/made-texts.ts";

describe("a page that the document lists twice", () => {
  const input = pdfOf([
    ...catalogOf(
      "3 0 R 4 0 R 3 0 R",
      "/StructTreeRoot 5 0 R/MarkInfo<</Marked true>>/Outlines 20 0 R/Names<</Dests<</Names[(name)[3 0 R/Fit]]>>>>",
    ),
    pageOf(3, "/StructParents 0/Annots[<</Subtype/Link/Rect[0 0 9 9]/Dest[3 0 R/Fit]>>]"),
    pageOf(4),
    structureOf(5, "0 [6 0 R]"),
    { num: 6, body: "<</S/P/P 5 0 R/Pg 3 0 R/K 0/ActualText(spoken)>>" },
    { num: 20, body: "<</First 21 0 R/Last 21 0 R/Count 1>>" },
    { num: 21, body: "<</Title(entry)/Parent 20 0 R/Dest[3 0 R/Fit]>>" },
  ]);

  it.each(["3", "2-3", "1", "1-3"])("keeps its tags, links, outline and names in %s", async (pages) => {
    const [text] = await splitTexts(input, pages);
    expect(text).toContain("(spoken)");
    expect(text).toContain("(entry)");
    expect(text).toMatch(/\(name\) ?\[\d+ 0 R ?\/Fit\]/);
    expect(text).toMatch(/\/Annots ?\[<<.*\/Dest ?\[\d+ 0 R ?\/Fit\]/);
  });
});

describe("named destinations with page numbers", () => {
  const input = pdfOf([
    ...catalogOf(
      "3 0 R 4 0 R 5 0 R",
      "/Names<</Dests<</Names[(array)[2/Fit](dict)<</D[2/FitB]>>(gone)[0/Fit](indirect)7 0 R]>>>>/Dests<</old[2/FitH 9]>>",
    ),
    pageOf(3, "/NM(first)"),
    pageOf(4, "/NM(second)"),
    pageOf(5, "/NM(third)"),
    { num: 7, body: "<</D 8 0 R>>" },
    { num: 8, body: "[2/FitV 9]" },
  ]);

  it.each([
    ["3", "3 0 R"],
    ["2-3", "4 0 R"],
  ])("name the page in a file of pages %s", async (pages, page) => {
    const [text] = await splitTexts(input, pages);
    expect(text).toContain(`\n${page.replace("R", "obj")}\n<</Type /Page/MediaBox [0 0 100 100]/NM (third)`);
    for (const target of [
      `(array) [${page} /Fit]`,
      `(dict) <</D [${page} /FitB]>>`,
      `(indirect) <</D [${page} /FitV 9]>>`,
      `/old [${page} /FitH 9]`,
    ]) {
      expect(text).toContain(target);
    }
    expect(text).not.toContain("(gone)");
  });
});

it("drops the print range, which has page numbers of the input", async () => {
  const preferences = "<</PrintPageRange[2 2]/Direction/R2L>>";
  for (const [entry, objects] of [
    [preferences, []],
    ["5 0 R", [{ num: 5, body: preferences }]],
  ] as const) {
    const [text] = await splitTexts(
      pdfOf([...catalogOf("3 0 R 4 0 R", `/ViewerPreferences ${entry}`), pageOf(3), pageOf(4), ...objects]),
      "2",
    );
    expect(text).toContain("/ViewerPreferences <</Direction /R2L>>");
  }
});
