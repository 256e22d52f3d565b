import { describe, expect, it } from "vitest";
import type { ByteSource } from "../../../../../workers/io/source.ts";
import { SharedObjects } from "../../../../../workers/pdf/copy/shared-objects.ts";
import { FileWriter } from "../../../../../workers/pdf/file/file-writer.ts";
import { PdfDict, PdfRef } from "../../../../../workers/pdf/syntax/objects.ts";
import { mergeBytes, protectBytes } from "../../../../support/engine.ts";
import {
  catalogOf,
  imageOf,
  type PlainObject,
  pageOf,
  pdfOf,
  streamOf,
} from "../../../../support/fixtures/pdf-objects.ts";
import { objectTexts, textOf } from "../../../../support/made-texts.ts";
import { MemorySink } from "../../../../support/memory-sink.ts";

const FORM = "/Type/XObject/Subtype/Form/BBox[0 0 9 9]";

/** A page that draws form 10, which draws image 11 and shows text in font 12. `shift` is added to these numbers. */
function documentOf(fontFile: string, shift = 0): PlainObject[] {
  const [form, image, font, descriptor, file, mask] = [10, 11, 12, 13, 14, 15].map((num) => num + shift) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const picture = imageOf(image, "abcdef");
  return [
    ...catalogOf("3 0 R"),
    pageOf(3, `/Contents 4 0 R/Resources<</XObject<</A ${form} 0 R>>>>`),
    streamOf(4, "/A Do"),
    streamOf(
      form,
      "/B Do BT/F 9 Tf(x)Tj ET",
      `${FORM}/Resources<</XObject<</B ${image} 0 R>>/Font<</F ${font} 0 R>>>>`,
    ),
    { ...picture, body: picture.body.replace(/>>$/, `/SMask ${mask} 0 R>>`) },
    imageOf(mask, "masked"),
    {
      num: font,
      body: `<</Type/Font/Subtype/TrueType/BaseFont/Own/FontDescriptor ${descriptor} 0 R/FirstChar 120/Widths[500]>>`,
    },
    { num: descriptor, body: `<</Type/FontDescriptor/FontName/Own/FontFile2 ${file} 0 R>>` },
    streamOf(file, fontFile, `/Length1 ${fontFile.length}`),
  ];
}

/** How many objects of a merged file have a text. */
function count(merged: Uint8Array, text: string): number {
  return [...objectTexts(merged).values()].filter((object) => object.includes(text)).length;
}

const mergeOf = (...documents: readonly PlainObject[][]) =>
  mergeBytes(documents.map((objects) => ({ bytes: pdfOf(objects) })));

describe("a merge", () => {
  const DRAWN = ["/Subtype /Form", "/SMask", "/Type /Font/", "/FontDescriptor/", "/Length1"];

  it("writes equal fonts, images and forms once, whatever their numbers", async () => {
    const merged = await mergeOf(documentOf("file"), documentOf("file", 7), documentOf("file"));
    expect(DRAWN.map((text) => count(merged, text))).toEqual([1, 1, 1, 1, 1]);
    expect(count(merged, "/Type /Page/")).toBe(3);
  });

  it("writes what differs, and all that leads to it, for each document", async () => {
    const merged = await mergeOf(documentOf("one file"), documentOf("a file?."), documentOf("one file"));
    // The image does not lead to the font file.
    expect(DRAWN.map((text) => count(merged, text))).toEqual([2, 1, 2, 2, 2]);
  });

  it("tells long data of one length and dictionary apart", async () => {
    const long = (end: string) => [
      ...catalogOf("3 0 R"),
      pageOf(3, "/Contents 4 0 R/Resources<</XObject<</A 5 0 R>>>>"),
      streamOf(4, "/A Do"),
      imageOf(5, `${"x".repeat(1_200_000)}${end}`),
    ];
    const merged = await mergeOf(...["1", "2", "1", "2", "3"].map(long));
    expect(count(merged, "/Subtype /Image")).toBe(3);
    expect(merged.length).toBeLessThan(3_700_000);
  });

  it("shares objects of encrypted documents", async () => {
    const bytes = await protectBytes(pdfOf(documentOf("file")), { password: "key" });
    const input = { bytes, password: "key" };
    const merged = await mergeBytes([input, input]);
    expect(DRAWN.map((text) => count(merged, text))).toEqual([1, 1, 1, 1, 1]);
    expect(textOf(merged)).toContain("abcdef");
  });

  it("never shares annotations, their appearances, fields and layers", async () => {
    const merged = await mergeOf(
      ...["one", "one"].map(() => [
        ...catalogOf("3 0 R", "/AcroForm<</Fields[5 0 R]>>/OCProperties<</OCGs[7 0 R]/D<<>>>>"),
        pageOf(3, "/Annots[5 0 R]/Contents 4 0 R/Resources<</Properties<</L 7 0 R>>>>"),
        streamOf(4, "/OC/L BDC EMC"),
        {
          num: 5,
          body: "<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/FT/Tx/T(total)/AP<</N 6 0 R>>>>",
        },
        streamOf(6, "", FORM),
        { num: 7, body: "<</Type/OCG/Name(layer)>>" },
      ]),
    );
    for (const text of ["/Subtype /Widget", "/Subtype /Form", "/Type /OCG"])
      expect(count(merged, text)).toBe(2);
  });

  it("copies objects that lead back to themselves", async () => {
    const circle = [
      ...catalogOf("3 0 R"),
      pageOf(3, "/Contents 4 0 R/Resources<</XObject<</A 5 0 R>>>>"),
      streamOf(4, "/A Do"),
      streamOf(5, "/B Do", `${FORM}/Resources<</XObject<</B 6 0 R>>>>`),
      streamOf(6, "/A Do", `${FORM}/Resources<</XObject<</A 5 0 R>>>>`),
    ];
    const texts = objectTexts(await mergeOf(circle, circle));
    const forms = [...texts].filter(([, text]) => text.includes("/Subtype /Form"));
    expect(forms).toHaveLength(4);
    for (const [, text] of forms) {
      const led = Number(/\/XObject <<\/[AB] (\d+) 0 R/.exec(text)?.[1]);
      expect(forms.map(([num]) => num)).toContain(led);
    }
  });

  it("copies forms that nest very deep", async () => {
    const depth = 3000;
    const chain = Array.from({ length: depth }, (_, index) =>
      streamOf(10 + index, "/A Do", `${FORM}/Resources<</XObject<</A ${11 + index} 0 R>>>>`),
    );
    const merged = await mergeOf([
      ...catalogOf("3 0 R"),
      pageOf(3, "/Contents 4 0 R/Resources<</XObject<</A 10 0 R>>>>"),
      streamOf(4, "/A Do"),
      ...chain,
      imageOf(10 + depth, "abcdef"),
    ]);
    expect(count(merged, "/Subtype /Form")).toBe(depth);
  });
});

describe("the comparison of data", () => {
  it("ends for streams that overlap so much that it would not", () => {
    const size = 1_000_000;
    const length = 900_000;
    const count = 1000;
    let bytesRead = 0;
    const source: ByteSource = {
      size,
      read: (start, end) => {
        bytesRead += end - start;
        return new Uint8Array(end - start);
      },
    };
    const shared = new SharedObjects(new FileWriter(new MemorySink(), "1.7"));
    shared.nextDocument(source);
    const places = Array.from({ length: count }, (_, start) => {
      const data = { kind: "file", source, start, end: start + length, owner: new PdfRef(1, 0) } as const;
      return shared.placeOf(new PdfDict(), { data, cipher: undefined });
    });
    expect(places.slice(0, 2)).toEqual([
      { num: 1, isNew: true },
      { num: 1, isNew: false },
    ]);
    expect(places.at(-1)?.isNew).toBe(true);
    // A sample of each stream is read, and both streams of a pair.
    expect(bytesRead).toBeLessThan(4096 * count + 2 * 3 * size);
  });
});
