import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type InspectPdfOptions, PERMISSIONS } from "../../../../src/shared/protocol.ts";
import { BlobSource } from "../../../../workers/io/blob-source.ts";
import { PdfDocument } from "../../../../workers/pdf/file/document.ts";
import { inspectPdf } from "../../../../workers/pdf/inspect.ts";
import { protectBytes } from "../../../support/engine.ts";
import { FixtureEncryption } from "../../../support/fixtures/encrypted-pdf.ts";
import { type LargePdfShape, largePdfOf } from "../../../support/fixtures/large-pdf.ts";
import { type MadeEntry, makeOutlinedPdf } from "../../../support/fixtures/outlined-pdf.ts";
import { makePdf } from "../../../support/fixtures/pdf.ts";
import {
  catalogOf,
  type PlainObject,
  packedPdfOf,
  pageOf,
  pdfOf,
} from "../../../support/fixtures/pdf-objects.ts";
import { contextOf } from "../../../support/memory-context.ts";
import { SparseBlob, SparseReader } from "../../../support/readable-blob.ts";

async function inspect(bytes: Uint8Array, options: InspectPdfOptions = {}) {
  return (await inspectPdf(contextOf(bytes), options)).value;
}

/** A document of one page with these entries. */
function pageWith(entries: string, others: readonly PlainObject[] = []) {
  return pdfOf([...catalogOf("3 0 R"), { num: 3, body: `<</Type/Page/Parent 2 0 R${entries}>>` }, ...others]);
}

/** A document of an empty page with these catalog entries and objects. */
function documentWith(catalog: string, objects: readonly PlainObject[] = [], trailer?: string) {
  return pdfOf([...catalogOf("3 0 R", catalog), pageOf(3), ...objects], trailer);
}

/** A document with the document information as object 4. */
const withInfo = (body: string) => documentWith("", [{ num: 4, body }], "/Root 1 0 R/Info 4 0 R");

/** A document with a form of these fields. */
const formOf = (fields: string, ...objects: readonly PlainObject[]) =>
  documentWith(`/AcroForm<</Fields[${fields}]>>`, objects);

describe("a PDF", () => {
  test("without anything but pages", async () => {
    const bytes = makePdf({ pages: 3 });
    expect(await inspect(bytes)).toEqual({
      format: "pdf",
      size: bytes.length,
      pages: 3,
      page_sizes: Array.from({ length: 3 }, () => ({ width: 595, height: 842 })),
      encrypted: false,
      has_outline: false,
      has_form: false,
      is_signed: false,
    });
  });

  test.each([
    ["(A report)", "A report"],
    ["<FEFF6E56>", "湖"],
    ["(\\222\\240)", "™€"],
    ["( )", undefined],
    ["7", undefined],
  ])("with the title %s", async (title, expected) => {
    expect((await inspect(withInfo(`<</Title ${title}>>`))).title).toBe(expected);
  });

  test("with an outline", async () => {
    const outline = [
      { num: 4, body: "<</Type/Outlines/First 5 0 R/Last 5 0 R/Count 1>>" },
      { num: 5, body: "<</Title(One)/Parent 4 0 R>>" },
    ];
    expect(await inspect(documentWith("/Outlines 4 0 R", outline))).toMatchObject({ has_outline: true });
    expect(await inspect(documentWith("/Outlines<<>>", outline))).toMatchObject({ has_outline: false });
  });

  test("that a scan has to find", async () => {
    const text = Buffer.from(makePdf({ pages: 2 })).toString("latin1");
    const bytes = Buffer.from(text.slice(0, text.lastIndexOf("xref\n")), "latin1");
    expect(await inspect(bytes)).toMatchObject({ pages: 2, encrypted: false });
  });

  test("with many pages: sizes of the first 100", async () => {
    const { pages, page_sizes } = await inspect(makePdf({ pages: 300 }));
    expect(pages).toBe(300);
    expect(page_sizes).toHaveLength(100);
  });
});

describe("the outline", () => {
  /** Nine pages from object 100 on, and these outline items from object 10 on. */
  const outlined = (items: readonly string[]) => {
    const pages = Array.from({ length: 9 }, (_, index) => pageOf(100 + index));
    const kids = pages.map(({ num }) => `${num} 0 R`).join(" ");
    const objects = items.map((item, index) => ({ num: 10 + index, body: `<<${item}>>` }));
    return pdfOf([...catalogOf(kids, "/Outlines<</First 10 0 R>>"), ...objects, ...pages]);
  };
  const outlineOf = async (bytes: Uint8Array) => (await inspect(bytes, { outline: true })).outline;

  test("is read on request only", async () => {
    const bytes = makeOutlinedPdf(2, [["(One)", 1]]);
    expect(await inspect(bytes)).not.toHaveProperty("outline");
    expect(await inspect(bytes, { outline: true })).toMatchObject({
      has_outline: true,
      outline: [{ title: "One", page: 1, level: 1 }],
    });
  });

  test("has the entries in its own order, and the page of the first entry below one without a page", async () => {
    const bytes = outlined([
      "/Title<FEFF00C4>/First 11 0 R/Next 13 0 R",
      "/Title( deeper )/Dest[107 0 R/Fit]/First 12 0 R",
      "/Dest[106 0 R/Fit]",
      "/Title(Start)/A<</S/GoTo/D[100 0 R/Fit]>>",
    ]);
    expect(await outlineOf(bytes)).toEqual([
      { title: "Ä", page: 8, level: 1 },
      { title: "deeper", page: 8, level: 2 },
      { title: "", page: 7, level: 3 },
      { title: "Start", page: 1, level: 1 },
    ]);
  });

  test("is empty when no entry leads to a page", async () => {
    expect(await outlineOf(makePdf({ pages: 1 }))).toEqual([]);
    expect(await outlineOf(outlined(["/Title(nowhere)"]))).toEqual([]);
  });

  test("has at most 10,000 entries, with titles of at most 1,024 bytes", async () => {
    const entries = Array.from({ length: 10_001 }, (): MadeEntry => ["(t)", 1]);
    expect(await outlineOf(makeOutlinedPdf(1, entries))).toHaveLength(10_000);
    const [entry] = (await outlineOf(makeOutlinedPdf(1, [[`(${"x".repeat(5000)})`, 1]]))) ?? [];
    expect(entry?.title).toBe("x".repeat(1024));
  });

  test("is read up to the last entry that is returned", async () => {
    const entries = Array.from({ length: 40_000 }, (): MadeEntry => ["(t)", 1]);
    const bytes = makeOutlinedPdf(1, entries);
    const reads = vi.spyOn(PdfDocument.prototype, "read");
    onTestFinished(() => reads.mockRestore());
    expect(await outlineOf(bytes)).toHaveLength(10_000);
    expect(reads.mock.calls.length).toBeLessThan(60_000);
  });

  test("is absent when it cannot be read: inspecting does not fail", async () => {
    const tooDeep = `/Title${"[".repeat(1000)}`;
    const found = await inspect(outlined(["/Title(One)/Dest[100 0 R/Fit]/Next 11 0 R", tooDeep]), {
      outline: true,
    });
    expect(found).toMatchObject({ pages: 9, has_outline: true });
    expect(found).not.toHaveProperty("outline");
  });

  test("of a locked PDF needs the password", async () => {
    const locked = await protectBytes(makeOutlinedPdf(1, [["(One)", 1]]), { password: "user" });
    expect(await inspect(locked, { outline: true })).not.toHaveProperty("outline");
    expect(await inspect(locked, { outline: true, password: "user" })).toMatchObject({
      outline: [{ title: "One", page: 1, level: 1 }],
    });
  });
});

describe("the number of pages", () => {
  const pages = Array.from({ length: 150 }, (_, index) => pageOf(index + 10));
  const all = pages.map(({ num }) => `${num} 0 R`).join(" ");
  const root = (entries: string) => [
    { num: 1, body: "<</Type/Catalog/Pages 2 0 R>>" },
    { num: 2, body: `<</Type/Pages${entries}>>` },
  ];

  test.each([
    ["is that of the tree", `/Count 150/Kids[${all}]`, 150],
    ["is right when Count is wrong", `/Count 7/Kids[${all}]`, 150],
    ["is right when a listed page does not exist", `/Count 151/Kids[${all} 5 0 R]`, 150],
    ["counts a page as often as it is listed", `/Count 151/Kids[${all} 10 0 R]`, 151],
    ["is right when Count is the number of nodes", "/Count 2/Kids[3 0 R 4 0 R]", 151],
  ])("%s", async (_, entries, expected) => {
    const nodes = [
      { num: 3, body: `<</Type/Pages/Parent 2 0 R/Count 150/Kids[${all}]>>` },
      { num: 4, body: "<</Type/Pages/Parent 2 0 R/Count 1/Kids[10 0 R]>>" },
    ];
    expect((await inspect(pdfOf([...root(entries), ...nodes, ...pages]))).pages).toBe(expected);
  });

  test("of a tree that lists a node twice is damaged_file", async () => {
    const node = { num: 3, body: `<</Type/Pages/Parent 2 0 R/Count 150/Kids[${all}]>>` };
    const bytes = pdfOf([...root("/Count 300/Kids[3 0 R 3 0 R]"), node, ...pages]);
    await expect(inspect(bytes)).rejects.toMatchObject({ code: "damaged_file" });
  });
});

describe("the size of a page", () => {
  test.each([
    ["/MediaBox[0 0 595.276 841.89]", 595.276, 841.89],
    ["/MediaBox[100.1 700 0.2 0]", 99.9, 700],
    ["/MediaBox[0 0 200 100]/Rotate 90", 100, 200],
    ["/MediaBox[0 0 200 100]/Rotate -90", 100, 200],
    ["/MediaBox[0 0 200 100]/Rotate 540", 200, 100],
    ["/MediaBox[0 0 200 100]/CropBox[50 20 150 80]", 100, 60],
    ["/MediaBox[0 0 200 100]/CropBox[-50 20 500 80]", 200, 60],
    ["/MediaBox[0 0 200 100]/CropBox[300 300 400 400]", 200, 100],
    ["/MediaBox[0 0 200 100]/CropBox[50 20 50 80]", 200, 100],
    ["/MediaBox[0 0 200 100]/UserUnit 2.5", 500, 250],
    ["/MediaBox[0 0 200 100]/UserUnit 0", 200, 100],
    ["/MediaBox 4 0 R", 30, 40],
    ["/MediaBox null", 612, 792],
    ["", 612, 792],
  ])("of %s", async (entries, width, height) => {
    const box = { num: 4, body: "[0 0 30 5 0 R]" };
    const { page_sizes } = await inspect(pageWith(entries, [box, { num: 5, body: "40" }]));
    expect(page_sizes).toEqual([{ width, height }]);
  });

  test("is inherited, and a page may override it", async () => {
    const bytes = pdfOf([
      { num: 1, body: "<</Type/Catalog/Pages 2 0 R>>" },
      { num: 2, body: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 70 50]/Rotate 90>>" },
      { num: 3, body: "<</Type/Page/Parent 2 0 R>>" },
      { num: 4, body: "<</Type/Page/Parent 2 0 R/Rotate 0>>" },
    ]);
    expect((await inspect(bytes)).page_sizes).toEqual([
      { width: 50, height: 70 },
      { width: 70, height: 50 },
    ]);
  });
});

describe("a form", () => {
  const kid = { num: 5, body: "<</T(b)/V 9 0 R>>" };
  const value = { num: 9, body: "<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 0 0 0]/Contents<00>>>" };

  test.each([
    ["a text field", formOf("4 0 R", { num: 4, body: "<</FT/Tx/T(a)/V(x)>>" }), true, false],
    ["a field to sign", formOf("4 0 R", { num: 4, body: "<</FT/Sig/T(a)>>" }), true, false],
    ["a signature", formOf("4 0 R", { num: 4, body: "<</FT/Sig/T(a)/V 9 0 R>>" }, value), true, true],
    [
      "a signature among kids",
      formOf("4 0 R", { num: 4, body: "<</FT/Sig/T(a)/Kids[5 0 R 4 0 R]>>" }, kid, value),
      true,
      true,
    ],
    ["no field", formOf(""), false, false],
  ])("with %s", async (_, bytes, has_form, is_signed) => {
    expect(await inspect(bytes)).toMatchObject({ has_form, is_signed });
  });
});

describe("an encrypted PDF", () => {
  const locked = protectBytes(withInfo("<</Title(Secret)>>"), {
    ...{ password: "user", ownerPassword: "owner", permissions: ["print"] },
  });
  const known = { encrypted: true, opens_with_empty_password: false, permissions: ["print", "print_low"] };

  test("that needs a password returns the properties that are not encrypted", async () => {
    const encryption = new FixtureEncryption({ user: "user" });
    const objects = [...catalogOf("3 0 R"), pageOf(3)];
    const found = await inspect(encryption.fileOf(objects, "AESV2", "/StmF/StdCF/StrF/StdCF"));
    expect(found).toMatchObject({ encrypted: true, opens_with_empty_password: false });
    expect(found).toMatchObject({ pages: 1, has_form: false });
    expect(found).not.toHaveProperty("title");
  });

  test.each(["user", "owner"])("with the %s password", async (password) => {
    expect(await inspect(await locked, { password })).toMatchObject({ ...known, pages: 1, title: "Secret" });
  });

  test.each(["", "wrong"])("with the wrong password %j", async (password) => {
    await expect(inspect(await locked, { password })).rejects.toMatchObject({ code: "wrong_password" });
  });

  test.each([
    ["as protect writes it", pdfOf([...catalogOf("3 0 R"), pageOf(3)])],
    ["with object streams", packedPdfOf([{ num: 9, body: "<<>>" }], [...catalogOf("3 0 R"), pageOf(3)])],
  ])("%s: without the password, only the access is known", async (_, packed) => {
    const bytes = await protectBytes(packed, { password: "user" });
    expect(await inspect(bytes)).toEqual({
      ...{ format: "pdf", size: bytes.length, encrypted: true, opens_with_empty_password: false },
      permissions: [...PERMISSIONS],
    });
    expect(await inspect(bytes, { password: "user" })).toMatchObject({ pages: 1 });
    // The same without the end, so that a scan has to find the objects.
    const cut = bytes.slice(0, Buffer.from(bytes).lastIndexOf("startxref"));
    expect(await inspect(cut)).not.toHaveProperty("pages");
    expect(await inspect(cut, { password: "user" })).toMatchObject({ pages: 1 });
  });

  test.each([
    ["that opens for everyone", "", "/StmF/StdCF/StrF/StdCF"],
    ["of which only attachments are encrypted", "user", "/StmF/Identity/StrF/Identity/EFF/StdCF"],
  ])("%s is inspected without its password, and with any", async (_, user, filters) => {
    const objects = [...catalogOf("3 0 R"), pageOf(3)];
    const bytes = new FixtureEncryption({ user }).fileOf(objects, "AESV2", filters);
    for (const password of [undefined, "not needed"]) {
      const found = await inspect(bytes, { password });
      expect(found).toMatchObject({ encrypted: true, opens_with_empty_password: true, pages: 1 });
    }
  });

  test("with an unknown encryption is unsupported_encryption", async () => {
    const encryption = { num: 4, body: "<</Filter/Adobe.PubSec/V 4>>" };
    const bytes = documentWith("", [encryption], "/Root 1 0 R/Encrypt 4 0 R");
    await expect(inspect(bytes)).rejects.toMatchObject({ code: "unsupported_encryption" });
  });
});

describe("a PDF of 2 GB", () => {
  /** Inspects a sparse file. Returns what was found, and how much was read. */
  async function inspectLarge(shape: Omit<LargePdfShape, "bytesPerPage">) {
    const file = largePdfOf({ ...shape, bytesPerPage: Math.floor(2_000_000_000 / shape.pages) });
    const reader = new SparseReader();
    const source = new BlobSource(new SparseBlob(file), reader);
    const { value } = await inspectPdf(contextOf(source), {});
    return { found: value, reader };
  }

  test.each([{ pages: 5 }, { pages: 4000 }, { pages: 400, pagesPerNode: 100 }])(
    "is inspected with few reads: $pages pages",
    async (shape) => {
      const { found, reader } = await inspectLarge(shape);
      expect(found.size).toBeGreaterThan(1_900_000_000);
      expect(found.pages).toBe(shape.pages);
      expect(found.page_sizes).toHaveLength(Math.min(shape.pages, 10));
      expect(reader.calls).toBeLessThanOrEqual(25);
      expect(reader.bytesRead).toBeLessThan(4_000_000);
    },
  );

  test("with a page tree of thousands of nodes: the number of pages is not known", async () => {
    const { found, reader } = await inspectLarge({ pages: 4400, pagesPerNode: 4 });
    expect(found).not.toHaveProperty("pages");
    expect(found.page_sizes).toHaveLength(10);
    expect(reader.calls).toBeLessThan(2100);
  });
});

describe("a hostile PDF", () => {
  const circle = { num: 5, body: "[<</FT/Tx/Kids 5 0 R>><</FT/Tx/Kids 5 0 R>>]" };

  test("whose fields contain themselves is input_too_large", async () => {
    const bytes = documentWith("/AcroForm<</Fields 5 0 R>>", [circle]);
    await expect(inspect(bytes)).rejects.toMatchObject({ code: "input_too_large" });
  });

  test("whose pages contain themselves is input_too_large", async () => {
    const pages = { num: 2, body: "<</Type/Pages/Count 2/Kids 5 0 R>>" };
    const bytes = pdfOf([{ num: 1, body: "<</Type/Catalog/Pages 2 0 R>>" }, pages, circle]);
    await expect(inspect(bytes)).rejects.toMatchObject({ code: "input_too_large" });
  });

  test("whose title has a megabyte has no title", async () => {
    expect(await inspect(withInfo(`<</Title(${"x".repeat(1e6)})>>`))).not.toHaveProperty("title");
  });
});
