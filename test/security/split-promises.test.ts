import { describe, expect, test } from "vitest";
import { pageOf, pdfOf } from "../support/fixtures/pdf-objects.ts";
import { splitTexts, textOf } from "../support/made-texts.ts";

// The promises of SECURITY.md about a part of a document, entry by entry. split-leaks.test.ts and page-isolation.test.ts
// attack what is drawn: contents, resources, glyphs, tags and layers.

/** What a document of two pages has besides them. SECRET stands in what the first page may not have. */
interface TwoPages {
  readonly catalog?: string;
  readonly first?: string;
  readonly second?: string;
  readonly trailer?: string;
  /** Bodies by number, with the data of a stream. */
  readonly objects?: Readonly<Record<number, string | readonly [body: string, stream: string]>>;
}

function twoPages({
  catalog = "",
  first,
  second,
  trailer = "",
  objects = {},
}: TwoPages): Uint8Array<ArrayBuffer> {
  return pdfOf(
    [
      { num: 1, body: `<</Type/Catalog/Pages 2 0 R${catalog}>>` },
      { num: 2, body: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>" },
      pageOf(3, first),
      pageOf(4, second),
      ...Object.entries(objects).map(([num, object]) => {
        const [body, stream] = typeof object === "string" ? [object] : object;
        return { num: Number(num), body, ...(stream !== undefined && { stream }) };
      }),
    ],
    `/Root 1 0 R${trailer}`,
  );
}

/** The first page as a file of its own. Texts of two bytes a character are as those of one. */
async function firstPage(input: Uint8Array): Promise<string> {
  const [text = ""] = await splitTexts(input, "1");
  expect(text).toContain("/Type /Page");
  return text.replaceAll("\0", "");
}

const SCRIPT = "<</S/JavaScript/JS(SECRET)>>";
const FILE = "<</Type/Filespec/F(SECRET)/EF<</F 9 0 R>>>>";
const DATA = { 9: ["<</Type/EmbeddedFile>>", "SECRET"] } as const;
const LINK = "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]";
const OUTLINE = {
  10: "<</First 11 0 R/Last 12 0 R/Count 2>>",
  11: "<</Title(own)/Parent 10 0 R/Next 12 0 R/Dest[3 0 R/Fit]>>",
  12: "<</Title(SECRET)/Parent 10 0 R/Prev 11 0 R/Dest[4 0 R/Fit]>>",
};

/** By what the document has. */
const GONE: Readonly<Record<string, TwoPages>> = {
  "a link to the name of another page": {
    catalog: "/Dests<</SECRET[4 0 R/Fit]>>",
    first: `/Annots[${LINK}/A<</S/GoTo/D/SECRET>>>>]`,
  },
  "an annotation of another page": {
    second: "/Annots[<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(SECRET)>>]",
  },
  "a form field of another page": {
    catalog: "/AcroForm<</Fields[10 0 R 11 0 R]/CO[11 0 R]>>",
    first: "/Annots[10 0 R]",
    second: "/Annots[11 0 R]",
    objects: {
      10: "<</Type/Annot/Subtype/Widget/FT/Tx/T(own)/Rect[0 0 9 9]>>",
      11: "<</Type/Annot/Subtype/Widget/FT/Tx/T(SECRET)/V(SECRET)/Rect[0 0 9 9]>>",
    },
  },
  "an outline entry of another page": { catalog: "/Outlines 10 0 R", objects: OUTLINE },
  "a named destination on another page": {
    catalog: "/Names<</Dests<</Names[(own)[3 0 R/Fit](SECRET)[4 0 R/Fit]]>>>>/Dests<</SECRET[4 0 R/Fit]>>",
  },
  "the label of another page": { catalog: "/PageLabels<</Nums[0<</P(own)>>1<</P(SECRET)>>]>>" },
  "a thread through another page": {
    catalog: "/Threads[10 0 R]",
    second: "/B[11 0 R]",
    objects: {
      10: "<</F 11 0 R/I<</Title(SECRET)>>>>",
      11: "<</T 10 0 R/P 4 0 R/R[0 0 9 9]/N 11 0 R/V 11 0 R>>",
    },
  },
  "a thread through both pages": {
    catalog: "/Threads[10 0 R]",
    first: "/B[11 0 R]",
    second: "/B[12 0 R]",
    objects: {
      10: "<</Type/Thread/F 11 0 R/I<</Title(SECRET)>>>>",
      11: "<</Type/Bead/T 10 0 R/P 3 0 R/R[0 0 9 9]/N 12 0 R/V 12 0 R>>",
      12: "<</Type/Bead/P 4 0 R/R[0 0 9 9]/N 11 0 R/V 11 0 R/Unknown(SECRET)>>",
    },
  },
  "JavaScript of the document": { catalog: `/Names<</JavaScript<</Names[(SECRET)${SCRIPT}]>>>>` },
  "an action when the document is opened": { catalog: `/OpenAction ${SCRIPT}` },
  "actions of the document": { catalog: `/AA<</WC ${SCRIPT}/WP ${SCRIPT}>>` },
  "attachments of the document": {
    catalog: `/Names<</EmbeddedFiles<</Names[(SECRET)${FILE}]>>>>`,
    objects: DATA,
  },
  "files that are associated with the document": { catalog: `/AF[${FILE}]`, objects: DATA },
  "a collection of files": { catalog: "/Collection<</D(SECRET)>>" },
  "the form once more as XFA": {
    catalog: "/AcroForm<</Fields[10 0 R]/XFA 9 0 R>>",
    first: "/Annots[10 0 R]",
    objects: { ...DATA, 10: "<</Type/Annot/Subtype/Widget/FT/Tx/T(own)/Rect[0 0 9 9]>>" },
  },
  "the value of a signature": {
    catalog: "/AcroForm<</Fields[10 0 R]/SigFlags 3>>/Perms<</DocMDP 11 0 R>>",
    first: "/Annots[10 0 R]",
    objects: {
      10: "<</Type/Annot/Subtype/Widget/FT/Sig/T(own)/Rect[0 0 9 9]/V 11 0 R>>",
      11: "<</Type/Sig/Filter/Adobe.PPKLite/Name(SECRET)/Reason(SECRET)/Contents<00>>>",
    },
  },
  "private data of programs, of the document": {
    catalog: "/PieceInfo<</Maker<</Private(SECRET)>>>>/SpiderInfo<</V 1/C[(SECRET)]>>",
  },
  "private data of programs, of a kept page": {
    first: "/PieceInfo<</Maker<</LastModified(D:2020)/Private(SECRET)>>>>",
  },
  "a picture of another page": {
    second: "/Thumb 9 0 R",
    objects: { 9: ["<</Width 1/Height 6/BitsPerComponent 8/ColorSpace/DeviceGray>>", "SECRET"] },
  },
};

describe("the first of two pages has not", () => {
  test.each(Object.entries(GONE))("%s", async (_, document) => {
    const input = twoPages(document);
    expect(textOf(input)).toContain("SECRET");
    const part = await firstPage(input);
    expect(part).not.toContain("SECRET");
    if (textOf(input).includes("(own)")) expect(part).toContain("(own)");
  });

  test("the target of a link to the second page", async () => {
    const link = (target: string) => firstPage(twoPages({ first: `/Annots[${LINK}${target}>>]` }));
    for (const target of ["/Dest[4 0 R/Fit]", "/A<</S/GoTo/D[4 0 R/Fit]>>"])
      expect(await link(target)).not.toMatch(/\/Dest|\/GoTo|\/Fit/);
    expect(await link("/Dest[3 0 R/Fit]")).toContain("/Fit");
  });

  test("an earlier version of an object", async () => {
    const before = textOf(
      twoPages({ first: "/Annots[9 0 R]", objects: { 9: "<</Subtype/Text/Contents(SECRET)>>" } }),
    );
    const update =
      "9 0 obj\n<</Subtype/Text/Rect[0 0 9 9]/Contents(own)>>\nendobj\n" +
      `xref\n9 1\n${String(before.length).padStart(10, "0")} 00000 n \n` +
      `trailer\n<</Size 10/Root 1 0 R/Prev ${before.lastIndexOf("xref\n0")}>>\n`;
    const updated = `${before}${update}startxref\n${before.length + update.indexOf("xref\n")}\n%%EOF\n`;
    const part = await firstPage(Uint8Array.from(Buffer.from(updated, "latin1")));
    expect(part).not.toContain("SECRET");
    expect(part).toContain("(own)");
  });
});

describe("the metadata of a part", () => {
  /** The properties that SECURITY.md names, by namespace. */
  const KEPT: Readonly<Record<string, readonly string[]>> = {
    "http://purl.org/dc/elements/1.1/": ["title", "creator", "subject", "description", "language"],
    "http://ns.adobe.com/xap/1.0/": ["CreateDate", "ModifyDate", "MetadataDate", "CreatorTool"],
    "http://ns.adobe.com/pdf/1.3/": ["Keywords", "Producer", "Trapped"],
    "http://www.aiim.org/pdfa/ns/id/": ["part", "conformance", "amd", "corr", "rev"],
    "http://www.aiim.org/pdfua/ns/id/": ["part", "amd", "corr", "rev"],
    "http://ns.adobe.com/pdfx/1.3/": ["GTS_PDFXVersion", "GTS_PDFXConformance"],
    "http://www.npes.org/pdfx/ns/id/": ["GTS_PDFXVersion"],
    "http://www.npes.org/pdfvt/ns/id/": ["GTS_PDFVTVersion"],
    "http://www.aiim.org/pdfe/ns/id/": ["ISO_PDFEVersion"],
  };
  /** Others of the same and of other namespaces. */
  const OTHERS: Readonly<Record<string, readonly string[]>> = {
    "http://purl.org/dc/elements/1.1/": [
      "rights",
      "contributor",
      "source",
      "relation",
      "identifier",
      "publisher",
    ],
    "http://ns.adobe.com/xap/1.0/": ["Thumbnails", "Nickname", "Rating", "Label", "BaseURL", "Identifier"],
    "http://ns.adobe.com/pdf/1.3/": ["PDFVersion", "Copyright"],
    "http://ns.adobe.com/xap/1.0/mm/": ["DocumentID", "InstanceID", "History", "DerivedFrom", "Pantry"],
    "http://ns.adobe.com/xap/1.0/rights/": ["Owner", "WebStatement"],
    "http://ns.adobe.com/photoshop/1.0/": ["DocumentAncestors", "AuthorsPosition", "TextLayers"],
    "http://ns.adobe.com/exif/1.0/": ["GPSLatitude", "GPSLongitude"],
    "http://ns.adobe.com/pdfx/1.3/": ["SourceModified", "Company"],
    "urn:of-the-company": ["title", "CreateDate"],
  };
  const nameOf = (space: string, name: string) => `${space}${name}`.replaceAll(/\W/g, "-");
  const properties = (table: Readonly<Record<string, readonly string[]>>, value: string) =>
    Object.entries(table).flatMap(([space, names], index) =>
      names.map(
        (name) =>
          `<n${index}:${name} xmlns:n${index}="${space}">${value}${nameOf(space, name)}</n${index}:${name}>`,
      ),
    );
  const packet =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    `<rdf:Description>${[...properties(KEPT, "own "), ...properties(OTHERS, "SECRET ")].join("")}</rdf:Description>` +
    "</rdf:RDF></x:xmpmeta>";
  const texts = (keys: readonly string[], value: string) =>
    keys.map((key) => `/${key}(${value} ${key})`).join("");
  const INFO = ["Title", "Author", "Subject", "Keywords", "Creator", "Producer", "CreationDate", "ModDate"];
  const CLAIMS = ["GTS_PDFXVersion", "GTS_PDFXConformance", "ISO_PDFEVersion"];

  test("has the properties that SECURITY.md names, and no others", async () => {
    const stream = ["<</Type/Metadata/Subtype/XML>>", packet] as const;
    const part = await firstPage(
      twoPages({
        catalog: "/Metadata 9 0 R/Lang(own Lang)",
        // A page may have metadata of its own.
        first: "/Metadata 10 0 R",
        objects: {
          9: stream,
          10: stream,
          11: `<<${texts([...INFO, ...CLAIMS], "own")}/Trapped/True${texts(["Company", "SourceModified", "AAPL:Keywords"], "SECRET")}>>`,
        },
        trailer: "/Info 11 0 R",
      }),
    );
    expect(part).not.toContain("SECRET");
    for (const key of [...INFO, ...CLAIMS, "Lang"]) expect(part).toContain(`(own ${key})`);
    expect(part).toContain("/Trapped /True");
    for (const [space, names] of Object.entries(KEPT))
      for (const name of names) expect(part.split(`>own ${nameOf(space, name)}<`)).toHaveLength(3);
  });
});

/** A page with an image in its resources, and a content that does not draw it. */
function drawnBy(content: string): TwoPages {
  const image = "<</Type/XObject/Subtype/Image/Width 1/Height 7/BitsPerComponent 8/ColorSpace/DeviceGray>>";
  return {
    first: "/Resources 5 0 R/Contents 6 0 R",
    objects: { 5: "<</XObject<</I 9 0 R>>>>", 6: ["<<>>", content], 9: [image, "TRAVELS"] },
  };
}

/** What SECURITY.md says travels with a kept page, by what the document has. TRAVELS stands in it. */
const TRAVELS: Readonly<Record<string, TwoPages>> = {
  "a file that is attached to it": {
    first:
      "/Annots[<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS<</Type/Filespec/F(a)/EF<</F 9 0 R>>>>>>]",
    objects: { 9: ["<</Type/EmbeddedFile>>", "TRAVELS"] },
  },
  "an entry of it that the standard does not know": { first: "/Unknown(TRAVELS)" },
  "such an entry of its annotation": {
    first: "/Annots[<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Unknown(TRAVELS)>>]",
  },
  "such an entry of the viewer preferences": { catalog: "/ViewerPreferences<</Unknown(TRAVELS)>>" },
  "such an entry of an output intent": {
    catalog:
      "/OutputIntents[<</Type/OutputIntent/S/GTS_PDFX/OutputConditionIdentifier(a)/Unknown(TRAVELS)>>]",
  },
  "the title above its outline entry, which leads to another page": {
    catalog: "/Outlines 10 0 R",
    objects: {
      10: "<</First 11 0 R/Last 11 0 R/Count 1>>",
      11: "<</Title(TRAVELS)/Parent 10 0 R/Dest[4 0 R/Fit]/First 12 0 R/Last 12 0 R/Count 1>>",
      12: "<</Title(own)/Parent 11 0 R/Dest[3 0 R/Fit]>>",
    },
  },
  "the value of a field that has widgets on other pages, too": {
    catalog: "/AcroForm<</Fields[10 0 R]>>",
    first: "/Annots[11 0 R]",
    second: "/Annots[12 0 R]",
    objects: {
      10: "<</FT/Tx/T(f)/V(TRAVELS)/Kids[11 0 R 12 0 R]>>",
      11: "<</Type/Annot/Subtype/Widget/Parent 10 0 R/Rect[0 0 9 9]>>",
      12: "<</Type/Annot/Subtype/Widget/Parent 10 0 R/Rect[0 0 9 9]>>",
    },
  },
  "a font as a whole, of which it shows one character": {
    first: "/Resources 5 0 R/Contents 6 0 R",
    second: "/Resources 5 0 R/Contents 7 0 R",
    objects: {
      5: "<</Font<</F 8 0 R>>>>",
      6: ["<<>>", "BT /F 9 Tf (a) Tj ET"],
      7: ["<<>>", "BT /F 9 Tf (b) Tj ET"],
      8: "<</Type/Font/Subtype/TrueType/FirstChar 97/LastChar 98/Widths[1 2]/FontDescriptor 9 0 R>>",
      9: "<</Type/FontDescriptor/FontFile2 10 0 R>>",
      10: ["<<>>", "TRAVELS"],
    },
  },
  "an image whose name stands behind a bracket that does not match": drawnBy(") /I gs"),
  "an image whose name stands in an inline image": drawnBy("BI /W 1 /H 1 /BPC 8 /CS /G ID /I EI"),
};

describe("a kept page takes along", () => {
  test.each(Object.entries(TRAVELS))("%s", async (_, document) => {
    expect(await firstPage(twoPages(document))).toContain("TRAVELS");
  });

  test("no image whose name stands in a content that can be read", async () => {
    for (const content of ["/I gs", "[(a)] /I gs", "(/I Do) Tj"])
      expect(await firstPage(twoPages(drawnBy(content)))).not.toContain("TRAVELS");
  });
});
