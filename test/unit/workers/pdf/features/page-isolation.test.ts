import { describe, expect, it } from "vitest";
import { catalogOf, pageOf, pdfOf, structureOf } from "../../../../support/fixtures/pdf-objects.ts";
import { splitTexts } from "../../../../support/made-texts.ts";

/** What a document of two pages has: entries of its catalog and of its pages, 3 and 4, and more objects. */
interface TwoPages {
  readonly catalog?: string;
  readonly first?: string;
  readonly second?: string;
  /** Bodies by number, with the data of a stream. */
  readonly objects?: Readonly<Record<number, string | readonly [body: string, stream: string]>>;
}

function twoPages({ catalog, first, second, objects = {} }: TwoPages): Uint8Array {
  // An object of its own replaces one of the usual ones.
  const usual = [...catalogOf("3 0 R 4 0 R", catalog), pageOf(3, first), pageOf(4, second)];
  const own = Object.entries(objects).map(([num, object]) => {
    const [body, stream] = typeof object === "string" ? [object] : object;
    return { num: Number(num), body, ...(stream !== undefined && { stream }) };
  });
  return pdfOf([...usual.filter(({ num }) => !(num in objects)), ...own]);
}

/** The contents of page 2, and the image that it draws. */
const DRAWN = {
  7: ["<<>>", "/I Do"],
  9: ["<</Type/XObject/Subtype/Image/Width 1/Height 6/BitsPerComponent 8/ColorSpace/DeviceGray>>", "SECRET"],
} as const;
const DRAWS_SECRET = "/Resources 5 0 R/Contents 7 0 R";
const WITH_SECRET = "<</XObject<</I 9 0 R>>>>";
const MANY_STATES = Array.from({ length: 50 }, (_, index) => `/G${index}<</LW 1>>`).join("");

/** The catalog entry and the root of a structure tree. */
const TAGGED = "/StructTreeRoot 5 0 R";
const parents = (entries: string) => structureOf(5, entries).body;
/** An element of page 2 that does not call itself one. */
const ELEMENT_OF_SECOND = "<</S/P/P 5 0 R/Pg 4 0 R/K 0/ActualText(SECRET)>>";

const metadata = (stream: string, entries = ""): TwoPages => ({
  catalog: "/Metadata 5 0 R",
  objects: { 5: [`<</Type/Metadata/Subtype/XML${entries}>>`, stream] },
});
const PICTURE = "<x><p:Thumbnails>SECRET</p:Thumbnails></x>";

const CASES: Readonly<Record<string, TwoPages>> = {
  "a reference to a reference to a page that does not call itself one": {
    first: "/X 8 0 R",
    objects: {
      4: "<</Parent 2 0 R/MediaBox[0 0 9 9]/Contents 5 0 R>>",
      8: "4 0 R",
      5: ["<<>>", "SECRET"],
    },
  },
  "document parts": {
    first: "/DPart 6 0 R",
    second: "/DPart 7 0 R",
    objects: {
      6: "<</Type/DPart/Parent 8 0 R/Start 3 0 R>>",
      7: "<</Type/DPart/Parent 8 0 R/Start 4 0 R/DPM<</Name(SECRET)>>>>",
      8: "<</Type/DPart/DParts[[6 0 R 7 0 R]]>>",
    },
  },
  "an action that leads to a document part": {
    first: "/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoToDp/Dp 7 0 R>>>>]",
    second: "/DPart 7 0 R",
    objects: { 7: "<</Start 4 0 R/DPM<</Name(SECRET)>>>>" },
  },
  "a document part that something else leads to": {
    first: "/X 7 0 R",
    second: "/DPart 7 0 R",
    objects: { 7: "<</Type/DPart/Start 4 0 R/DPM<</Name(SECRET)>>>>" },
  },
  "an action that leads to an article thread": {
    catalog: "/Threads[7 0 R]",
    first: "/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/Thread/D 7 0 R>>>>]",
    second: "/B[8 0 R]",
    objects: {
      7: "<</F 8 0 R/I<</Title(SECRET)>>>>",
      8: "<</T 7 0 R/P 4 0 R/R[0 0 9 9]/N 8 0 R/V 8 0 R>>",
    },
  },
  "the name of the template that it was made of": { first: "/TemplateInstantiated/SECRET" },
  "the many resources of a form": {
    first: "/Resources<</XObject<</F 12 0 R>>>>/Contents 6 0 R",
    second: DRAWS_SECRET,
    objects: {
      ...DRAWN,
      5: WITH_SECRET,
      6: ["<<>>", "/F Do"],
      12: [
        `<</Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</I 9 0 R>>/ExtGState<<${MANY_STATES}>>>>>>`,
        MANY_STATES.replace(/<<.*?>>/g, " gs "),
      ],
    },
  },
  "the root of all document parts": {
    first: "/X 7 0 R",
    objects: { 7: "<</Type/DPartRoot/NodeNameList[/SECRET]>>" },
  },
  "a page that the page tree does not list": {
    first: "/X 7 0 R",
    objects: { 7: pageOf(7, "/Contents 8 0 R").body, 8: ["<<>>", "SECRET"] },
  },
  "the page tree, which has resources for all pages": {
    first: "/X 2 0 R",
    second: DRAWS_SECRET,
    objects: { ...DRAWN, 2: `<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/Resources${WITH_SECRET}>>` },
  },
  "the catalog": { catalog: "/OpenAction<</S/JavaScript/JS(SECRET)>>", first: "/X 1 0 R" },
  "the resources of a Type 3 font": {
    first: "/Resources 5 0 R/Contents 6 0 R",
    second: DRAWS_SECRET,
    objects: {
      ...DRAWN,
      5: "<</Font<</F 8 0 R>>/XObject<</I 9 0 R>>>>",
      6: ["<<>>", "BT /F 9 Tf (a) Tj ET"],
      8: "<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[1]/Encoding<</Differences[97/a]>>/CharProcs<</a 10 0 R>>/Resources 5 0 R>>",
      10: ["<<>>", "1 0 d0 0 0 1 1 re f"],
    },
  },
  "an appearance that does not call itself a form": {
    first: "/Annots[<</Type/Annot/Subtype/Stamp/Rect[0 0 9 9]/AP<</N 12 0 R>>>>]",
    second: DRAWS_SECRET,
    objects: { ...DRAWN, 5: WITH_SECRET, 12: ["<</BBox[0 0 9 9]/Resources 5 0 R>>", "q Q"] },
  },
  "the default resources of the form": {
    catalog: "/AcroForm<</Fields[11 0 R]/DR 5 0 R/DA(/F 9 Tf)>>",
    first: "/Annots[11 0 R]",
    second: DRAWS_SECRET,
    objects: {
      ...DRAWN,
      5: WITH_SECRET,
      11: "<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/Rect[0 0 9 9]/P 3 0 R>>",
    },
  },
  "private data of the program that made a form": {
    first: "/Resources<</XObject<</F 5 0 R>>>>/Contents 6 0 R",
    objects: {
      5: ["<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/PieceInfo<</Maker<</Private 9 0 R>>>>>>", "q Q"],
      6: ["<<>>", "/F Do"],
      9: ["<<>>", "SECRET"],
    },
  },
  "a stream that has no end of its own": {
    first: "/Contents 5 0 R",
    second: "/Contents 6 0 R",
    objects: { 5: "<</Length 7>>\nstream\nq Q 1 0 0 1 0 0 cm\n", 6: ["<<>>", "SECRET"] },
  },
  "an answer to an annotation of it": {
    first: "/Annots[22 0 R]",
    second: "/Annots[21 0 R]",
    objects: {
      21: "<</Type/Annot/Subtype/Text/Contents(SECRET)/Rect[0 0 9 9]>>",
      22: "<</Type/Annot/Subtype/Text/Contents(x)/IRT 21 0 R/Rect[0 0 9 9]>>",
    },
  },
  "a button that empties its fields": {
    catalog: "/AcroForm<</Fields[11 0 R 12 0 R]>>",
    first: "/Annots[11 0 R]",
    second: "/Annots[13 0 R]",
    objects: {
      11: "<</Subtype/Widget/FT/Btn/T(a)/Rect[0 0 9 9]/A<</S/ResetForm/Fields[12 0 R]>>>>",
      12: "<</FT/Tx/T(b)/V(SECRET)/Kids[13 0 R]>>",
      13: "<</Subtype/Widget/Parent 12 0 R/Rect[0 0 9 9]>>",
    },
  },
  "the root of the structure tree": {
    catalog: TAGGED,
    first: "/X 5 0 R",
    second: "/StructParents 1",
    objects: { 5: parents("1 [6 0 R]"), 6: ELEMENT_OF_SECOND },
  },
  "an element of the structure tree": {
    catalog: TAGGED,
    first: "/X 6 0 R",
    second: "/StructParents 1",
    objects: { 5: parents("1 [6 0 R]"), 6: ELEMENT_OF_SECOND },
  },
  "a file that is attached to an element": {
    catalog: TAGGED,
    first: "/StructParents 0",
    objects: {
      5: parents("0 [6 0 R]"),
      6: "<</S/P/P 5 0 R/Pg 3 0 R/K 0/AF[<</Type/Filespec/F(SECRET)/EF<</F 7 0 R>>>>]>>",
      7: ["<<>>", "SECRET"],
    },
  },
  "a picture of it in the metadata": metadata(PICTURE),
  "a picture in the metadata that has no end": metadata("<x><p:Thumbnails>SECRET</x>"),
  "metadata that cannot be decoded": metadata(PICTURE, "/Filter/DCTDecode"),
  "a picture in metadata of two bytes a character": metadata(
    `\xfe\xff${[...PICTURE].map((letter) => `\0${letter}`).join("")}`,
  ),
  "the form once more as XFA, or what a signature locks": {
    catalog: "/AcroForm<</Fields[11 0 R]/XFA[(datasets) 12 0 R]>>",
    first: "/Annots[11 0 R]",
    objects: {
      11: "<</Subtype/Widget/FT/Sig/T(a)/Rect[0 0 9 9]/Lock<</Action/Include/Fields[(SECRET)]>>>>",
      12: ["<<>>", "<field>SECRET</field>"],
    },
  },
};

/** Entries that replace or describe the content of an element of both pages. */
const OF_BOTH_PAGES = ["ActualText", "Alt", "E", "Phoneme", "T", "Summary"].map(
  (entry) =>
    [
      `the ${entry} of an element of both pages`,
      {
        catalog: TAGGED,
        first: "/StructParents 0",
        second: "/StructParents 1",
        objects: {
          5: parents("0 [6 0 R] 1 [6 0 R]"),
          6: `<</S/P/P 5 0 R/K[<</Type/MCR/Pg 3 0 R/MCID 0>><</Type/MCR/Pg 4 0 R/MCID 0>>]/${entry}(from one to SECRET)>>`,
        },
      },
    ] as const,
);

describe("split copies nothing of another page", () => {
  it.each<readonly [string, TwoPages]>([...Object.entries(CASES), ...OF_BOTH_PAGES])(
    "through %s",
    async (_, document) => {
      const [first, second] = await splitTexts(twoPages(document), "1,2");
      expect(first).toContain("/Type /Page");
      // Nor with two bytes a character.
      expect(first?.replaceAll("\0", "")).not.toContain("SECRET");
      expect(second).toContain("/Type /Page");
    },
  );
});
