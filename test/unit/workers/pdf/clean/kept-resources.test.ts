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
