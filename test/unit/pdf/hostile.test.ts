import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bufferSource } from "../../../workers/pdf/bytes/source.ts";
import { PdfDocument } from "../../../workers/pdf/file/document.ts";
import {
  catalogOf,
  imageOf,
  type PlainObject,
  packedPdfOf,
  pageOf,
  pdfOf,
} from "../../fixtures/pdf-objects.ts";
import { protectBytes, rewriteBytes, splitBytes, unlockBytes } from "../../native/engine.ts";

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));

async function splitTexts(input: Uint8Array, pages = "1"): Promise<string[]> {
  return (await splitBytes(input, { pages })).map(({ bytes }) => textOf(bytes));
}

async function rewrittenText(input: Uint8Array): Promise<string> {
  return textOf(await rewriteBytes(input));
}

async function unlockedText(input: Uint8Array): Promise<string> {
  return textOf(await unlockBytes(await protectBytes(input, { password: "x" }), "x"));
}

function deflated(num: number, data: string, entries = ""): PlainObject {
  const stream = deflateSync(Buffer.from(data, "latin1"), { level: 9 }).toString("latin1");
  return { num, body: `<</Filter/FlateDecode${entries}>>`, stream };
}

const structure = (num: number, parents: string): PlainObject => ({
  num,
  body: `<</Type/StructTreeRoot/K 6 0 R/ParentTree<</Nums[${parents}]>>>>`,
});

describe("no byte of a page that stays behind", () => {
  const shared = { num: 5, body: "<</Font<</F 8 0 R>>/XObject<</I 9 0 R>>>>" };
  const onPageTwo = [
    pageOf(4, "/Resources 5 0 R/Contents 7 0 R"),
    { num: 7, body: "<<>>", stream: "/I Do" },
    imageOf(9, "SECRET"),
  ];
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
      "through what stands for the text of a paragraph that runs on",
      [
        ...catalogOf("3 0 R 4 0 R", "/StructTreeRoot 5 0 R"),
        pageOf(3, "/StructParents 0"),
        pageOf(4, "/StructParents 1"),
        structure(5, "0 [6 0 R] 1 [6 0 R]"),
        {
          num: 6,
          body: "<</S/P/P 5 0 R/K[<</Type/MCR/Pg 3 0 R/MCID 0>><</Type/MCR/Pg 4 0 R/MCID 0>>]/ActualText(from one to SECRET)>>",
        },
      ],
    ],
    [
      "through a picture of it in the metadata",
      [
        ...catalogOf("3 0 R 4 0 R", "/Metadata 5 0 R"),
        pageOf(3),
        pageOf(4),
        deflated(
          5,
          "<x:xmpmeta><p:Thumbnails>SECRET</p:Thumbnails></x:xmpmeta>",
          "/Type/Metadata/Subtype/XML",
        ),
      ],
    ],
  ];
  it.each(cases)("%s", async (_, objects) => {
    const input = pdfOf(objects);
    const [first, second] = await splitTexts(input, "1,2");
    expect(first).toContain("/Type /Page");
    expect(first).not.toContain("SECRET");
    expect(second).toContain("/Type /Page");
  });
});

describe("nothing that a page draws is lost", () => {
  it.each([
    [
      "behind an inline image and text that is not ASCII",
      "BI /W 1 /H 1 /BPC 8 /CS /G ID x\nEI Q (\x81\x82) Tj /I Do",
      [],
    ],
    [
      "by a form that lacks the name and finds it in the page's resources",
      "/F Do",
      [{ num: 8, body: "<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<<>>>>", stream: "/I Do" }],
    ],
    [
      "by a form with no resources at all",
      "/F Do",
      [{ num: 8, body: "<</Type/XObject/Subtype/Form/BBox[0 0 9 9]>>", stream: "/I Do" }],
    ],
    ["behind a bracket too many", "(a)) Tj /I Do", []],
  ])("%s", async (_, content, more) => {
    const [text] = await splitTexts(
      pdfOf([
        ...catalogOf("3 0 R"),
        pageOf(3, "/Resources 5 0 R/Contents 6 0 R"),
        { num: 5, body: "<</XObject<</I 9 0 R/F 8 0 R/J 10 0 R>>>>" },
        { num: 6, body: "<<>>", stream: content },
        imageOf(9, "NEEDED"),
        imageOf(10, "OTHERS"),
        ...more,
      ]),
    );
    expect(text).toContain("NEEDED");
    expect(text).not.toContain("OTHERS");
  });
});

describe("a hostile file ends soon, in a document or an error of the table", () => {
  const ends = async (input: Uint8Array) => {
    try {
      expect((await splitTexts(input)).length).toBe(1);
    } catch (error) {
      expect(error).toMatchObject({ name: "ServiceError", code: "damaged_file" });
    }
  };
  const doubling = (body: (own: string) => string) => ({
    num: 8,
    body: `[${body("8 0 R")}${body("8 0 R")}]`,
  });
  const cases: [what: string, objects: PlainObject[]][] = [
    [
      "structure elements that double at every level",
      [
        ...catalogOf("3 0 R", "/StructTreeRoot 5 0 R"),
        pageOf(3, "/StructParents 0"),
        structure(5, "0 [6 0 R]"),
        { num: 6, body: "<</S/P/P 5 0 R/K 8 0 R/Pg 3 0 R>>" },
        doubling((own) => `<</S/P/K ${own}>>`),
      ],
    ],
    [
      "layer groups that double at every level",
      [
        ...catalogOf("3 0 R", "/OCProperties<</OCGs[6 0 R]/D<</Order 8 0 R>>>>"),
        pageOf(3, "/X 6 0 R"),
        { num: 6, body: "<</Type/OCG/Name(x)>>" },
        doubling((own) => `${own} `),
      ],
    ],
    [
      "a name tree that doubles at every level",
      [
        ...catalogOf("3 0 R", "/Names<</Dests<</Kids 8 0 R>>>>"),
        pageOf(3),
        doubling((own) => `<</Kids ${own}>>`),
      ],
    ],
    [
      "metadata full of openings",
      [
        ...catalogOf("3 0 R", "/Metadata 4 0 R"),
        pageOf(3),
        deflated(4, "<xmp:Thumbnails>".repeat(100_000), "/Type/Metadata/Subtype/XML"),
      ],
    ],
    [
      "an object that nests too deep, asked for again and again",
      [
        ...catalogOf("3 0 R"),
        pageOf(3, `/X[${"4 0 R ".repeat(20_000)}]`),
        { num: 4, body: `[${"1 ".repeat(100_000)}${"[".repeat(600)}` },
      ],
    ],
    [
      "a name of ten million characters",
      [...catalogOf("3 0 R"), pageOf(3, "/Contents 4 0 R/Resources<<>>"), deflated(4, `/${"A".repeat(1e7)}`)],
    ],
    [
      "three million dictionaries",
      [...catalogOf("3 0 R"), pageOf(3, "/X 4 0 R"), { num: 4, body: `[${"<<>>".repeat(3e6)}]` }],
    ],
    [
      "one page listed half a million times",
      [
        { num: 1, body: "<</Type/Catalog/Pages 2 0 R>>" },
        { num: 2, body: `<</Kids[${"3 0 R ".repeat(500_000)}]>>` },
        pageOf(3),
      ],
    ],
    [
      "two hundred thousand structure parents",
      [
        ...catalogOf("3 0 R", "/StructTreeRoot 5 0 R"),
        pageOf(
          3,
          `/StructParents 0/X[${Array.from({ length: 200_000 }, (_, key) => `<</StructParent ${key}>>`).join("")}]`,
        ),
        structure(5, "0 [6 0 R]"),
        { num: 6, body: `<</S/P/P 5 0 R/K 0/Pg 3 0 R/ID(${"x".repeat(200_000)})>>` },
      ],
    ],
    [
      "forms nested a thousand deep",
      [
        ...catalogOf("3 0 R"),
        pageOf(3, "/Resources<</XObject<</F 10 0 R>>>>/Contents 4 0 R"),
        { num: 4, body: "<<>>", stream: "/F Do" },
        ...Array.from({ length: 1000 }, (_, level) => ({
          num: 10 + level,
          body: `<</Subtype/Form/BBox[0 0 1 1]/Resources<</XObject<</F ${11 + level} 0 R>>>>>>`,
          stream: "/F Do",
        })),
      ],
    ],
  ];
  it.each(cases)("%s", async (_, objects) => {
    await ends(pdfOf(objects));
  });

  it("an object stream whose filter is inside itself", async () => {
    const table = textOf(
      pdfOf([
        ...catalogOf("3 0 R"),
        pageOf(3, "/X 4 0 R"),
        { num: 9, body: "<</Type/ObjStm/N 1/First 4/Filter 4 0 R>>", stream: "4 0 /FlateDecode" },
      ]),
    );
    const objects = table.slice(0, table.indexOf("xref\n"));
    const rows = Array.from({ length: 11 }, (_, num) => {
      const offset = num === 10 ? objects.length : objects.indexOf(`\n${num} 0 obj`) + 1;
      const row = num === 4 ? [2, 0, 9, 0] : offset > 0 ? [1, offset >> 8, offset & 255, 0] : [0, 0, 0, 0];
      return String.fromCharCode(...row);
    }).join("");
    const section = `10 0 obj\n<</Type/XRef/Size 11/W[1 2 1]/Root 1 0 R/Length ${rows.length}>>\nstream\n${rows}\nendstream\nendobj\n`;
    const file = `${objects}${section}startxref\n${objects.length}\n%%EOF\n`;
    expect(await splitTexts(bytesOf(file))).toHaveLength(1);
  });

  it("a bomb of pages that share one content is unpacked once", async () => {
    const nums = Array.from({ length: 200 }, (_, index) => index + 10);
    const input = pdfOf([
      ...catalogOf(nums.map((num) => `${num} 0 R`).join(" ")),
      deflated(4, "q Q ".repeat(2e6)),
      ...nums.map((num) => pageOf(num, "/Contents 4 0 R/Resources<<>>")),
    ]);
    expect(await splitTexts(input, "all")).toHaveLength(200);
  });
});

it("a size that lies does not make the protected file unreadable", async () => {
  const input = textOf(pdfOf([...catalogOf("3 0 R"), pageOf(3)]));
  const lying = bytesOf(input.replace(/\/Size \d+/, "/Size 99999999"));
  const plain = bytesOf(await unlockedText(lying));
  expect(PdfDocument.open(bufferSource(plain)).recovered).toBe(false);
});

it("an object right behind the header, which the table says is the header, is protected, too", async () => {
  const input = textOf(pdfOf([...catalogOf("3 0 R"), pageOf(3)]));
  const shifted = bytesOf(input.replace("0000000009 00000 n", "0000000000 00000 n"));
  expect(await unlockedText(shifted)).toContain("/Type /Catalog");
});

it("a page that is gone leaves no hole in the page tree of what is repaired", async () => {
  const text = await rewrittenText(pdfOf([...catalogOf("3 0 R 9 0 R"), pageOf(3)]));
  expect(text).toContain("/Count 1/Kids [3 0 R]");
});

it("resources that nest as deep as can be read leave a catalog that can be read around them", async () => {
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const input = pdfOf([
    ...catalogOf("3 0 R", "/AcroForm<</DR 5 0 R/Fields[4 0 R]>>"),
    pageOf(3, "/Annots[4 0 R]"),
    { num: 4, body: "<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/Rect[0 0 9 9]>>" },
    { num: 5, body: `<</ProcSet ${nested(498)}>>` },
  ]);
  const [file = ""] = await splitTexts(input);
  expect(await rewrittenText(bytesOf(file))).toContain("/AcroForm");
});

it("an encryption dictionary that is nowhere in the file is none", async () => {
  const input = pdfOf([...catalogOf("3 0 R"), pageOf(3)], "/Root 1 0 R/Encrypt 9 0 R");
  await expect(unlockBytes(input, "")).rejects.toMatchObject({ code: "not_encrypted" });
  expect(await rewrittenText(input)).not.toContain("/Encrypt");
});

it("an encryption dictionary that a damaged file has lost leaves the rest unread", async () => {
  const whole = textOf(pdfOf([...catalogOf("3 0 R"), pageOf(3)], "/Root 1 0 R/Encrypt 9 0 R"));
  const damaged = bytesOf(whole.replace("startxref\n", "startxref\n9"));
  await expect(rewriteBytes(damaged)).rejects.toMatchObject({ code: "damaged_file" });
});

it("an object that says another generation than the table is written under the table's", async () => {
  const text = textOf(pdfOf([...catalogOf("3 0 R"), pageOf(3)]));
  expect(await unlockedText(bytesOf(text.replace("3 0 obj", "3 9 obj")))).toContain(
    "3 0 obj\n<</Type /Page/",
  );
});

it("a page tree that fans out endlessly, in lists that are shared, is passed on by a rewrite", async () => {
  const input = pdfOf([
    { num: 1, body: "<</Type/Catalog/Pages 2 0 R>>" },
    { num: 2, body: `<</Type/Pages/Kids 4 0 R>>` },
    pageOf(3),
    { num: 4, body: `[3 0 R${"<</Kids 4 0 R>>".repeat(8)}]` },
  ]);
  expect((await rewriteBytes(input)).length).toBeLessThan(2 * input.length);
});

it("a crypt filter that is left over from an earlier encryption does not name one that is not there", async () => {
  const input = pdfOf([
    ...catalogOf("3 0 R"),
    pageOf(3, "/Contents 4 0 R"),
    { num: 4, body: "<</Filter[/Crypt]/DecodeParms[<</Name/Gone>>]>>", stream: "KEPT" },
  ]);
  expect(await unlockedText(input)).toContain("KEPT");
});

it("a destination by way of a reference to a reference keeps its page", async () => {
  const [text] = await splitTexts(
    pdfOf([
      ...catalogOf("3 0 R 4 0 R"),
      pageOf(3, "/Annots[<</Subtype/Link/Rect[0 0 1 1]/Dest[8 0 R/Fit]>>]"),
      pageOf(4),
      { num: 8, body: "3 0 R" },
    ]),
  );
  expect(text).toMatch(/\/Dest ?\[\d+ 0 R ?\/Fit\]/);
});

describe("the budget of work", () => {
  const tagged = (elements: number) => {
    const nums = Array.from({ length: elements }, (_, index) => index + 20);
    return packedPdfOf(
      [
        ...catalogOf("3 0 R", "/StructTreeRoot 5 0 R"),
        pageOf(3, "/StructParents 0"),
        { num: 5, body: "<</Type/StructTreeRoot/K 6 0 R/ParentTree<</Nums[0 7 0 R]>>>>" },
        { num: 6, body: `<</S/Document/P 5 0 R/K[${nums.map((num) => `${num} 0 R`).join(" ")}]>>` },
        { num: 7, body: `[${nums.map((num) => `${num} 0 R`).join(" ")}]` },
      ],
      nums.map((num, index) => ({ num, body: `<</S/P/P 6 0 R/Pg 3 0 R/A[<</O/Layout>>]/K ${index}>>` })),
    );
  };

  it("is enough for a tagged document whose object streams are packed twenty times", async () => {
    const [text = ""] = await splitTexts(tagged(60_000));
    // The elements are packed again.
    expect(text.length).toBeGreaterThan(200_000);
  });

  it("ends what many outputs do again and again", async () => {
    const nums = Array.from({ length: 500 }, (_, index) => index + 10);
    const input = packedPdfOf(
      [
        ...catalogOf(nums.map((num) => `${num} 0 R`).join(" ")),
        ...nums.map((num) => pageOf(num, "/X 5 0 R")),
      ],
      [{ num: 5, body: `[${"6 0 R ".repeat(300_000)}]` }],
    );
    await expect(splitTexts(input, "all")).rejects.toMatchObject({ code: "damaged_file" });
  });
});
