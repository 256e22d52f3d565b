import { describe, expect, it } from "vitest";
import { ServiceError } from "../../src/shared/errors.ts";
import type { ByteSink } from "../../workers/io/sink.ts";
import { bufferSource } from "../../workers/io/source.ts";
import { PdfDocument } from "../../workers/pdf/file/document.ts";
import { withRebuild } from "../../workers/pdf/open.ts";
import { splitFiles } from "../../workers/pdf/split.ts";
import { PeakMemory } from "../bench/peak-memory.ts";
import { catalogOf, type PlainObject, pageOf, pdfOf } from "../support/fixtures/pdf-objects.ts";

/**
 * The limit of processor time for one operation. The engine needs less than 5 s on a desktop computer of
 * 2024. Before the budget was charged for entries, these files took 25 to 100 s, or all memory.
 */
const SECONDS = 15;
/** The limit of the process's memory growth, as SECURITY.md states it. A new process grows by up to 530 on a busy machine. */
const MEGABYTES = 600;

/** Splits a document, discards the outputs, and returns their number. */
async function splitCount(input: Uint8Array, pages: string): Promise<number> {
  let count = 0;
  const by = { kind: "pages", pages } as const;
  await withRebuild(PdfDocument.open(bufferSource(input)), async (document) => {
    count = 0;
    const parts = splitFiles(document, { by, name: "file" }, () => undefined, countingSink);
    for await (const _ of parts) count++;
  });
  return count;
}

function countingSink(): ByteSink {
  let length = 0;
  return {
    get length() {
      return length;
    },
    write: (bytes) => {
      length += bytes.length;
    },
    copy: (_, start, end) => {
      length += end - start;
    },
    restart: () => {
      length = 0;
    },
  };
}

/** Returns the code of the typed error of some work, or "done" when the work succeeds. */
async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "done";
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

async function expectBounded(run: () => Promise<unknown>, outcomes: readonly string[]): Promise<void> {
  const memory = new PeakMemory(process.pid);
  const start = process.cpuUsage();
  const outcome = await outcomeOf(run());
  const { user, system } = process.cpuUsage(start);
  const grown = memory.stop() - memory.idleBytes;
  expect(outcomes).toContain(outcome);
  expect((user + system) / 1e6).toBeLessThan(SECONDS);
  expect(grown / 2 ** 20).toBeLessThan(MEGABYTES);
}

const numbers = (count: number, first = 0) => Array.from({ length: count }, (_, index) => first + index);
const references = (count: number, first: number) =>
  numbers(count, first)
    .map((num) => `${num} 0 R`)
    .join(" ");
const each = (count: number, text: (index: number) => string) => numbers(count).map(text).join("");

/** A document of one page, which the page tree lists `times` times. */
const documentOf = (catalog: string, page: string, objects: readonly PlainObject[], times = 1) =>
  pdfOf([...catalogOf("3 0 R ".repeat(times), catalog), pageOf(3, page), ...objects]);
const owners = (count: number, body: (index: number) => string): PlainObject[] =>
  numbers(count).map((index) => ({ num: 100 + index, body: body(index) }));

describe("a split writes all outputs", () => {
  const count = 20_000;
  const tags = (element: string, list: string) =>
    documentOf("/StructTreeRoot 4 0 R", "/StructParents 0", [
      { num: 4, body: `<</Type/StructTreeRoot/K[${references(count, 100)}]/ParentTree<</Nums[0 6 0 R]>>>>` },
      { num: 5, body: `[${list}]` },
      { num: 6, body: `[${references(count, 100)}]` },
      ...owners(count, () => `<</Type/StructElem/S/P/P 4 0 R/Pg 3 0 R${element}>>`),
    ]);
  const form = (entries: string, objects: readonly PlainObject[]) =>
    documentOf(`/AcroForm<</Fields[${references(count, 100)}]>>`, "/Annots 6 0 R", [
      { num: 6, body: `[${references(count, 100)}]` },
      ...objects,
      ...owners(count, () => `<</Subtype/Widget/FT/Tx/T(t)/Rect[0 0 1 1]${entries}>>`),
    ]);
  const cases: [what: string, input: () => Uint8Array, pages: string][] = [
    ["20,000 elements that share K", () => tags("/K 5 0 R", references(count, 100)), "1"],
    ["20,000 elements that share K of numbers", () => tags("/K 5 0 R", numbers(count).join(" ")), "1"],
    [
      "20,000 direct elements that share K",
      () =>
        documentOf("/StructTreeRoot 4 0 R", "/StructParents 0", [
          { num: 4, body: "<</Type/StructTreeRoot/K 7 0 R/ParentTree<</Nums[0[7 0 R]]>>>>" },
          { num: 5, body: `[${numbers(count).join(" ")}]` },
          { num: 7, body: `<</S/P/P 4 0 R/Pg 3 0 R/K[${"<</S/P/K 5 0 R>>".repeat(count)}]>>` },
        ]),
      "1",
    ],
    ["20,000 elements that share C", () => tags("/K 0/C 5 0 R", "/a ".repeat(count)), "1"],
    [
      "20,000 fields that share Kids",
      () => form("/Kids 5 0 R", [{ num: 5, body: `[${references(count, 100)}]` }]),
      "1",
    ],
    [
      "20,000 leaves of a name tree that share their names",
      () =>
        documentOf(`/Names<</Dests<</Kids[${references(count, 100)}]>>>>`, "", [
          { num: 5, body: `[${each(count, (index) => `(${index})[3 0 R/Fit]`)}]` },
          ...owners(count, () => "<</Names 5 0 R>>"),
        ]),
      "1",
    ],
    [
      "20,000 groups of layers that are the same list",
      () =>
        documentOf(
          `/OCProperties<</OCGs[${references(count, 100)}]/D<</Order[${"5 0 R ".repeat(count)}]>>>>`,
          "/X 100 0 R",
          [{ num: 5, body: `[${references(count, 100)}]` }, ...owners(count, () => "<</Type/OCG/Name(x)>>")],
        ),
      "1",
    ],
    [
      "default resources of 40,000 fonts that no text names",
      () =>
        documentOf(
          `/AcroForm<</Fields[100 0 R]/DR<</Font<<${each(2 * count, (index) => `/f${index} 7 0 R`)}>>>>>>`,
          "/Annots[100 0 R]",
          [
            { num: 7, body: "<</Type/Font/Subtype/Type3/CharProcs<<>>>>" },
            ...owners(1, () => "<</Subtype/Widget/FT/Tx/T(t)/Rect[0 0 1 1]>>"),
          ],
        ),
      "1",
    ],
    [
      "50,000 destinations with page numbers, for pages that are direct objects",
      () =>
        pdfOf(
          catalogOf(
            "<</Type/Page/MediaBox[0 0 9 9]>>".repeat(50_000),
            `/Names<</Dests<</Names[${each(50_000, (index) => `(${index})[${index}/Fit]`)}]>>>>`,
          ),
        ),
      "1-",
    ],
  ];
  it.each(cases)("of a document with %s", async (_, input, pages) => {
    const bytes = input();
    await expectBounded(() => splitCount(bytes, pages), ["done"]);
  });
});

describe("a split that repeats shared data ends with input_too_large", () => {
  const count = 20_000;
  const cases: [what: string, input: () => Uint8Array, pages: string][] = [
    [
      "20,000 elements that share a long ID",
      () =>
        documentOf("/StructTreeRoot 4 0 R", "/StructParents 0", [
          {
            num: 4,
            body: `<</Type/StructTreeRoot/K[${references(count, 100)}]/ParentTree<</Nums[0 6 0 R]>>>>`,
          },
          { num: 5, body: `(${"x".repeat(200_000)})` },
          { num: 6, body: `[${references(count, 100)}]` },
          ...owners(count, () => "<</S/P/P 4 0 R/Pg 3 0 R/K 0/ID 5 0 R>>"),
        ]),
      "1",
    ],
    [
      "16,000 layers that share a dictionary of 16,000 usages",
      () => {
        const layers = Array.from({ length: 16_000 }, (_, index) => 100 + index);
        const refs = layers.map((num) => `${num} 0 R`).join(" ");
        return pdfOf([
          ...catalogOf("3 0 R", `/OCProperties<</OCGs[${refs}]/D<<>>>>`),
          pageOf(3, `/Resources<</Properties<</M<</Type/OCMD/OCGs[${refs}]>>>>>>/Contents 6 0 R`),
          { num: 6, body: "<<>>", stream: "/OC /M BDC EMC" },
          ...layers.map((num) => ({
            num,
            body: "<</Type/OCG/Name(x)/Usage<</Export 10 0 R/View 10 0 R>>>>",
          })),
          { num: 10, body: `<<${layers.map((num) => `/k${num}(x)`).join("")}>>` },
        ]);
      },
      "1",
    ],
    [
      "20,000 names in each of 20,000 files",
      () =>
        documentOf(
          `/Names<</Dests<</Names[${each(count, (index) => `(${index})[3 0 R/Fit]`)}]>>>>`,
          "",
          [],
          count,
        ),
      "all",
    ],
  ];
  it.each(cases)("%s", async (_, input, pages) => {
    const bytes = input();
    await expectBounded(() => splitCount(bytes, pages), ["input_too_large"]);
  });
});

describe("the files of a split", () => {
  const megabyte = (times: number) =>
    documentOf("", "/X 4 0 R", [{ num: 4, body: "<<>>", stream: "x".repeat(1_100_000) }], times);

  it("end with input_too_large and both numbers when one page of 1 MB is listed 3,000 times", async () => {
    const input = megabyte(3000);
    await expect(splitCount(input, "all")).rejects.toMatchObject({
      code: "input_too_large",
      details: { input_bytes: input.length, output_limit_bytes: 2 ** 29 + 100 * input.length },
      message: expect.stringMatching(/ 1\.1 MB .* 619 MB .*fewer pages/),
    });
  });

  it("are written when 500 pages share 1 MB", async () => {
    expect(await splitCount(megabyte(500), "all")).toBe(500);
  });
});
