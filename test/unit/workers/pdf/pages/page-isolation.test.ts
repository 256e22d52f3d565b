import { describe, expect, it } from "vitest";
import {
  catalogOf,
  imageOf,
  type PlainObject,
  pageOf,
  pdfOf,
  structureOf,
} from "../../../../support/fixtures/pdf-objects.ts";
import { splitTexts } from "../../../../support/made-texts.ts";

describe("split copies nothing of another page", () => {
  const shared = { num: 5, body: "<</Font<</F 8 0 R>>/XObject<</I 9 0 R>>>>" };
  const onPageTwo = [
    pageOf(4, "/Resources 5 0 R/Contents 7 0 R"),
    { num: 7, body: "<<>>", stream: "/I Do" },
    imageOf(9, "SECRET"),
  ];
  const manyStates = Array.from({ length: 50 }, (_, index) => `/G${index}<</LW 1>>`).join("");
  const metadata = (stream: string, entries = ""): PlainObject[] => [
    ...catalogOf("3 0 R 4 0 R", "/Metadata 5 0 R"),
    pageOf(3),
    pageOf(4),
    { num: 5, body: `<</Type/Metadata/Subtype/XML${entries}>>`, stream },
  ];
  const picture = "<p:Thumbnails>SECRET</p:Thumbnails>";
  const cases: [way: string, objects: PlainObject[]][] = [
    [
      "through a reference to a reference to a page that does not call itself one",
      [
        ...catalogOf("3 0 R 4 0 R"),
        pageOf(3, "/X 8 0 R"),
        { num: 4, body: "<</Parent 2 0 R/MediaBox[0 0 9 9]/Contents 5 0 R>>" },
        { num: 8, body: "4 0 R" },
        { num: 5, body: "<<>>", stream: "SECRET" },
      ],
    ],
    [
      "through document parts",
      [
        ...catalogOf("3 0 R 4 0 R"),
        pageOf(3, "/DPart 6 0 R"),
        pageOf(4, "/DPart 7 0 R"),
        { num: 6, body: "<</Type/DPart/Parent 8 0 R/Start 3 0 R>>" },
        { num: 7, body: "<</Type/DPart/Parent 8 0 R/Start 4 0 R/DPM<</Name(SECRET)>>>>" },
        { num: 8, body: "<</Type/DPart/DParts[[6 0 R 7 0 R]]>>" },
      ],
    ],
    [
      "through an action that leads to a document part",
      [
        ...catalogOf("3 0 R 4 0 R"),
        pageOf(3, "/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoToDp/Dp 7 0 R>>>>]"),
        pageOf(4, "/DPart 7 0 R"),
        { num: 7, body: "<</Start 4 0 R/DPM<</Name(SECRET)>>>>" },
      ],
    ],
    [
      "through a document part that something else leads to",
      [
        ...catalogOf("3 0 R 4 0 R"),
        pageOf(3, "/X 7 0 R"),
        pageOf(4, "/DPart 7 0 R"),
        { num: 7, body: "<</Type/DPart/Start 4 0 R/DPM<</Name(SECRET)>>>>" },
      ],
    ],
    [
      "through an action that leads to an article thread",
      [
        ...catalogOf("3 0 R 4 0 R", "/Threads[7 0 R]"),
        pageOf(3, "/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/Thread/D 7 0 R>>>>]"),
        pageOf(4, "/B[8 0 R]"),
        { num: 7, body: "<</F 8 0 R/I<</Title(SECRET)>>>>" },
        { num: 8, body: "<</T 7 0 R/P 4 0 R/R[0 0 9 9]/N 8 0 R/V 8 0 R>>" },
      ],
    ],
    [
      "through the name of the template that it was made of",
      [...catalogOf("3 0 R 4 0 R"), pageOf(3, "/TemplateInstantiated/SECRET"), pageOf(4)],
    ],
    [
      "through the many resources of a form",
      [
        ...catalogOf("3 0 R 4 0 R"),
        pageOf(3, "/Resources<</XObject<</F 12 0 R>>>>/Contents 6 0 R"),
        { num: 6, body: "<<>>", stream: "/F Do" },
        {
          num: 12,
          body: `<</Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</I 9 0 R>>/ExtGState<<${manyStates}>>>>>>`,
          stream: manyStates.replace(/<<.*?>>/g, " gs "),
        },
        ...onPageTwo,
        { num: 5, body: "<</XObject<</I 9 0 R>>>>" },
      ],
    ],
    [
      "through the root of all document parts",
      [
        ...catalogOf("3 0 R 4 0 R"),
        pageOf(3, "/X 7 0 R"),
        pageOf(4),
        { num: 7, body: "<</Type/DPartRoot/NodeNameList[/SECRET]>>" },
      ],
    ],
    [
      "through a page that the page tree does not list",
      [
        ...catalogOf("3 0 R 4 0 R"),
        pageOf(3, "/X 7 0 R"),
        pageOf(4),
        pageOf(7, "/Contents 8 0 R"),
        { num: 8, body: "<<>>", stream: "SECRET" },
      ],
    ],
    [
      "through the page tree, which has resources for all pages",
      [
        { num: 1, body: "<</Type/Catalog/Pages 2 0 R>>" },
        { num: 2, body: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/Resources<</XObject<</I 9 0 R>>>>>>" },
        pageOf(3, "/X 2 0 R"),
        ...onPageTwo,
      ],
    ],
    [
      "through the catalog",
      [
        ...catalogOf("3 0 R 4 0 R", "/OpenAction<</S/JavaScript/JS(SECRET)>>"),
        pageOf(3, "/X 1 0 R"),
        pageOf(4),
      ],
    ],
    [
      "through an element of the structure tree that something else leads to",
      [
        ...catalogOf("3 0 R 4 0 R", "/StructTreeRoot 5 0 R"),
        pageOf(3, "/X 6 0 R"),
        pageOf(4, "/StructParents 1"),
        structureOf(5, "1 [6 0 R]"),
        { num: 6, body: "<</Type/StructElem/S/P/P 5 0 R/Pg 4 0 R/K 0/ActualText(SECRET)>>" },
      ],
    ],
    [
      "through the resources of a Type 3 font",
      [
        ...catalogOf("3 0 R 4 0 R"),
        pageOf(3, "/Resources 5 0 R/Contents 6 0 R"),
        shared,
        { num: 6, body: "<<>>", stream: "BT /F 9 Tf (a) Tj ET" },
        {
          num: 8,
          body: "<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[1]/Encoding<</Differences[97/a]>>/CharProcs<</a 10 0 R>>/Resources 5 0 R>>",
        },
        { num: 10, body: "<<>>", stream: "1 0 d0 0 0 1 1 re f" },
        ...onPageTwo,
      ],
    ],
    [
      "through an appearance that does not call itself a form",
      [
        ...catalogOf("3 0 R 4 0 R"),
        pageOf(3, "/Annots[<</Type/Annot/Subtype/Stamp/Rect[0 0 9 9]/AP<</N 12 0 R>>>>]"),
        { num: 5, body: "<</XObject<</I 9 0 R>>>>" },
        { num: 12, body: "<</BBox[0 0 9 9]/Resources 5 0 R>>", stream: "q Q" },
        ...onPageTwo,
      ],
    ],
    [
      "through the default resources of the form",
      [
        ...catalogOf("3 0 R 4 0 R", "/AcroForm<</Fields[11 0 R]/DR 5 0 R/DA(/F 9 Tf)>>"),
        pageOf(3, "/Annots[11 0 R]"),
        { num: 5, body: "<</XObject<</I 9 0 R>>>>" },
        { num: 11, body: "<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/Rect[0 0 9 9]/P 3 0 R>>" },
        ...onPageTwo,
      ],
    ],
    [
      "through private data of the program that made a form",
      [
        ...catalogOf("3 0 R 4 0 R"),
        pageOf(3, "/Resources<</XObject<</F 5 0 R>>>>/Contents 6 0 R"),
        pageOf(4),
        {
          num: 5,
          body: "<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/PieceInfo<</Maker<</Private 9 0 R>>>>>>",
          stream: "q Q",
        },
        { num: 6, body: "<<>>", stream: "/F Do" },
        { num: 9, body: "<<>>", stream: "SECRET" },
      ],
    ],
    [
      "through a stream that has no end of its own",
      [
        ...catalogOf("3 0 R 4 0 R"),
        pageOf(3, "/Contents 5 0 R"),
        pageOf(4, "/Contents 6 0 R"),
        { num: 5, body: "<</Length 7>>\nstream\nq Q 1 0 0 1 0 0 cm\n" },
        { num: 6, body: "<<>>", stream: "SECRET" },
      ],
    ],
    [
      "through an answer to an annotation of it",
      [
        ...catalogOf("3 0 R 4 0 R"),
        pageOf(3, "/Annots[22 0 R]"),
        pageOf(4, "/Annots[21 0 R]"),
        { num: 21, body: "<</Type/Annot/Subtype/Text/Contents(SECRET)/Rect[0 0 9 9]>>" },
        { num: 22, body: "<</Type/Annot/Subtype/Text/Contents(x)/IRT 21 0 R/Rect[0 0 9 9]>>" },
      ],
    ],
    [
      "through a button that empties its fields",
      [
        ...catalogOf("3 0 R 4 0 R", "/AcroForm<</Fields[11 0 R 12 0 R]>>"),
        pageOf(3, "/Annots[11 0 R]"),
        pageOf(4, "/Annots[13 0 R]"),
        {
          num: 11,
          body: "<</Subtype/Widget/FT/Btn/T(a)/Rect[0 0 9 9]/A<</S/ResetForm/Fields[12 0 R]>>>>",
        },
        { num: 12, body: "<</FT/Tx/T(b)/V(SECRET)/Kids[13 0 R]>>" },
        { num: 13, body: "<</Subtype/Widget/Parent 12 0 R/Rect[0 0 9 9]>>" },
      ],
    ],
    [
      "through the root of the structure tree",
      [
        ...catalogOf("3 0 R 4 0 R", "/StructTreeRoot 5 0 R"),
        pageOf(3, "/X 5 0 R"),
        pageOf(4, "/StructParents 1"),
        structureOf(5, "1 [6 0 R]"),
        { num: 6, body: "<</S/P/P 5 0 R/Pg 4 0 R/K 0/ActualText(SECRET)>>" },
      ],
    ],
    [
      "through an element of the structure tree that does not call itself one",
      [
        ...catalogOf("3 0 R 4 0 R", "/StructTreeRoot 5 0 R"),
        pageOf(3, "/X 6 0 R"),
        pageOf(4, "/StructParents 1"),
        structureOf(5, "1 [6 0 R]"),
        { num: 6, body: "<</S/P/P 5 0 R/Pg 4 0 R/K 0/ActualText(SECRET)>>" },
      ],
    ],
    [
      "through what stands for the text of a paragraph that runs on",
      [
        ...catalogOf("3 0 R 4 0 R", "/StructTreeRoot 5 0 R"),
        pageOf(3, "/StructParents 0"),
        pageOf(4, "/StructParents 1"),
        structureOf(5, "0 [6 0 R] 1 [6 0 R]"),
        {
          num: 6,
          body: "<</S/P/P 5 0 R/K[<</Type/MCR/Pg 3 0 R/MCID 0>><</Type/MCR/Pg 4 0 R/MCID 0>>]/ActualText(from one to SECRET)>>",
        },
      ],
    ],
    [
      "through how a paragraph that runs on is spoken",
      [
        ...catalogOf("3 0 R 4 0 R", "/StructTreeRoot 5 0 R"),
        pageOf(3, "/StructParents 0"),
        pageOf(4, "/StructParents 1"),
        structureOf(5, "0 [6 0 R] 1 [6 0 R]"),
        {
          num: 6,
          body: "<</S/P/P 5 0 R/K[<</Type/MCR/Pg 3 0 R/MCID 0>><</Type/MCR/Pg 4 0 R/MCID 0>>]/Phoneme(from one to SECRET)>>",
        },
      ],
    ],
    [
      "through what describes a figure that runs on",
      [
        ...catalogOf("3 0 R 4 0 R", "/StructTreeRoot 5 0 R"),
        pageOf(3, "/StructParents 0"),
        pageOf(4, "/StructParents 1"),
        structureOf(5, "0 [6 0 R] 1 [6 0 R]"),
        {
          num: 6,
          body: "<</S/P/P 5 0 R/K[<</Type/MCR/Pg 3 0 R/MCID 0>><</Type/MCR/Pg 4 0 R/MCID 0>>]/Alt(from one to SECRET)>>",
        },
      ],
    ],
    [
      "through what an abbreviation that runs on stands for",
      [
        ...catalogOf("3 0 R 4 0 R", "/StructTreeRoot 5 0 R"),
        pageOf(3, "/StructParents 0"),
        pageOf(4, "/StructParents 1"),
        structureOf(5, "0 [6 0 R] 1 [6 0 R]"),
        {
          num: 6,
          body: "<</S/P/P 5 0 R/K[<</Type/MCR/Pg 3 0 R/MCID 0>><</Type/MCR/Pg 4 0 R/MCID 0>>]/E(from one to SECRET)>>",
        },
      ],
    ],
    [
      "through a file that is attached to an element",
      [
        ...catalogOf("3 0 R 4 0 R", "/StructTreeRoot 5 0 R"),
        pageOf(3, "/StructParents 0"),
        pageOf(4),
        structureOf(5, "0 [6 0 R]"),
        { num: 6, body: "<</S/P/P 5 0 R/Pg 3 0 R/K 0/AF[<</Type/Filespec/F(SECRET)/EF<</F 7 0 R>>>>]>>" },
        { num: 7, body: "<<>>", stream: "SECRET" },
      ],
    ],
    [
      "through a picture of it in the metadata",
      [
        ...catalogOf("3 0 R 4 0 R", "/Metadata 5 0 R"),
        pageOf(3),
        pageOf(4),
        {
          num: 5,
          body: "<</Type/Metadata/Subtype/XML>>",
          stream: "<x:xmpmeta><p:Thumbnails>SECRET</p:Thumbnails></x:xmpmeta>",
        },
      ],
    ],
    [
      "through the second picture in the metadata",
      metadata(`<x><p:Thumbnails>x</p:Thumbnails>y${picture}</x>`),
    ],
    ["through a picture in the metadata that has no end", metadata("<x><p:Thumbnails>SECRET</x>")],
    ["through metadata that cannot be decoded", metadata(`<x>${picture}</x>`, "/Filter/DCTDecode")],
    [
      "through a picture in metadata of two bytes a character",
      metadata(`\xfe\xff${[...`<x>${picture}</x>`].map((letter) => `\0${letter}`).join("")}`),
    ],
    [
      "through the form once more as XFA, or what a signature locks",
      [
        ...catalogOf("3 0 R 4 0 R", "/AcroForm<</Fields[11 0 R]/XFA[(datasets) 12 0 R]>>"),
        pageOf(3, "/Annots[11 0 R]"),
        pageOf(4),
        {
          num: 11,
          body: "<</Subtype/Widget/FT/Sig/T(a)/Rect[0 0 9 9]/Lock<</Action/Include/Fields[(SECRET)]>>>>",
        },
        { num: 12, body: "<<>>", stream: "<field>SECRET</field>" },
      ],
    ],
    [
      "through a picture of it among what the metadata tell of pages",
      [
        ...catalogOf("3 0 R 4 0 R", "/Metadata 5 0 R"),
        pageOf(3),
        pageOf(4),
        {
          num: 5,
          body: "<</Type/Metadata/Subtype/XML>>",
          stream:
            "<x:xmpmeta><xmp:PageInfo><rdf:Seq><rdf:li><g:image>SECRET</g:image></rdf:li></rdf:Seq></xmp:PageInfo></x:xmpmeta>",
        },
      ],
    ],
  ];
  it.each(cases)("%s", async (_, objects) => {
    const input = pdfOf(objects);
    const [first, second] = await splitTexts(input, "1,2");
    expect(first).toContain("/Type /Page");
    // Nor with two bytes a character.
    expect(first?.replaceAll("\0", "")).not.toContain("SECRET");
    expect(second).toContain("/Type /Page");
  });
});
