import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  archiveNamer,
  flattenPages,
  parsePageSelection,
  resolvePageSelection,
} from "../../../../src/shared/page-selection.ts";
import { refusal } from "../../../support/refusal.ts";

function resolve(selection: string, pageCount: number) {
  return resolvePageSelection(parsePageSelection(selection), pageCount);
}

function labels(selection: string, pageCount: number): string {
  return resolve(selection, pageCount)
    .map(({ label }) => label)
    .join(" ");
}

describe("resolvePageSelection", () => {
  test.each([
    // selection, page count, labels, pages of each item
    ["7", 12, "07", [[7]]],
    ["3-5", 12, "03-05", [[3, 4, 5]]],
    ["3-3", 12, "03", [[3]]],
    ["5-", 12, "05-12", [[5, 6, 7, 8, 9, 10, 11, 12]]],
    ["9-7", 12, "09-07", [[9, 8, 7]]],
    ["last", 12, "12", [[12]]],
    ["odd", 5, "odd", [[1, 3, 5]]],
    ["even", 5, "even", [[2, 4]]],
    ["all", 3, "1 2 3", [[1], [2], [3]]],
    ["2,all,2", 2, "2 1 2 2", [[2], [1], [2], [2]]],
    ["0000000000000000000000001-2", 100, "001-002", [[1, 2]]],
    [" 1 ,\t3-4\t, LAST", 10, "01 03-04 10", [[1], [3, 4], [10]]],
    ["Odd,eVEN,ALL", 2, "odd even 1 2", [[1], [2], [1], [2]]],
    ["1-10,x3-4", 12, "01-10-x03-04", [[1, 2, 5, 6, 7, 8, 9, 10]]],
    ["all,x2", 3, "1 3", [[1], [3]]],
    ["5-1, X2 ,xlast", 5, "5-1-x2-x5", [[4, 3, 1]]],
    ["2,odd,xlast,x1,2", 5, "2 odd-x5-x1 2", [[2], [3], [2]]],
    ["1-5,xeven", 5, "1-5-xeven", [[1, 3, 5]]],
    [
      "1-40,x1,x3,x5,x7,x9,x11,x13,x15,x17,x19,x21,x23,x25,x27",
      50,
      "01-40-x",
      [[2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, ...between(28, 40)]],
    ],
    ["1-1000", 1000, "0001-1000", [Array.from({ length: 1000 }, (_, index) => index + 1)]],
  ])("%j in %i pages is %j", (selection, pageCount, expectedLabels, expectedPages) => {
    expect(labels(selection, pageCount)).toBe(expectedLabels);
    expect(resolve(selection, pageCount).map(({ pages }) => pages)).toEqual(expectedPages);
  });
});

describe("the primary image", () => {
  test("is a page of a file of images", () => {
    const items = resolvePageSelection(parsePageSelection("1,Primary"), 12, 3);
    expect(items).toEqual([
      { label: "01", pages: [1] },
      { label: "03", pages: [3] },
    ]);
  });

  test("is an error in a document", () => {
    expect(() => resolve("1,primary", 12)).toThrow(
      refusal(
        "invalid_page_selection",
        { position: 2, page_count: 12 },
        "only files of images have a primary one",
      ),
    );
  });
});

describe("parsePageSelection refuses", () => {
  const ITEM = "write a page, a range or a word here, as in 1,3-5,last";
  const COMMA = "write a comma or nothing here, and no spaces inside an item";
  const WORD = "use the words last, odd, even and all, and for images primary";
  const RANGE_END = "end a range with a number, or with nothing for the last page";
  const ZERO = "pages are numbered from 1";
  const FIRST = "an x excludes pages from the item before it, as in all,x2";

  test.each([
    ["", 0, "→", ITEM],
    [" \t", 2, " �→", ITEM],
    ["1,,2", 2, "1,→,2", ITEM],
    ["1,", 2, "1,→", ITEM],
    ["-3", 0, "→-3", ITEM],
    ["1;2", 1, "1→;2", COMMA],
    ["1 2", 2, "1 →2", COMMA],
    ["1- 2", 3, "1- →2", COMMA],
    ["1-2-3", 3, "1-2→-3", COMMA],
    ["1--3", 2, "1-→-3", COMMA],
    ["1\n", 1, "1→�", COMMA],
    ["1\u00a0", 1, "1→\u00a0", COMMA],
    ["0", 0, "→0", ZERO],
    ["1,000", 2, "1,→000", ZERO],
    ["3-0", 2, "3-→0", ZERO],
    ["abc", 0, "→abc", WORD],
    ["1, lastly", 3, "1, →lastly", WORD],
    ["la st", 0, "→la st", WORD],
    ["last-3", 4, "last→-3", COMMA],
    ["3-last", 2, "3-→last", RANGE_END],
    ["３", 0, "→３", ITEM],
    ["😀,0", 0, "→😀,0", ITEM],
    ["1,2,3,4,5,6,7,8,9,10,11,y", 24, "…3,4,5,6,7,8,9,10,11,→y", WORD],
    ["y,1,2,3,4,5,6,7,8,9,10,11", 0, "→y,1,2,3,4,5,6,7,8,9,…", WORD],
    ["x2,all", 0, "→x2,all", FIRST],
    ["1-3,x", 5, "1-3,x→", ITEM],
    ["1-3,x 2", 5, "1-3,x→ 2", ITEM],
    ["1-3,xx2", 5, "1-3,x→x2", WORD],
    ["1-3,x0", 5, "1-3,x→0", ZERO],
    ["1-3,x2y", 6, "1-3,x2→y", COMMA],
    ["1-3x2", 3, "1-3→x2", RANGE_END],
  ])("%j at %i", (selection, position, shown, reason) => {
    const message = `The page selection is wrong at the arrow in "${shown}": ${reason}.`;
    expect(() => parsePageSelection(selection)).toThrow(
      refusal("invalid_page_selection", { position }, message),
    );
  });
});

describe("resolvePageSelection refuses", () => {
  test.each([
    ["13", 12, 0, "→13", "the document has 12 pages"],
    ["1-999", 12, 2, "1-→999", "the document has 12 pages"],
    ["999-1", 12, 0, "→999-1", "the document has 12 pages"],
    ["13-", 12, 0, "→13-", "the document has 12 pages"],
    ["1, 2", 1, 3, "1, →2", "the document has 1 page"],
    [`1-${"9".repeat(400)}`, 12, 2, `1-→${"9".repeat(20)}…`, "the document has 12 pages"],
    ["even", 1, 0, "→even", "this selects nothing in a document of 1 page"],
    ["all", 0, 0, "→all", "this selects nothing in a document of 0 pages"],
    ["last", 0, 0, "→last", "this selects nothing in a document of 0 pages"],
    ["1-", 0, 0, "→1-", "the document has 0 pages"],
    ["1-3,x4", 12, 5, "1-3,x→4", "page 4 is not in the item, or already excluded"],
    ["1-3,x2,x2", 12, 8, "1-3,x2,x→2", "page 2 is not in the item, or already excluded"],
    ["all,1-3,x4", 12, 9, "all,1-3,x→4", "page 4 is not in the item, or already excluded"],
    ["1-3,x2-", 12, 5, "1-3,x→2-", "page 4 is not in the item, or already excluded"],
    ["all,x13", 12, 5, "all,x→13", "the document has 12 pages"],
    ["2,x2", 12, 3, "2,x→2", "this excludes all pages of the item"],
    ["all,x1,x2-", 12, 8, "all,x1,x→2-", "this excludes all pages of the item"],
  ])("%j in %i pages, at %i", (selection, pageCount, position, shown, reason) => {
    const message = `The page selection is wrong at the arrow in "${shown}": ${reason}.`;
    expect(() => resolve(selection, pageCount)).toThrow(
      refusal("invalid_page_selection", { position, page_count: pageCount }, message),
    );
  });

  test("more pages than memory can hold", () => {
    const selection = "1-1000,".repeat(1001).slice(0, -1);
    expect(() => resolve(selection, 1000)).toThrow(
      refusal("invalid_page_selection", { position: 7 * 1000, page_count: 1000 }),
    );
    expect(() => parsePageSelection("1,".repeat(1_000_001))).toThrow(
      refusal("invalid_page_selection", { position: 2_000_000 }),
    );
    expect(() => parsePageSelection(`1${",x1".repeat(1_000_001)}`)).toThrow(
      refusal("invalid_page_selection", { position: 2 + 3 * 999_999 }),
    );
  });

  test("nothing more because of pages that are excluded", () => {
    const items = Array.from({ length: 1001 }, () => "1-1000,x1-999").join();
    expect(resolve(items, 1000)).toHaveLength(1001);
  });
});

describe("the grammar", () => {
  interface Item {
    readonly text: string;
    readonly pages: readonly (readonly number[])[];
  }
  const item = (pageCount: number): fc.Arbitrary<Item> => {
    const page = fc.integer({ min: 1, max: pageCount });
    return fc.oneof(
      page.map((number) => ({ text: String(number), pages: [[number]] })),
      fc
        .tuple(page, page)
        .map(([first, last]) => ({ text: `${first}-${last}`, pages: [between(first, last)] })),
      page.map((first) => ({ text: `${first}-`, pages: [between(first, pageCount)] })),
      fc.constant({ text: "last", pages: [[pageCount]] }),
      fc.constant({ text: "all", pages: between(1, pageCount).map((number) => [number]) }),
      page.map((number) => {
        const excludes = number < pageCount;
        return {
          text: `${number}-${excludes ? `,x${number}` : ""}`,
          pages: [between(excludes ? number + 1 : number, pageCount)],
        };
      }),
    );
  };
  const blanks = fc.string({ unit: fc.constantFrom(" ", "\t"), maxLength: 2 });
  const selections = fc.integer({ min: 1, max: 120 }).chain((pageCount) =>
    fc.record({
      pageCount: fc.constant(pageCount),
      items: fc.array(fc.tuple(item(pageCount), blanks, blanks), { minLength: 1, maxLength: 8 }),
    }),
  );

  test("resolves a random valid selection to its items", () => {
    fc.assert(
      fc.property(selections, ({ pageCount, items }) => {
        const text = items.map(([{ text }, before, after]) => before + text + after).join(",");
        const resolved = resolve(text, pageCount);
        expect(resolved.map(({ pages }) => pages)).toEqual(items.flatMap(([{ pages }]) => pages));
        const flat = flattenPages(resolved);
        expect(flat).toEqual([...new Set(items.flatMap(([{ pages }]) => pages.flat()))]);
      }),
    );
  });

  test("parses any text, or refuses it with a position", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom(..."0123-, \tlastodevnx") }),
    );
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 50 }), (selection, pageCount) => {
        try {
          for (const { pages } of resolve(selection, pageCount)) {
            expect(pages.length).toBeGreaterThan(0);
            for (const page of pages) expect(page >= 1 && page <= pageCount).toBe(true);
          }
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid_page_selection" });
          const { position } = (error as { details: { position: number } }).details;
          expect(position).toBeGreaterThanOrEqual(0);
          expect(position).toBeLessThanOrEqual(selection.length);
        }
      }),
    );
  });

  test("accepts a continuation of the text before the wrong character", () => {
    const text = fc.string({ unit: fc.constantFrom(..."12-, x"), minLength: 1, maxLength: 8 });
    const continuations = ["", "1", "-", ",1", "1,1"];
    fc.assert(
      fc.property(text, (selection) => {
        const position = offence(selection);
        if (position === undefined) return;
        const before = selection.slice(0, position);
        expect(continuations.some((rest) => offence(before + rest) === undefined)).toBe(true);
      }),
    );
  });
});

describe("names in the archive", () => {
  const items = (...labels: string[]) => labels.map((label) => ({ label, pages: [1] }));

  test("have the name, the item and the extension, and a number if they are equal", () => {
    expect(resolve("3,1-2,3,03,all", 3).map(archiveNamer("report", "pdf"))).toEqual([
      "report-3.pdf",
      "report-1-2.pdf",
      "report-3 (2).pdf",
      "report-3 (3).pdf",
      "report-1.pdf",
      "report-2.pdf",
      "report-3 (4).pdf",
    ]);
  });

  test("skip a number that is taken", () => {
    expect(items("x (2)", "x", "X", "x", "x (2)").map(archiveNamer("a", "pdf"))).toEqual([
      "a-x (2).pdf",
      "a-x.pdf",
      "a-X (3).pdf",
      "a-x (4).pdf",
      "a-x (2) (2).pdf",
    ]);
  });

  test("are unique, ignoring case", () => {
    const label = fc.oneof(
      fc.constantFrom("1", "odd", "ODD", "odd (2)", "Odd (3)", "odd (2) (2)"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(label, { maxLength: 30 }), (labels) => {
        const names = items(...labels)
          .map(archiveNamer("Ä", "pdf"))
          .map((name) => name.toLowerCase());
        expect(new Set(names).size).toBe(labels.length);
      }),
    );
  });

  test.each([
    ["x".repeat(250), `${"x".repeat(249)}-1.pdf`],
    ["会".repeat(83), `${"会".repeat(83)}-1.pdf`],
    // A family of one cluster and 25 bytes is whole or absent.
    [`${"x".repeat(230)}👨‍👩‍👧‍👦`, `${"x".repeat(230)}-1.pdf`],
    [`${"x".repeat(248)}e\u0301`, `${"x".repeat(248)}-1.pdf`],
    ["x".repeat(1e6), `${"x".repeat(249)}-1.pdf`],
    ["invoice\u202efdp\u202c.exe", "invoicefdp.exe-1.pdf"],
    ["\u2067a\u2069\u200f", "a\u200f-1.pdf"],
    ["\u202e", "file-1.pdf"],
    // No half of a surrogate pair, and one letter with 1,000 marks.
    [`${"\u202e".repeat(1019)}😀`, "😀-1.pdf"],
    [`a${"\u0301".repeat(1000)}`, "file-1.pdf"],
  ])("have at most 255 bytes and no controls of direction: %j", (name, expected) => {
    const [first, second] = items("1", "1").map(archiveNamer(name, "pdf"));
    expect(first).toBe(expected);
    expect(second).toMatch(/-1 \(2\)\.pdf$/);
    for (const entry of [first, second]) expect(Buffer.byteLength(entry ?? "")).toBeLessThanOrEqual(255);
  });

  test("are made in linear time for 100,000 equal items", () => {
    const names = resolve("1,".repeat(99_999) + 1, 1).map(archiveNamer("a", "pdf"));
    expect(names.at(-1)).toBe("a-1 (100000).pdf");
  });
});

function between(first: number, last: number): number[] {
  const step = first <= last ? 1 : -1;
  return Array.from({ length: Math.abs(last - first) + 1 }, (_, index) => first + index * step);
}

function offence(selection: string): number | undefined {
  try {
    parsePageSelection(selection);
    return undefined;
  } catch (error) {
    return (error as { details: { position: number } }).details.position;
  }
}
