import { expect, test } from "vitest";
import { chaptersOf } from "../../../../demo/state/chapters.ts";
import { pagesOf } from "../../../../demo/state/grid-layout.ts";
import type { TrayFile } from "../../../../demo/state/tray.ts";
import type { OutlineEntry } from "../../../../src/index.ts";
import { itemsOfChapters } from "../../../../workers/pdf/split-by-outline.ts";
import { inspectedFile } from "../../../support/tray-files.ts";

const PAGES = 9;

function book(outline?: readonly OutlineEntry[]): TrayFile {
  return inspectedFile({ format: "pdf", size: 4, pages: PAGES, has_outline: true, outline });
}

function entriesAt(...pages: readonly number[]): readonly OutlineEntry[] {
  return pages.map((page, index) => ({ title: `Chapter ${index + 1}`, page, level: 1 }));
}

test.each([
  ["from the first page", entriesAt(1, 4, 8)],
  ["after other pages", entriesAt(3, 4)],
  ["on the last page", entriesAt(1, 9)],
  ["on the same page", entriesAt(2, 5, 5, 5, 6)],
  ["in another order than the pages", entriesAt(7, 1, 4)],
])("returns the pages that a split gives to chapters %s", (_, entries) => {
  const chapters = chaptersOf(book(entries));
  expect(chapters.map(pagesOf)).toEqual(
    itemsOfChapters(entries, PAGES, "book").map(({ pages }) => [...pages]),
  );
});

test("names the chapters, but not the pages before the first one", () => {
  const below = { title: "Section", page: 5, level: 2 };
  const chapters = chaptersOf(book([...entriesAt(3, 8), below]));
  expect(chapters.map(({ title }) => title)).toEqual([undefined, "Chapter 1", "Chapter 2"]);
});

test("returns no chapters of an outline that is not read, or not completely", () => {
  expect(chaptersOf(book())).toEqual([]);
  expect(chaptersOf(book(Array.from({ length: 10_000 }, () => ({ title: "", page: 1, level: 1 }))))).toEqual(
    [],
  );
});
