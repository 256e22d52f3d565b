import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { protectBytes } from "../support/engine.ts";
import { makeFeaturedPdf } from "../support/fixtures/featured-pdf.ts";
import { makeMarkedPdf } from "../support/fixtures/pdf-marked.ts";
import { catalogOf, packedPdfOf, pageOf, pdfOf } from "../support/fixtures/pdf-objects.ts";
import { bytesOf, textOf } from "../support/made-texts.ts";
import { READABLE_KINDS, readableParts } from "../support/readable-parts.ts";

/** Forms, an attachment, a picture, a signature and a check box whose dictionaries tell something. */
const telling = [
  ...catalogOf("3 0 R", "/AcroForm<</Fields[4 0 R 5 0 R]>>/Metadata 12 0 R"),
  pageOf(
    3,
    "/Annots[4 0 R]/Resources<</XObject<</Im 8 0 R/Fm 9 0 R>>/Font<</SECRET 10 0 R>>>>/Contents 11 0 R",
  ),
  {
    num: 4,
    body: "<</Subtype/Widget/FT/Btn/T(HIV)/V/SECRET/AS/SECRET/Rect[0 0 9 9]/AP<</N<</SECRET 9 0 R>>>>>>",
  },
  { num: 5, body: "<</FT/Sig/T(s)/V 6 0 R>>" },
  { num: 6, body: "<</Type/Sig/Filter/SECRET/ByteRange[0 1 2 3]/Contents(SECRET)>>" },
  {
    num: 7,
    body: "<</Type/EmbeddedFile/Subtype/text#2fSECRET/Params<</Size 4711/ModDate(D:4711)>>>>",
    stream: "",
  },
  {
    num: 8,
    body: "<</Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/Interpolate true/Alternates[<</X/SECRET>>]>>",
    stream: "a",
  },
  {
    num: 9,
    body: "<</Type/XObject/Subtype/Form/BBox[0 0 47.11 9]/Resources<</Font<</SECRET 10 0 R>>>>/Group 13 0 R/Name/SECRET>>",
    stream: "",
  },
  { num: 10, body: "<</Type/Font/Subtype/Type1/BaseFont/SECRET>>" },
  { num: 11, body: "<</Filter/ASCIIHexDecode/DecodeParms<</Columns 3>>/Private(SECRET)>>", stream: "00>" },
  {
    num: 12,
    body: "<</Type/Metadata/Subtype/XML/ColorSpace[/Separation/SECRET/DeviceCMYK 7 0 R]>>",
    stream: "<x/>",
  },
  { num: 13, body: "<</S/Transparency/X/SECRET>>" },
];
const trailer = "/Root 1 0 R/X/SECRET/Y[47.11]/Info<</Title(SECRET)>>";

/** Files that protect writes in different ways. */
const inputs: Readonly<Record<string, Uint8Array>> = {
  "a form, an attachment, a picture and a signature": pdfOf(telling, trailer),
  "the same without its end": pdfOf(telling, trailer).slice(0, -12),
  "with object streams": packedPdfOf(
    telling.filter(({ stream }) => stream !== undefined),
    telling.filter(({ stream }) => stream === undefined),
    trailer,
  ),
  "the same with another generation": bytesOf(
    textOf(pdfOf([...catalogOf("3 1 R"), pageOf(3, "/SECRET/SECRET")]))
      .replace("3 0 obj", "3 1 obj")
      .replace(/(\d{10}) 00000 n (?=\ntrailer)/, "$1 00001 n "),
  ),
  "labels, layers, tags and threads": makeFeaturedPdf(),
  "text and pictures": makeMarkedPdf(),
};

test.each(Object.entries(inputs))("a protected file shows only what is listed: %s", async (_, input) => {
  const locked = await protectBytes(input, { password: "key" });
  expect(readableParts(locked).unlisted).toEqual([]);
  expect(textOf(locked)).not.toMatch(/SECRET|47\.?11/);
});

test("what is listed can be found, and SECURITY.md lists the same", async () => {
  const found = new Set<string>();
  for (const input of Object.values(inputs)) {
    for (const kind of readableParts(await protectBytes(input, { password: "key" })).kinds) found.add(kind);
  }
  expect([...found].sort()).toEqual([...READABLE_KINDS].sort());
  const page = readFileSync(new URL("../../SECURITY.md", import.meta.url), "utf8").replace(/\s+/g, " ");
  const [, list = ""] =
    /- Visible without the password: (.*?) - The first half of the file identifier/.exec(page) ?? [];
  const entries = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  expect(entries).toEqual(["Type", "Subtype", "ColorSpace", "Filter", "DecodeParms"]);
  const words = "version,number of objects,length,keys of its dictionary,numbers,booleans,references";
  for (const word of [
    ...words.split(","),
    "encryption dictionary",
    "keys of the trailer",
    "file identifier",
  ]) {
    expect(list).toContain(word);
  }
});

test("the scan notices an object and an entry that are not listed", async () => {
  const locked = textOf(await protectBytes(pdfOf(telling), { password: "key" }));
  const withObject = locked.replace("startxref", "99 0 obj\n<</AS /Positive>>\nendobj\nstartxref");
  expect(readableParts(bytesOf(withObject)).unlisted).toEqual(["99 0: an object that is no stream"]);
  const withEntry = locked.replace("/Interpolate true", "/Intent /Positive/BBox [1 2]");
  expect(readableParts(bytesOf(withEntry)).unlisted).toEqual(["8 0: Intent (name)", "8 0: BBox (array)"]);
  expect(readableParts(bytesOf(locked.replace("startxref", "%note\nstartxref"))).unlisted).toHaveLength(1);
});
