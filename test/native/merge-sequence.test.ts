import { PDFArray, PDFDict, PDFDocument, PDFName, PDFRef } from "pdf-lib";
import { afterAll, describe, expect, test } from "vitest";
import type { SequenceEntry } from "../../src/shared/protocol.ts";
import { mergeBytes, protectBytes } from "../support/engine.ts";
import { damagedOnTheWay } from "../support/fixtures/damaged-pdf.ts";
import { makeFeaturedPdf } from "../support/fixtures/featured-pdf.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { catalogOf, pageOf, pdfOf } from "../support/fixtures/pdf-objects.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import {
  mustRun,
  type NativeEntry,
  popplerDestinations,
  popplerPages,
  popplerTags,
  qpdfCheck,
  qpdfOutline,
} from "../support/oracles.ts";
import { onDisk } from "../support/pdf-files.ts";

const missing = announceMissing("pages merged in any order", ["qpdf", "pdftotext", "pdfinfo"]);

describe.skipIf(missing.length > 0)("a merge with a sequence", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());
  const featured = { bytes: makeFeaturedPdf(), title: "featured" };
  const plain = { bytes: makePdf({ pages: 2 }), title: "plain" };

  async function merged(files: Parameters<typeof mergeBytes>[0], sequence: readonly SequenceEntry[]) {
    const bytes = await mergeBytes(files, { sequence });
    const path = onDisk(scratch, bytes);
    expect(await qpdfCheck(path)).toMatchObject({
      verdict: "ok",
      complaint: "",
      pageCount: sequence.length,
    });
    return { bytes, path };
  }

  /** The text of each page without the words between: `of 3` for the featured document, `2` for the plain one. */
  async function shownIn(path: string): Promise<readonly (string | undefined)[]> {
    return (await popplerPages(path)).map((text) => /(of )?page (\d)/i.exec(text)?.slice(1, 3).join(""));
  }

  /** The page that each link of a page leads to, from 0; undefined without one. */
  async function linksOf(bytes: Uint8Array, place: number): Promise<readonly (number | undefined)[]> {
    const document = await PDFDocument.load(bytes);
    const pages = document.getPages();
    const names = document.catalog.lookup(PDFName.of("Names"), PDFDict).lookup(PDFName.of("Dests"), PDFDict);
    const pairs = names.lookup(PDFName.of("Names"), PDFArray).asArray();
    const annotations = pages[place]?.node.Annots()?.asArray() ?? [];
    return annotations.flatMap((annotation) => {
      const dict = document.context.lookup(annotation, PDFDict);
      if (dict.lookup(PDFName.of("Subtype")) !== PDFName.of("Link") || dict.has(PDFName.of("A"))) return [];
      const given = dict.lookup(PDFName.of("Dest"));
      const named = pairs[pairs.findIndex((name) => String(name) === String(given)) + 1];
      const found = given instanceof PDFArray ? given : named && document.context.lookup(named);
      const page = found instanceof PDFArray ? found.get(0) : undefined;
      return [page instanceof PDFRef ? pages.findIndex(({ ref }) => ref === page) : undefined];
    });
  }

  const MIXED: readonly SequenceEntry[] = [
    { file: 0, page: 3 },
    { file: 1, page: 2, rotate: 90 },
    { file: 0, page: 2 },
    { file: 1, page: 1 },
    { file: 0, page: 2, rotate: 180 },
    { file: 0, page: 1, rotate: -90 },
  ];

  test("has the pages in its order, rotated", async () => {
    const { bytes, path } = await merged([featured, plain], MIXED);
    expect(await shownIn(path)).toEqual(["of 3", "2", "of 2", "1", "of 2", "of 1"]);
    const document = await PDFDocument.load(bytes);
    expect(document.getPages().map((page) => page.getRotation().angle)).toEqual([0, 90, 0, 0, 180, 270]);
  });

  test("keeps the label of each page", async () => {
    const { path } = await merged([featured, plain], MIXED);
    const json = JSON.parse(
      (await mustRun("qpdf", ["--json", "--json-key=pagelabels", path])).toString("utf8"),
    );
    // The pages of the plain document have their numbers.
    expect(json.pagelabels.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
    const labels = json.pagelabels.map(({ label }: { label: Record<string, unknown> }) => [
      label["/P"] ?? "",
      label["/S"],
      label["/St"] ?? 1,
    ]);
    expect(labels).toEqual([
      ["u:A-", "/D", 1],
      ["", "/D", 2],
      ["", "/r", 2],
      ["", "/D", 1],
      ["", "/r", 2],
      ["", "/r", 1],
    ]);
  });

  test("leads links to the first copy of a page, and to the copy beside a repeated page", async () => {
    const { bytes } = await merged([featured, plain], MIXED);
    // To page 3, to page 4, which is not there, to page 2 by name, and to page 4 by name.
    expect(await linksOf(bytes, 2)).toEqual([0, undefined, 2, undefined]);
    expect(await linksOf(bytes, 4)).toEqual([0, undefined, 4, undefined]);
  });

  test("has one outline item for each file, and each name once", async () => {
    const { path } = await merged([featured, plain], MIXED);
    const outline = await qpdfOutline(path);
    expect(outline.map(({ title, destpageposfrom1 }) => [title, destpageposfrom1])).toEqual([
      ["featured", 1],
      ["plain", 2],
    ]);
    const pages = (entries: readonly NativeEntry[]): (number | null)[] =>
      entries.flatMap(({ destpageposfrom1, kids }) => [destpageposfrom1, ...pages(kids)]);
    // "One" leads to page 1, its first section to page 2, and a heading stands above page 3.
    expect(pages(outline[0]?.kids ?? [])).toEqual(expect.arrayContaining([6, 3, 1]));
    const names = (await popplerDestinations(path)).map((line) => line.split(" ").at(-1));
    expect(names.toSorted()).toEqual(["intro", "middle", "section"]);
  });

  test("copies fields and tags with each copy of a page", async () => {
    const { bytes, path } = await merged(
      [featured],
      [1, 2, 2, 2].map((page) => ({ file: 0, page })),
    );
    const fields = (await PDFDocument.load(bytes)).getForm().getFields();
    const names = fields.map((field) => field.getName());
    expect(new Set(names).size).toBe(names.length);
    const once = (await PDFDocument.load(await mergeBytes([featured], { sequence: [{ file: 0, page: 2 }] })))
      .getForm()
      .getFields();
    expect(names.filter((name) => /#2/.test(name))).toHaveLength(once.length);
    const tagged = (await popplerTags(path)).filter((line) => line.includes("text of page 2"));
    expect(tagged).toHaveLength(3);
  });

  test("of one file has the outline and the attachments of the file itself", async () => {
    const order = [4, 3, 2, 1].map((page) => ({ file: 0, page }));
    const { path } = await merged([featured], order);
    expect((await qpdfOutline(path)).map(({ title }) => title)).toContain("One");
    const { path: twice } = await merged([featured], [...order, ...order]);
    for (const each of [path, twice]) {
      const attached = (await mustRun("qpdf", ["--list-attachments", each])).toString();
      expect(attached).toMatch(/^note\.txt -> [^\n]*\n$/);
    }
  });

  test("opens protected and damaged files", async () => {
    const locked = { bytes: await protectBytes(plain.bytes, { password: "key" }), password: "key" };
    const { path } = await merged(
      [locked, { bytes: damagedOnTheWay() }],
      [
        { file: 1, page: 1 },
        { file: 0, page: 2 },
        { file: 1, page: 2 },
        { file: 1, page: 1 },
      ],
    );
    expect((await popplerPages(path)).map((text) => text.trim())).toEqual([
      "NEEDED",
      expect.stringMatching(/2/),
      "",
      "NEEDED",
    ]);
  });

  test("is refused for a page that a file does not have", async () => {
    const sequence = [
      { file: 0, page: 1 },
      { file: 1, page: 3 },
    ];
    await expect(mergeBytes([featured, plain], { sequence })).rejects.toMatchObject({
      code: "invalid_page_selection",
      message: expect.stringContaining("names page 3 of this file as entry 1"),
      details: { parameter: "sequence", position: 1, page_count: 2, file_index: 1 },
    });
  });
});

describe.skipIf(missing.length > 0)("a merge with empty pages", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  test("has one after each odd number of chosen pages, as large as the page before it is shown", async () => {
    const entries = "/MediaBox[0 0 300 200]/CropBox[50 20 250.5 120]/Rotate 90/UserUnit 2";
    const odd = { bytes: pdfOf([...catalogOf("3 0 R"), pageOf(3, entries)]) };
    const plain = { bytes: makePdf({ pages: 4 }) };
    const inputs = [{ ...plain, pages: "1-3" }, { ...odd, rotate: "90" }, { ...plain, pages: "1-2" }, odd];
    const bytes = await mergeBytes(inputs, { blank: "odd" });
    const path = onDisk(scratch, bytes);
    expect(await qpdfCheck(path)).toMatchObject({ verdict: "ok", complaint: "", pageCount: 10 });
    const texts = (await popplerPages(path)).map((text) => text.trim() !== "");
    expect(texts).toEqual([true, true, true, false, false, false, true, true, false, false]);
    // Poppler says sizes before rotation, in user units.
    const sizes = (await mustRun("pdfinfo", ["-l", "10", path]))
      .toString()
      .matchAll(/size:\s+(\S+) x (\S+)/g);
    const found = [...sizes].map(([, width, height]) => [Number(width), Number(height)]);
    expect(found.slice(2)).toEqual([
      [595, 842],
      [595, 842],
      [200.5, 100],
      [200.5, 100],
      [595, 842],
      [595, 842],
      [200.5, 100],
      [100, 200.5],
    ]);
  });

  test("keeps the labels of the pages after them", async () => {
    const featured = { bytes: makeFeaturedPdf(), pages: "1-3" };
    const path = onDisk(scratch, await mergeBytes([featured, featured], { blank: "odd" }));
    const json = await mustRun("qpdf", ["--json", "--json-key=pagelabels", path]);
    const indices = JSON.parse(json.toString("utf8")).pagelabels.map(
      ({ index }: { readonly index: number }) => index,
    );
    expect(indices).toEqual([0, 2, 4, 6]);
  });
});
