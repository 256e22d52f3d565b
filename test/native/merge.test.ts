import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import type { Row } from "../corpus/family.ts";
import { examineMerge } from "../corpus/merge/cases.ts";
import { OurMerger, QpdfMerger } from "../corpus/merge/contestant.ts";
import type { Member } from "../corpus/merge/member.ts";
import { OurEngine } from "../corpus/split/contestant.ts";
import { mergeBytes, protectBytes } from "../support/engine.ts";
import { damagedOnTheWay } from "../support/fixtures/damaged-pdf.ts";
import { makeFeaturedPdf } from "../support/fixtures/featured-pdf.ts";
import { fieldOf, formOf } from "../support/fixtures/form-pdf.ts";
import {
  DESTINATION_TABLES,
  documentOfNames,
  REFERENCE_TYPES,
} from "../support/fixtures/named-destinations.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import {
  catalogOf,
  packedPdfOf,
  pageOf,
  pdfOf,
  streamOf,
  structureOf,
} from "../support/fixtures/pdf-objects.ts";
import { largestDifference, popplerDraws, popplerDrawsAll } from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import {
  mupdfText,
  mustRun,
  popplerDestinations,
  popplerInfo,
  popplerPages,
  popplerText,
  qpdfCheck,
} from "../support/oracles.ts";
import { onDisk } from "../support/pdf-files.ts";

const missing = announceMissing("merged documents", ["qpdf", "mutool", "pdftotext", "pdftoppm", "pdfinfo"]);

describe.skipIf(missing.length > 0)("a merged document", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  /** The text of each page as poppler finds it. */
  async function textsOf(bytes: Uint8Array): Promise<readonly string[]> {
    return (await popplerText(onDisk(scratch, bytes))).toString("utf8").split("\f").slice(0, -1);
  }

  async function expectSound(bytes: Uint8Array, pageCount: number): Promise<void> {
    const { verdict, complaint } = await qpdfCheck(onDisk(scratch, bytes));
    expect({ verdict, complaint }).toEqual({ verdict: "ok", complaint: "" });
    expect(await textsOf(bytes)).toHaveLength(pageCount);
  }

  test("has the pages of 20 documents in their order", async () => {
    const inputs = Array.from({ length: 20 }, (_, index) => makePdf({ pages: index + 1 }));
    const merged = await mergeBytes(inputs.map((bytes, index) => ({ bytes, title: `file ${index + 1}` })));
    await expectSound(merged, 210);
    const texts = await Promise.all(inputs.map(textsOf));
    expect(await textsOf(merged)).toEqual(texts.flat());
  });

  test("has the chosen pages in the chosen order", async () => {
    const bytes = makePdf({ pages: 5 });
    const texts = await textsOf(bytes);
    const merged = await mergeBytes([
      { bytes, pages: "last,1" },
      { bytes, pages: "3-2" },
      { bytes, pages: "all,x2,x4-" },
    ]);
    await expectSound(merged, 6);
    expect(await textsOf(merged)).toEqual([4, 0, 2, 1, 0, 2].map((index) => texts[index]));
  });

  test("has encrypted and damaged documents, decrypted and repaired", async () => {
    const plain = makePdf({ pages: 2 });
    const merged = await mergeBytes([
      { bytes: await protectBytes(plain, { password: "one" }), password: "one" },
      { bytes: damagedOnTheWay() },
      { bytes: await protectBytes(plain, { password: "two" }), password: "two" },
    ]);
    await expectSound(merged, 6);
    const texts = await textsOf(merged);
    expect(texts.slice(0, 2)).toEqual(await textsOf(plain));
    expect(texts[2]).toContain("NEEDED");
    expect(texts.slice(4)).toEqual(await textsOf(plain));
  });

  test("has each named destination once", async () => {
    const bytes = makeFeaturedPdf();
    const path = onDisk(scratch, await mergeBytes(Array.from({ length: 20 }, () => ({ bytes }))));
    const names = (await popplerDestinations(path)).map((line) => line.split(" ").at(-1));
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain("section#20");
  });

  test("has the given title", async () => {
    const bytes = makeFeaturedPdf();
    const path = onDisk(scratch, await mergeBytes([{ bytes }, { bytes }], { title: "Größe <Ω>" }));
    const info = await popplerInfo(path);
    expect(info.get("Title")).toBe("Größe <Ω>");
    expect(info.get("Author")).toBeUndefined();
    expect((await mustRun("pdfinfo", ["-meta", path])).toString()).toContain("Größe &lt;Ω&gt;");
    expect(await qpdfCheck(path)).toMatchObject({ verdict: "ok", complaint: "" });
  });

  test("has the named destinations of both tables, whatever the type of their references", async () => {
    const documents = DESTINATION_TABLES.flatMap((table) =>
      REFERENCE_TYPES.map((type) => documentOfNames("chapter", table, type)),
    );
    const merged = await mergeBytes(documents.map((bytes) => ({ bytes })));
    await expectSound(merged, 8);
    const path = onDisk(scratch, merged);
    const names = await popplerDestinations(path);
    expect(names.map((line) => line.split(" ")[0])).toEqual(["2", "4", "6", "8"]);
    const outline = (await mustRun("mutool", ["show", path, "outline"])).toString();
    expect([...outline.matchAll(/"entry"\s+#page=(\d)/g)].map(([, page]) => page)).toEqual([
      "2",
      "4",
      "6",
      "8",
    ]);
  });
});

describe.skipIf(missing.length > 0)("a merge of a form that has readers draw its fields", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  const flagged = formOf({
    fields: [
      fieldOf("name", "/FT/Tx/V(Ada)"),
      fieldOf("drawn", "/FT/Tx/V(new)/Rect[0 50 100 90]/AP<</N 20 0 R>>"),
    ],
    entries: "/NeedAppearances true",
  });
  const unflagged = formOf({
    fields: [fieldOf("agree", "/FT/Btn/V/Yes/AS/Yes/AP<</N<</Yes 20 0 R>>>>")],
  });

  test.each([
    ["after", [flagged, unflagged]],
    ["before", [unflagged, flagged]],
  ])("shows its values and leaves the form %s it as it is", async (_, inputs) => {
    const path = onDisk(scratch, await mergeBytes(inputs.map((bytes) => ({ bytes }))), "merged.pdf");
    expect(await qpdfCheck(path)).toMatchObject({ verdict: "ok", complaint: "" });
    const other = onDisk(scratch, unflagged);
    const drawn = await popplerDraws(path, 200, 200, 1 + inputs.indexOf(unflagged));
    expect(largestDifference(drawn, await popplerDraws(other, 200, 200))).toBe(0);
    const texts = await popplerPages(path);
    expect(texts[inputs.indexOf(flagged)]).toMatch(/new\s+Ada/);
    expect(await mupdfText(path)).toMatch(/Ada\s+new/);
  });
});

describe.skipIf(missing.length > 0)("a merge of ten copies", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  const font = "../../node_modules/@embedpdf/fonts-latin/fonts/NotoSans-Regular.ttf";
  const file = readFileSync(new URL(font, import.meta.url)).toString("latin1");
  const noise = Array.from({ length: 30_000 }, (_, at) => String.fromCharCode((at * at * 31) & 255)).join("");
  const images = "/Type/XObject/Subtype/Image/Width 100/Height 100/BitsPerComponent 8";
  /** A page with text in an embedded font, and an image with a soft mask. */
  const drawn = [
    streamOf(10, "BT/F 20 Tf 9 60 Td(share)Tj ET q 50 0 0 50 9 0 cm/I Do Q"),
    {
      num: 11,
      body: "<</Type/Font/Subtype/TrueType/BaseFont/NotoSans/FontDescriptor 12 0 R/Encoding/WinAnsiEncoding>>",
    },
    { num: 12, body: "<</Type/FontDescriptor/FontName/NotoSans/Flags 32/FontFile2 13 0 R>>" },
    streamOf(13, file, `/Length1 ${file.length}`),
    streamOf(14, noise, `${images}/ColorSpace/DeviceRGB/SMask 15 0 R`),
    streamOf(15, noise.slice(0, 10_000), `${images}/ColorSpace/DeviceGray`),
  ];
  const page = "/Contents 10 0 R/Resources<</Font<</F 11 0 R>>/XObject<</I 14 0 R>>>>";
  const field = "<</Type/Annot/Subtype/Widget/Rect[60 0 90 9]/P 3 0 R/FT/Tx/T(total)/AP<</N 21 0 R>>>>";
  const tagged = [
    ...catalogOf("3 0 R", "/MarkInfo<</Marked true>>/StructTreeRoot 5 0 R/AcroForm<</Fields[20 0 R]>>"),
    pageOf(3, `${page}/StructParents 0/Annots[20 0 R]`),
    structureOf(5, "0[6 0 R]"),
    { num: 6, body: "<</Type/StructElem/S/P/P 5 0 R/Pg 3 0 R/K 0>>" },
    { num: 20, body: field },
    streamOf(21, "0 1 0 rg 0 0 30 9 re f", "/Type/XObject/Subtype/Form/BBox[0 0 30 9]"),
  ];
  const streams = drawn.filter(({ stream }) => stream !== undefined);
  const others = drawn.filter(({ stream }) => stream === undefined);

  test.each([
    ["with fonts and images", pdfOf([...catalogOf("3 0 R"), pageOf(3, page), ...drawn])],
    ["with tags and form fields", pdfOf([...tagged, ...drawn])],
    ["with object streams", packedPdfOf(streams, [...catalogOf("3 0 R"), pageOf(3, page), ...others])],
  ])("takes at most 1.3 times the bytes of one, %s", async (_, bytes) => {
    const merged = await mergeBytes(Array.from({ length: 10 }, () => ({ bytes })));
    expect(merged.length).toBeLessThan(1.3 * bytes.length);
    const path = onDisk(scratch, merged);
    expect(await qpdfCheck(path)).toMatchObject({ verdict: "ok", complaint: "" });
    const [one] = await popplerDrawsAll(onDisk(scratch, bytes));
    const pages = await popplerDrawsAll(path);
    expect(pages).toHaveLength(10);
    for (const each of pages) expect(Buffer.compare(each, one ?? Buffer.of())).toBe(0);
    expect((await mupdfText(path)).match(/share/g)).toHaveLength(10);
  });

  test("has the appearances of states once, and those of texts for each field", async () => {
    const form = "/Type/XObject/Subtype/Form/BBox[0 0 9 9]";
    const widget = (left: number, entries: string) =>
      `<</Type/Annot/Subtype/Widget/F 4/Rect[${left} 0 ${left + 9} 9]/P 3 0 R${entries}>>`;
    const box = (num: number, on: number) => ({
      num,
      body: widget(num, `/FT/Btn/T(box${num})/AS/On/AP<</N<</On ${on} 0 R/Off 34 0 R>>>>`),
    });
    const bytes = pdfOf([
      ...catalogOf("3 0 R", "/AcroForm<</Fields[30 0 R 31 0 R 35 0 R]>>"),
      pageOf(3, "/Annots[30 0 R 31 0 R 35 0 R]"),
      ...[box(30, 32), box(31, 33)],
      ...[32, 33, 34].map((num) =>
        streamOf(num, num < 34 ? "0 1 0 rg 1 1 7 7 re f" : "1 0 0 rg 1 1 7 7 re f", form),
      ),
      { num: 35, body: widget(70, "/FT/Tx/T(text)/V(a)/AP<</N 36 0 R>>") },
      streamOf(36, "0 0 1 rg 0 0 9 9 re f", form),
    ]);
    const merged = await mergeBytes(Array.from({ length: 10 }, () => ({ bytes })));
    const forms = Buffer.from(merged)
      .toString("latin1")
      .match(/\/Subtype ?\/Form/g);
    // One for "on", one for "off", and ten texts.
    expect(forms).toHaveLength(12);
    const path = onDisk(scratch, merged);
    expect(await qpdfCheck(path)).toMatchObject({ verdict: "ok", complaint: "" });
    const [one] = await popplerDrawsAll(onDisk(scratch, bytes));
    for (const each of await popplerDrawsAll(path)) expect(Buffer.compare(each, one ?? Buffer.of())).toBe(0);
  });
});

describe.skipIf(missing.length > 0)("the comparison of merges in the corpus", () => {
  const scratch = new Scratch();
  const [engine, native, splitter] = [new OurMerger(), new QpdfMerger(), new OurEngine()];
  afterAll(async () => {
    engine.close();
    await splitter.close();
    scratch.remove();
  });

  test("accepts our output, and reports what native qpdf loses", async () => {
    const path = onDisk(scratch, makeFeaturedPdf());
    const entry = { file: "featured.pdf", bytes: 0, encrypted: false, password: undefined };
    const member = (number: number, range?: Member["range"]): Member => ({
      entry: { ...entry, qpdfCheck: "ok", qpdfPages: 4, nativeOpens: undefined },
      path,
      title: `${number}`,
      password: undefined,
      range,
    });
    const rows: Row[] = [];
    const members = [member(1), member(2, { first: 2, last: 3 }), member(3)];
    await examineMerge({ members, scratch, onRow: (row) => rows.push(row) }, [engine, native], splitter);
    const missed = (subject: string) => rows.filter((row) => row.subject === subject && !row.passed);
    expect(missed("ours").map(({ operation, why }) => `${operation}: ${why}`)).toEqual([]);
    const lost = missed("qpdf").map(({ operation }) => operation.replace("merge, ", ""));
    expect(lost).toEqual(
      expect.arrayContaining(["tags", "outlines", "named destinations", "calculation order", "layers"]),
    );
  });
});
