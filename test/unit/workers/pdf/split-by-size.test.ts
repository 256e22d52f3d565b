import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { filesWithin } from "../../../../workers/pdf/split-by-size.ts";

const HEAD = 500;

/** Splits pages of the given lengths. The length of a file is that of its pages, and of what all files have. */
async function split(pages: readonly number[], maxBytes: number, shared = HEAD) {
  const copied: number[] = [];
  const files = filesWithin({
    pageCount: pages.length,
    maxBytes,
    bytesPerPage: pages.reduce((sum, bytes) => sum + bytes, shared) / pages.length,
    write: async (item) => {
      copied.push(item.pages.length);
      return { length: item.pages.reduce((sum, page) => sum + (pages[page - 1] ?? 0), shared) };
    },
  });
  const found: { label: string; pages: readonly number[]; bytes: number }[] = [];
  for await (const { item, content } of files) found.push({ ...item, bytes: content.length });
  const copies = copied.reduce((sum, count) => sum + count, 0);
  return { files: found, trials: copied.length, copies };
}

/** The number of pages of each file, found page by page. */
function greedy(pages: readonly number[], maxBytes: number, shared = HEAD): readonly number[] {
  const counts: number[] = [];
  let bytes = Infinity;
  for (const page of pages) {
    bytes += page;
    if (bytes > maxBytes) {
      counts.push(0);
      bytes = shared + page;
    }
    counts.push((counts.pop() ?? 0) + 1);
  }
  return counts;
}

const countsOf = (files: readonly { pages: readonly number[] }[]) => files.map(({ pages }) => pages.length);

describe("files of at most so many bytes", () => {
  test("have as many consecutive pages as fit, and are called like page ranges", async () => {
    const { files } = await split([100, 100, 100, 300, 50, 50, 50, 50, 50, 50, 400], HEAD + 300);
    expect(files.map(({ label }) => label)).toEqual(["01-03", "04", "05-10", "11"]);
  });

  test("are one file when all pages fit, written once", async () => {
    const { files, trials } = await split(Array(5000).fill(1000), 10_000_000);
    expect(countsOf(files)).toEqual([5000]);
    expect(trials).toBe(1);
  });

  test.each([
    ["similar pages", (page: number) => 1000 + (page % 7), 30_000, 3],
    ["pages that share a font of 1 MB", (page: number) => 1000 + (page % 7), 1_100_000, 3],
    ["a few large pages", (page: number) => (page % 50 === 0 ? 20_000 : 1000), 30_000, 6],
    ["small pages, then large ones", (page: number) => (page < 1000 ? 10 : 10_000), 30_000, 6],
    ["large pages, then small ones", (page: number) => (page < 1000 ? 10_000 : 10), 30_000, 6],
  ])("copy pages of a document with %s a few times", async (_, lengthOf, maxBytes, times) => {
    const shared = maxBytes > 1_000_000 ? 1_000_000 : HEAD;
    const pages = Array.from({ length: 2000 }, (_, page) => lengthOf(page));
    const { files, copies } = await split(pages, maxBytes, shared);
    expect(countsOf(files)).toEqual(greedy(pages, maxBytes, shared));
    expect(copies).toBeLessThanOrEqual(times * pages.length);
  });

  test("are found with trials that grow like a logarithm, whatever the lengths of the pages", async () => {
    const length = fc.oneof(fc.constantFrom(0, 1, 1_000_000), fc.integer({ min: 0, max: 5000 }));
    const runs = fc.array(fc.tuple(length, fc.integer({ min: 1, max: 300 })), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(runs, fc.integer({ min: 1, max: 100_000 }), async (runs, maxBytes) => {
        const pages = runs.flatMap(([bytes, count]) => Array<number>(count).fill(bytes));
        const { files, trials, copies } = await split(pages, maxBytes);
        expect(countsOf(files)).toEqual(greedy(pages, maxBytes));
        const steps = Math.log2(pages.length) + 2;
        expect(trials).toBeLessThanOrEqual(3 * steps * files.length);
        expect(copies).toBeLessThanOrEqual(4 * steps * pages.length);
      }),
    );
  });

  test("never exceed the limit where more pages make a shorter file", async () => {
    const lengthOf = (count: number) => (count % 2 === 0 ? 900 : 1100);
    const write = async ({ pages }: { pages: readonly number[] }) => ({ length: lengthOf(pages.length) });
    let pages = 0;
    for await (const { item, content } of filesWithin({
      pageCount: 99,
      maxBytes: 1000,
      bytesPerPage: 10,
      write,
    })) {
      pages += item.pages.length;
      if (item.pages.length > 1) expect(content.length).toBeLessThanOrEqual(1000);
    }
    expect(pages).toBe(99);
  });
});
