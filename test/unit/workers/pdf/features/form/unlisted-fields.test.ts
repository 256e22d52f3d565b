import { describe, expect, it } from "vitest";
import { catalogOf, type PlainObject, pageOf, pdfOf } from "../../../../../support/fixtures/pdf-objects.ts";
import { splitTexts } from "../../../../../support/made-texts.ts";

const widget = (num: number, entries: string): PlainObject => ({
  num,
  body: `<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]${entries}>>`,
});
/** A document of two pages, each with a widget. */
const formOf = (acroForm: string, ...objects: readonly PlainObject[]) =>
  pdfOf([
    ...catalogOf("3 0 R 4 0 R", acroForm),
    pageOf(3, "/Annots[11 0 R]"),
    pageOf(4, "/Annots[12 0 R]"),
    ...objects,
  ]);
const ownText = widget(11, "/FT/Tx/T(first)/V(one)");
const otherText = widget(12, "/FT/Tx/T(second)/V(two)");

describe("a field that the form does not list", () => {
  it.each([
    ["no list at all", "/AcroForm<</DA(/F 9 Tf)/Fields/none>>"],
    ["a list of others", "/AcroForm<</DA(/F 9 Tf)/Fields[12 0 R]>>"],
  ])("is a field of the page's own form: %s", async (_, acroForm) => {
    const [first] = await splitTexts(formOf(acroForm, ownText, otherText));
    expect(first).toMatch(/\/Fields ?\[\d+ 0 R\]/);
    expect(first).toContain("/DA (/F 9 Tf)");
    expect(first).toContain("(first)");
    expect(first).not.toContain("(second)");
  });

  it("is kept with its parent, without widgets on other pages", async () => {
    const [first] = await splitTexts(
      formOf(
        "/AcroForm<</Fields[]>>",
        widget(11, "/Parent 20 0 R/NM(mine)"),
        widget(12, "/Parent 20 0 R/NM(yours)"),
        { num: 20, body: "<</FT/Tx/T(shared)/Kids[11 0 R 12 0 R]>>" },
      ),
    );
    expect(first).toContain("(shared)");
    expect(first).toMatch(/\/Kids ?\[\d+ 0 R\]/);
    expect(first).toContain("(mine)");
    expect(first).not.toContain("(yours)");
  });

  it("loses its signature", async () => {
    const signature = { num: 20, body: "<</Type/Sig/Contents(SIGNED)>>" };
    for (const acroForm of ["/AcroForm<</Fields[]>>", ""]) {
      const [first] = await splitTexts(
        formOf(acroForm, widget(11, "/FT/Sig/T(first)/V 20 0 R"), otherText, signature),
      );
      expect(first).toContain("(first)");
      expect(first).not.toContain("SIGNED");
    }
  });

  it("stays an annotation when its ancestors form a circle, or without a field type", async () => {
    for (const parent of ["/Parent 20 0 R", ""]) {
      const [first] = await splitTexts(
        formOf("/AcroForm<</Fields[]>>", widget(11, `/T(first)${parent}`), otherText, {
          num: 20,
          body: "<</FT/Tx/Parent 20 0 R>>",
        }),
      );
      expect(first).toContain("(first)");
      expect(first).not.toContain("/AcroForm");
    }
  });
});

describe("a field that the form lists without its parent", () => {
  const person = { num: 20, body: "<</T(person)/Parent 21 0 R/Kids[11 0 R 12 0 R]>>" };
  const above = { num: 21, body: "<</T(form)/Kids[20 0 R]>>" };
  const own = widget(11, "/FT/Tx/T(first)/V(one)/Parent 20 0 R");
  const other = widget(12, "/FT/Tx/T(second)/V(two)/Parent 20 0 R");

  it.each([
    ["alone", "11 0 R", person],
    ["beside its sibling", "11 0 R 12 0 R", person],
    ["before the field above it", "11 0 R 21 0 R", person],
    ["behind the field above it", "21 0 R 11 0 R", person],
    [
      "where that one does not list it",
      "11 0 R",
      { num: 20, body: "<</T(person)/Parent 21 0 R/Kids[12 0 R]>>" },
    ],
  ])("brings it along without what is on other pages: %s", async (_, fields, parent) => {
    const [first] = await splitTexts(formOf(`/AcroForm<</Fields[${fields}]>>`, own, other, parent, above));
    const [, root] = /\/Fields ?\[(\d+) 0 R\]/.exec(first ?? "") ?? [];
    expect(first).toMatch(new RegExp(`\n${root} 0 obj\n<</T \\(form\\)`));
    for (const name of ["(form)", "(person)", "(first)", "(one)"]) expect(first).toContain(name);
    expect(first).not.toContain("(second)");
    expect(first).not.toContain("(two)");
  });

  it("becomes a root when its ancestors form a circle, or are a page", async () => {
    for (const parent of ["/Parent 20 0 R", "/Parent 4 0 R", "/Parent 99 0 R"]) {
      const [first] = await splitTexts(
        formOf("/AcroForm<</Fields[11 0 R]>>", widget(11, `/FT/Tx/T(first)${parent}`), other, {
          num: 20,
          body: "<</FT/Tx/Parent 11 0 R/Kids[12 0 R]>>",
        }),
      );
      expect(first).toMatch(/\/Fields ?\[\d+ 0 R\]/);
      expect(first).toContain("(first)");
      expect(first).not.toContain("(second)");
    }
  });

  it("stays a root when another field lists it by mistake", async () => {
    const wrong = widget(12, "/FT/Tx/T(second)/Kids[11 0 R]");
    const [first] = await splitTexts(
      formOf("/AcroForm<</Fields[11 0 R 12 0 R]>>", widget(11, "/FT/Tx/T(first)"), wrong),
    );
    const [, widgetNumber] = /\/Annots ?\[(\d+) 0 R/.exec(first ?? "") ?? [];
    expect(first).toMatch(new RegExp(`/Fields ?\\[${widgetNumber} 0 R`));
  });
});
