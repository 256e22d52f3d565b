import { describe, expect, it } from "vitest";
import { mergeBytes } from "../../../../../support/engine.ts";
import { fieldOf, formOf } from "../../../../../support/fixtures/form-pdf.ts";
import { objectTexts, textOf } from "../../../../../support/made-texts.ts";

const unflagged = formOf({ fields: [fieldOf("other", "/FT/Tx")] });

/** Merges a form that has readers draw these fields with one that does not. */
async function merged(...fields: readonly string[]) {
  const flagged = formOf({
    fields: fields.map((field, index) => fieldOf(`field${index}`, field)),
    entries: "/NeedAppearances true",
  });
  const bytes = await mergeBytes([{ bytes: flagged }, { bytes: unflagged }]);
  const objects = [...objectTexts(bytes).values()];
  return {
    catalog: objects.find((object) => object.includes("/Type /Catalog")) ?? "",
    widgets: objects.filter((object) => object.includes("/T (field")),
    texts: [...textOf(bytes).matchAll(/<([0-9a-f]*)> Tj/g)].map(([, hex = ""]) =>
      Buffer.from(hex, "hex").toString("latin1"),
    ),
    content: textOf(bytes),
  };
}

describe("a form that has readers draw its fields", () => {
  it("shows the value of a field without an appearance after a merge, and does not ask readers", async () => {
    const { catalog, widgets, texts } = await merged("/FT/Tx/V(Ada)");
    expect(catalog).not.toContain("/NeedAppearances");
    expect(widgets).toEqual([expect.stringMatching(/\/AP <<\/N \d+ 0 R>>/)]);
    expect(texts).toEqual(["Ada"]);
  });

  it("shows what a choice shows for its value, and breaks lines of multiline text", async () => {
    const { texts } = await merged(
      "/FT/Ch/Ff 131072/V(b)/Opt[[(a)(Alpha)][(b)(Beta)]]",
      "/FT/Tx/Ff 4096/V(words that do not fit into a line\\rnext)",
      "/FT/Tx/V(one\\nline)",
    );
    expect(texts).toEqual(["Beta", "words that do not ", "fit into a line", "next", "one line"]);
  });

  it.each([
    ["left", "", "2 "],
    ["in the middle", "/Q 1", "41.996 "],
    ["right", "/Q 2", "81.992 "],
    ["beside its border", "/MK<</BC[1 0 0]>>/BS<</W 3>>", "6 "],
  ])("sets text %s", async (_, entries, x) => {
    expect((await merged(`/FT/Tx/V(left)${entries}`)).content).toContain(` Tf 0 g 1 0 0 1 ${x}`);
  });

  it("draws the background and the border", async () => {
    const { content } = await merged("/FT/Tx/V(a)/MK<</BG[1 1 0]/BC[.5]>>/BS<</W 2>>");
    expect(content).toContain("q 1 1 0 rg 0 0 100 40 re f 0.5 G 2 w 1 1 98 38 re S Q /Tx BMC");
  });

  it("fills the field with text that has no size", async () => {
    const { content } = await merged(
      "/FT/Tx/V(a)/DA(/Helv 0 Tf)",
      "/FT/Tx/V(aaaaaaaaaaaaaaaaaaaaaaaa)/DA(/Helv 0 Tf)",
    );
    expect([...content.matchAll(/\/Helv ([\d.]+) Tf 1 0/g)].map(([, size]) => size)).toEqual([
      "31.304",
      "7.194",
    ]);
  });

  it.each([
    ["has an escape in the name of its font", "/He#6cv 9 Tf", "/Helv 9 Tf 1 0 0 1 "],
    ["selects two fonts", "/Other 8 Tf /Helv 9 Tf", "/Helv 9 Tf 1 0 0 1 "],
    ["has colors and spaces", "1 0 0 rg .5 Tc /Helv 9 Tf", "/Helv 9 Tf 1 0 0 rg 0.5 Tc 1 0 0 1 "],
    ["does more", "/Helv 9 Tf ET Q 2 0 0 2 0 0 cm /X Do (a) Tj 0 g", "/Helv 9 Tf 0 g 1 0 0 1 "],
    ["is damaged", "/Helv 9 Tf 1 g 1 0 rg /a g 2e99 Tc \\(q", "/Helv 9 Tf 1 g 1 0 0 1 "],
  ])("takes the style of text from a default appearance that %s", async (_, style, set) => {
    const { content, texts } = await merged(`/FT/Tx/V(a)/DA(${style})`);
    expect(texts).toEqual(["a"]);
    expect(content).toContain(`BT ${set}`);
    expect(content.split("Tf")).toHaveLength(2);
  });

  it.each([
    ["a letter that the font may not have", "/FT/Tx/V(caf\\351)"],
    ["a comb", "/FT/Tx/Ff 16777216/MaxLen 9/V(a)"],
    ["a password", "/FT/Tx/Ff 8192/V(a)"],
    ["a list", "/FT/Ch/V(a)/Opt[(a)(b)]"],
    ["a style that is too long", `/FT/Tx/V(a)/DA(/Helv 9 Tf ${"0 g ".repeat(2000)})`],
    ["an unknown font", "/FT/Tx/V(a)/DA(/Unknown 9 Tf)"],
    ["a turned field", "/FT/Tx/V(a)/MK<</R 90>>"],
  ])("leaves %s to readers, which draw fields without an appearance", async (_, field) => {
    const { catalog, widgets, texts } = await merged(`${field}/AP<</N 20 0 R>>`);
    expect(catalog).not.toContain("/NeedAppearances");
    expect(widgets).toEqual([expect.not.stringContaining("/AP")]);
    expect(texts).toEqual([]);
  });

  it.each([
    ["with text", "/FT/Tx/V(a)/AP<</N 21 0 R>>"],
    ["of a button", "/FT/Btn/V/Yes/AP<</N 20 0 R>>"],
    ["of a field without a value", "/FT/Tx/AP<</N 20 0 R>>"],
  ])("keeps an appearance %s", async (_, field) => {
    const { widgets, texts } = await merged(field);
    expect(widgets).toEqual([expect.stringMatching(/\/AP <<\/N \d+ 0 R>>/)]);
    expect(texts).toEqual([]);
  });

  it("stays one when all forms of a merge are", async () => {
    const flagged = formOf({ fields: [fieldOf("a", "/FT/Tx")], entries: "/NeedAppearances true" });
    const objects = [...objectTexts(await mergeBytes([{ bytes: flagged }, { bytes: flagged }])).values()];
    expect(objects.filter((object) => object.includes("/NeedAppearances true"))).toHaveLength(1);
  });
});
