import { describe, expect, test } from "vitest";
import { cleanBytes } from "../../../../support/engine.ts";
import { catalogOf, type PlainObject, pageOf, pdfOf } from "../../../../support/fixtures/pdf-objects.ts";
import { refusal } from "../../../../support/refusal.ts";

const LAYERS = "/OCProperties<</OCGs[10 0 R]/D<</OFF[10 0 R]>>>>";
const FORM = "<</Type/XObject/Subtype/Form/BBox[0 0 9 9]";

/** Two pages with a font. Nothing is wrong with the first one. */
function twoPages(second: string, objects: readonly PlainObject[], catalog = "") {
  const resources = "/Resources<</Font<</F 5 0 R>>/XObject<</X 7 0 R>>>>";
  return pdfOf([
    ...catalogOf("3 0 R 8 0 R", catalog),
    pageOf(3, `/Contents 4 0 R${resources}`),
    { num: 4, body: "<<>>", stream: "BT/F 9 Tf(a)Tj ET" },
    { num: 5, body: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>" },
    pageOf(8, `${resources}${second}`),
    { num: 10, body: "<</Type/OCG/Name(Hidden)>>" },
    ...objects,
  ]);
}

describe("content that cannot be decoded ends the call", () => {
  const page: PlainObject = { num: 6, body: "<</Filter/Unheard>>", stream: "BT/F 9 Tf(a)Tj ET" };
  const drawing: PlainObject = { num: 6, body: "<<>>", stream: "/X Do" };
  const form: PlainObject = { num: 7, body: `${FORM}/Filter/Unheard>>`, stream: "BT/F 9 Tf(a)Tj ET" };
  const own: PlainObject = {
    num: 7,
    body: `${FORM}/Resources<</Font<</F 5 0 R>>>>/Filter/Unheard>>`,
    stream: "",
  };
  const stamp = "/Annots[<</Type/Annot/Subtype/Watermark/Rect[0 0 9 9]/AP<</N 7 0 R>>>>]";

  test.each([
    ["of a page", twoPages("/Contents 6 0 R", [page])],
    ["of a page without resources", twoPages("/Resources null/Contents 6 0 R", [page])],
    ["of a page with a hidden layer", twoPages("/Contents 6 0 R", [page], LAYERS)],
    ["of a form", twoPages("/Contents 6 0 R", [drawing, form])],
    ["of a form with resources of its own", twoPages("/Contents 6 0 R", [drawing, own])],
    ["of a form with a hidden layer", twoPages("/Contents 6 0 R", [drawing, own], LAYERS)],
    ["of an appearance", twoPages(stamp, [own])],
    ["of an appearance on a page without resources", twoPages(`/Resources null${stamp}`, [own])],
  ])("%s", async (_, file) => {
    const error = refusal("damaged_file", { page: 2 }, "cannot be decoded");
    await expect(cleanBytes(file)).rejects.toThrow(error);
    await expect(cleanBytes(file, { flatten: true })).rejects.toThrow(error);
  });
});

describe("a form keeps what readers draw its fields again with", () => {
  const font = (num: number, name: string): PlainObject => ({
    num,
    body: `<</Type/Font/Subtype/TrueType/BaseFont/${name}/FontDescriptor<</Type/FontDescriptor/FontFile2 30 0 R>>>>`,
  });
  /** A field whose default appearance names the font `A`, and a parent's the font `P#20P`. */
  const file = pdfOf([
    ...catalogOf(
      "3 0 R",
      "/AcroForm<</Fields[11 0 R]/DA(/D 9 Tf)/DR<</Font<</A 21 0 R/D 22 0 R/N 29 0 R>>/XObject<</I 31 0 R>>/Unheard(FINDME)>>>>",
    ),
    pageOf(3, "/Annots[10 0 R]/Resources<</Font<</A 23 0 R/B 29 0 R>>>>"),
    { num: 10, body: "<</Subtype/Widget/Rect[0 0 99 9]/DA(/A 9 Tf)/AP<</N 12 0 R>>/Parent 11 0 R>>" },
    { num: 11, body: "<</FT/Tx/T(a)/DA(/P#20P 9 Tf)/DR<</Font<</P#20P 24 0 R/N 29 0 R>>>>/Kids[10 0 R]>>" },
    {
      num: 12,
      body: `${FORM}/Resources<</Font<</A 25 0 R/N 29 0 R>>>>>>`,
      stream: "/Tx BMC EMC",
    },
    font(21, "Default"),
    font(22, "OfForm"),
    font(23, "OfPage"),
    font(24, "OfParent"),
    font(25, "OfAppearance"),
    font(29, "FINDME"),
    { num: 30, body: "<<>>", stream: "font" },
    { num: 31, body: "<</Type/XObject/Subtype/Image>>", stream: "FINDME" },
  ]);
  const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

  test("which default appearances name, and nothing else", async () => {
    const clean = latin1(await cleanBytes(file));
    for (const name of ["Default", "OfForm", "OfPage", "OfParent", "OfAppearance"])
      expect(clean).toContain(`/BaseFont /${name}/`);
    expect(clean).not.toContain("FINDME");
  });

  test("unless it is drawn into the page", async () => {
    expect(latin1(await cleanBytes(file, { flatten: true }))).not.toContain("/BaseFont");
  });
});
