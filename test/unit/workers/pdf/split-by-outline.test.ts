import { describe, expect, test } from "vitest";
import { archiveNamer } from "../../../../src/shared/page-selection.ts";
import { type Chapter, itemsOfChapters } from "../../../../workers/pdf/split-by-outline.ts";
import { splitBytes } from "../../../support/engine.ts";
import { type MadeEntry, makeOutlinedPdf } from "../../../support/fixtures/outlined-pdf.ts";
import { catalogOf, type PlainObject, pageOf, pdfOf } from "../../../support/fixtures/pdf-objects.ts";

const BY_OUTLINE = { by: { kind: "outline" } } as const;
const FIRST_PAGE = 100;
const PAGES = 9;

/** Nine pages, and an outline of the given entries. Each is the rest of an outline item: its title, target and kids. */
function outlined(entries: readonly string[], more: readonly PlainObject[] = [], catalog = ""): Uint8Array {
  const pages = Array.from({ length: PAGES }, (_, index) => pageOf(FIRST_PAGE + index));
  const kids = pages.map(({ num }) => `${num} 0 R`).join(" ");
  const items = entries.map((entry, index): PlainObject => {
    const next = index + 1 < entries.length ? `/Next ${11 + index} 0 R` : "";
    return { num: 10 + index, body: `<<${entry}${next}>>` };
  });
  return pdfOf([
    ...catalogOf(kids, `/Outlines 3 0 R${catalog}`),
    { num: 3, body: `<</First 10 0 R/Count ${entries.length}>>` },
    ...items,
    ...pages,
    ...more,
  ]);
}

const to = (page: number) => `/Dest[${FIRST_PAGE + page - 1} 0 R/Fit]`;

async function namesOf(input: Uint8Array): Promise<readonly string[]> {
  return (await splitBytes(input, { ...BY_OUTLINE, name: "book" })).map(({ name }) => name);
}

/** The items of some entries in a document of nine pages: label and first and last page. */
function ranges(...entries: readonly (readonly [title: string, page: number])[]): readonly string[] {
  const given = entries.map(([title, page]): Chapter => ({ title, page }));
  return itemsOfChapters(given, PAGES, "book").map(({ label, pages }) => `${label}: ${pages.join()}`);
}

describe("the files of outline entries", () => {
  test("go to the page before the next entry; the pages before the first are number 0", () => {
    expect(ranges(["One", 3], ["Two", 4], ["Three", 8])).toEqual([
      "0: 1,2",
      "1-One: 3",
      "2-Two: 4,5,6,7",
      "3-Three: 8,9",
    ]);
    expect(ranges(["All", 1])).toEqual(["1-All: 1,2,3,4,5,6,7,8,9"]);
  });

  test("have the pages of their entries in the order of the document", () => {
    expect(ranges(["Appendix", 8], ["Start", 1])).toEqual(["1-Start: 1,2,3,4,5,6,7", "2-Appendix: 8,9"]);
  });

  test("share a page on which several entries begin", () => {
    expect(ranges(["A", 1], ["B", 5], ["C", 5], ["D", 5], ["E", 9])).toEqual([
      "1-A: 1,2,3,4",
      "2-B: 5",
      "3-C: 5",
      "4-D: 5,6,7,8",
      "5-E: 9",
    ]);
  });

  test("have numbers of equal width, and need no title", () => {
    const entries = Array.from({ length: 10 }, (): [string, number] => ["/", 1]);
    expect(ranges(...entries).map((range) => range.slice(0, 4))).toContain("01-_");
    expect(ranges(["...", 2])).toEqual(["0: 1", "1: 2,3,4,5,6,7,8,9"]);
  });

  test("have names of at most 255 bytes of UTF-8, whatever the name of the document", () => {
    const title = "日本語のタイトル".repeat(20);
    for (const name of ["報告".repeat(35), "x".repeat(250), "a"]) {
      const items = itemsOfChapters([{ title, page: 1 }], PAGES, name);
      const [entry = ""] = items.map(archiveNamer(name, "pdf"));
      expect(entry).toMatch(/^(?:報|x|a).*-1-日本語のタイトル.*\.pdf$/);
      expect(Buffer.byteLength(entry)).toBeGreaterThan(240);
      expect(Buffer.byteLength(entry)).toBeLessThanOrEqual(255);
    }
  });
});

describe("a split by outline", () => {
  test("follows destinations, named destinations and actions, and resolves titles", async () => {
    const input = outlined(
      [
        `/Title 50 0 R${to(1)}`,
        "/Title<FEFF00C4>/Dest(named)",
        "/Title(\\304\\222)/A<</S/GoTo/D/old>>",
        "/Title(Nine)/A 51 0 R",
      ],
      [
        { num: 50, body: "(Indirect: yes)" },
        { num: 51, body: `<</S/GoTo/D[${FIRST_PAGE + 8} 0 R/Fit]>>` },
      ],
      `/Names<</Dests<</Names[(named)[${FIRST_PAGE + 2} 0 R/Fit]]>>>>/Dests<</old[4/Fit]>>`,
    );
    expect(await namesOf(input)).toEqual([
      "book-1-Indirect_ yes.pdf",
      "book-2-Ä.pdf",
      "book-3-Ä™.pdf",
      "book-4-Nine.pdf",
    ]);
  });

  test("leaves out entries whose target is missing, out of range or in another file", async () => {
    const input = outlined([
      `/Title(here)${to(1)}`,
      "/Title(nowhere)",
      "/Title(page 100)/Dest[99/Fit]",
      "/Title(unknown name)/Dest(unknown)",
      "/Title(other file)/A<</S/GoToR/F(other.pdf)/D[0/Fit]>>",
      "/Title(web)/A<</S/URI/URI(https://example.com)>>",
    ]);
    expect(await namesOf(input)).toEqual(["book-1-here.pdf"]);
  });

  test("lets an entry without a target begin where the first entry below it does", async () => {
    const below: PlainObject[] = [
      { num: 60, body: "<</Title(no target)/First 61 0 R/Next 62 0 R>>" },
      { num: 61, body: `<</Title(chapter)${to(4)}>>` },
      { num: 62, body: `<</Title(earlier)${to(2)}>>` },
    ];
    const input = outlined(["/Title(Part)/First 60 0 R", `/Title(End)${to(8)}`], below);
    expect(await namesOf(input)).toEqual(["book-0.pdf", "book-1-Part.pdf", "book-2-End.pdf"]);
  });

  test.each([
    ["no outline", pdfOf([...catalogOf("3 0 R"), pageOf(3)])],
    ["an empty outline", outlined([])],
    ["an outline that leads nowhere", outlined(["/Title(web)/A<</S/URI/URI(https://example.com)>>"])],
  ])("refuses a document with %s, and says what to use", async (_, input) => {
    await expect(namesOf(input)).rejects.toMatchObject({
      code: "invalid_parameter",
      message: "This PDF has no outline that leads to its pages. Split it by pages instead.",
      details: { parameter: "by" },
    });
  });

  test("reads each entry of a circle once", async () => {
    const input = outlined([`/Title(A)${to(1)}`, `/Title(B)${to(5)}/First 10 0 R/Next 10 0 R`]);
    expect(await namesOf(input)).toEqual(["book-1-A.pdf", "book-2-B.pdf"]);
  });

  test("copies the beginning of a gigantic title only, which the entries share", async () => {
    const entries = Array.from({ length: PAGES }, (_, index) => `/Title 50 0 R${to(index + 1)}`);
    const input = outlined(entries, [{ num: 50, body: `(${"x".repeat(2_000_000)})` }]);
    const files = await splitBytes(input, { ...BY_OUTLINE, name: "book" });
    expect(files).toHaveLength(PAGES);
    for (const { bytes } of files) {
      expect(bytes.length).toBeGreaterThan(65_536);
      expect(bytes.length).toBeLessThan(70_000);
    }
  });

  test("takes 250 entries on each of four pages, and refuses one more", async () => {
    const entries = Array.from(
      { length: 1000 },
      (_, index): MadeEntry => ["(t)", 1 + Math.floor(index / 250)],
    );
    expect(await namesOf(makeOutlinedPdf(4, entries))).toHaveLength(1000);
    await expect(namesOf(makeOutlinedPdf(4, [...entries, ["(t)", 3]]))).rejects.toMatchObject({
      code: "input_too_large",
      message: expect.stringMatching(/More than 250 top-level entries of the outline lead to page 3,/),
      details: { limit: "outline_entries", page: 3, largest_outline_entries: 250 },
    });
  });

  test("refuses far more entries than pages", async () => {
    const entries = Array.from({ length: 1002 }, (): MadeEntry => ["(t)", 1]);
    await expect(namesOf(makeOutlinedPdf(1, entries))).rejects.toMatchObject({
      code: "input_too_large",
      message: expect.stringMatching(/1002 top-level entries for 1 pages/),
      details: { limit: "outline_entries", largest_outline_entries: 1001 },
    });
  });
});
