import { createHash } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { mergeBytes, repairBytes, splitBytes } from "../support/engine.ts";
import { drawnPdf, FIRST_OWN, fill } from "../support/fixtures/drawn-pdf.ts";
import type { PlainObject } from "../support/fixtures/pdf-objects.ts";
import { popplerDrawsAll } from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { qpdfCanonical } from "../support/oracles.ts";
import { onDisk } from "../support/pdf-files.ts";

/** What the first of two pages has. The objects have numbers from {@link FIRST_OWN}. */
interface FirstPage {
  readonly content?: string;
  readonly entries?: string;
  readonly resources?: string;
  readonly objects: readonly PlainObject[];
}

const [FIRST_PAGE, SECOND_PAGE] = ["10 0 R", "12 0 R"];
const [A, B, C] = [0, 1, 2].map((index) => FIRST_OWN + index) as [number, number, number];
const GREEN = fill("0 .5 0", 0, 0, 40, 30);
const FORM = "/Type/XObject/Subtype/Form/BBox[0 0 40 30]";
const DRAWS_A = { content: "/A Do", resources: `/XObject<</A ${A} 0 R>>` };
const annotation = (subtype: string, entries: string) =>
  `<</Type/Annot/Subtype/${subtype}/F 4/Rect[50 20 90 50]${entries}>>`;

const form = (num: number, entries = "", stream = GREEN): PlainObject => ({
  num,
  body: `<<${FORM}${entries}>>`,
  stream,
});

/** Objects that the page reaches in two ways, or that lead to pages where no page is expected. */
const CASES: Readonly<Record<string, FirstPage>> = {
  "an annotation that is a property list": {
    content: `/Span /Note BDC ${GREEN} EMC`,
    entries: `/Annots[${B} 0 R]`,
    resources: `/Properties<</Note ${B} 0 R>>`,
    objects: [
      form(A),
      {
        num: B,
        body: annotation("Stamp", `/AP<</N ${A} 0 R>>/P ${FIRST_PAGE}/IRT ${C} 0 R/Dest[${SECOND_PAGE}/Fit]`),
      },
      { num: C, body: annotation("Text", `/P ${SECOND_PAGE}/Contents(SECRET)`) },
    ],
  },
  "an annotation that is a graphics state": {
    content: `/State gs ${GREEN}`,
    entries: `/Annots[${B} 0 R]`,
    resources: `/ExtGState<</State ${B} 0 R>>`,
    objects: [form(A), { num: B, body: annotation("Stamp", `/AP<</N ${A} 0 R>>/ca .3/P ${FIRST_PAGE}`) }],
  },
  "a field that is a property list": {
    content: `/Span /Field BDC ${GREEN} EMC`,
    entries: `/Annots[${B} 0 R]`,
    resources: `/Properties<</Field ${B} 0 R>>`,
    objects: [
      form(A),
      { num: B, body: annotation("Widget", `/FT/Tx/T(name)/Parent ${C} 0 R/AP<</N ${A} 0 R>>`) },
      { num: C, body: `<</T(group)/Kids[${B} 0 R]>>` },
    ],
  },
  "appearance states that are forms of the page": {
    content: "/Dest Do",
    entries: `/Annots[${C} 0 R]`,
    resources: `/XObject ${B} 0 R`,
    objects: [
      form(A),
      { num: B, body: `<</Dest ${A} 0 R/IRT ${A} 0 R>>` },
      { num: C, body: annotation("Widget", `/FT/Btn/T(box)/AS/IRT/AP<</N ${B} 0 R>>`) },
    ],
  },
  "a form that a pattern and an appearance draw": {
    content: "/Pattern cs /Tiles scn 0 0 100 60 re f",
    entries: `/Annots[${C} 0 R]`,
    resources: `/Pattern<</Tiles ${B} 0 R>>`,
    objects: [
      form(A),
      {
        num: B,
        body: `<</Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 40 30]/XStep 45/YStep 35/Resources<</XObject<</Metadata ${A} 0 R>>>>>>`,
        stream: "/Metadata Do",
      },
      { num: C, body: annotation("Stamp", `/AP<</N ${A} 0 R>>`) },
    ],
  },
  "an appearance that draws itself by the resources of the form": {
    content: "/Popup Do",
    entries: `/Annots[${B} 0 R]`,
    resources: `/XObject<</Popup ${A} 0 R>>`,
    objects: [
      form(A, `/Resources<</XObject<</Popup ${A} 0 R/Parent ${C} 0 R>>>>`, `${GREEN} /Parent Do`),
      { num: B, body: annotation("Stamp", `/AP<</N ${A} 0 R>>/Popup ${A} 0 R`) },
      form(C, "", fill("0 0 1", 5, 5, 10, 10)),
    ],
  },
  "a form that leads to a page": { ...DRAWS_A, objects: [form(A, `/Extra ${SECOND_PAGE}`)] },
  "a form that leads to its own page": { ...DRAWS_A, objects: [form(A, `/Extra[${FIRST_PAGE}]`)] },
  "a form that leads to the page tree": { ...DRAWS_A, objects: [form(A, "/Extra<</Deep 2 0 R>>")] },
  "a form that leads to the catalog": { ...DRAWS_A, objects: [form(A, "/Extra 1 0 R")] },
  "an image that leads to a page": {
    content: "40 0 0 30 0 0 cm /A Do",
    resources: `/XObject<</A ${A} 0 R>>`,
    objects: [
      {
        num: A,
        body: `<</Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/Extra ${SECOND_PAGE}>>`,
        stream: "a",
      },
    ],
  },
  "a graphics state that leads to a page": {
    content: `/State gs ${GREEN}`,
    resources: `/ExtGState<</State ${A} 0 R>>`,
    objects: [{ num: A, body: `<</ca .3/Extra<</Page ${SECOND_PAGE}>>>>` }],
  },
  "a resource dictionary that leads to a page": {
    content: "/A Do",
    resources: `/XObject<</A ${A} 0 R/Other ${SECOND_PAGE}>>/Properties<</Other ${SECOND_PAGE}>>`,
    objects: [form(A)],
  },
  "a resource dictionary that is an annotation": {
    content: "/Popup Do",
    entries: `/Annots[${B} 0 R]`,
    resources: `/XObject ${B} 0 R`,
    objects: [form(A), { num: B, body: annotation("Stamp", `/AP<</N ${A} 0 R>>/Popup ${A} 0 R`) }],
  },
};

const missing = announceMissing("what pages draw with shared objects", ["pdftoppm", "qpdf"]);

describe.skipIf(missing.length > 0)("a page with", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  /** A hash of each page's picture, which is short when pages differ. */
  const draw = async (pdf: Uint8Array) => {
    const pages = await popplerDrawsAll(onDisk(scratch, pdf));
    return pages.map((page) => createHash("sha256").update(page).digest("hex"));
  };

  test.concurrent.each(Object.entries(CASES))(
    "%s is drawn as before, without another page",
    async (_, page) => {
      const { content = "", entries = "", resources = "", objects } = page;
      const second = { content: `% SECRET\n${fill("1 0 0", 0, 0, 100, 60)}` };
      const input = drawnPdf([{ content, entries, resources }, second], { objects });
      const [first, ...rest] = await draw(input);
      const [blank] = await draw(drawnPdf([{ content: "" }]));
      expect(first).not.toEqual(blank);

      const [split] = await splitBytes(input, { pages: "1" });
      const output = split?.bytes ?? new Uint8Array();
      expect(await draw(output)).toEqual([first]);
      expect(await qpdfCanonical(onDisk(scratch, output))).not.toContain("SECRET");
      expect(await draw(await repairBytes(input))).toEqual([first, ...rest]);
      // The other document has other objects by the same numbers.
      const other = drawnPdf([second], { objects: [form(A, "", ""), form(B, "", ""), form(C, "", "")] });
      const merged = await mergeBytes([{ bytes: input }, { bytes: other }, { bytes: input, pages: "1" }]);
      expect(await draw(merged)).toEqual([first, ...rest, ...rest, first]);
    },
  );
});
