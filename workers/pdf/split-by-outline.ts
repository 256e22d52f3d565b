import { LONGEST_NAME } from "../../src/shared/entry-name.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { padded, pageRange, type ResolvedItem } from "../../src/shared/page-selection.ts";
import type { OutlineEntry } from "../../src/shared/protocol.ts";
import { limitReached } from "../call-budget.ts";
import { outline } from "./features/outline/outline.ts";
import { outlineEntry } from "./features/outline/outline-entries.ts";
import type { SourceDocument } from "./features/source-document.ts";
import { fileNamePart } from "./file-name-part.ts";

/** The bytes of a title that fit into a file name of any document. The name of the document is shortened for them. */
const ROOM_FOR_TITLE = 80;
/**
 * There may be this many more files than pages. Several entries may lead to one page, but an outline of a few kilobytes
 * could list it 500,000 times.
 */
const MORE_THAN_PAGES = 1000;
/**
 * The most entries that may lead to one page. The outline of each of their files has all of them, so the work is the square
 * of this number. A page with 600 uses up the budget of a small file.
 */
const MOST_ON_PAGE = 250;

/** A top-level entry of an outline. */
export type Chapter = Omit<OutlineEntry, "level">;

/**
 * Returns a file for each top-level entry of the outline: see {@link itemsOfChapters}. An entry without a page begins where
 * the first entry below it does. An entry that leads to no page in this document is left out.
 *
 * @param name the name of the document, which begins the names of the files
 * @throws {ServiceError} `invalid_parameter` when no entry leads to a page; `input_too_large` for too many entries, of
 *   the document or of one page
 */
export function itemsByOutline(source: SourceDocument, name: string): readonly ResolvedItem[] {
  const { pages } = source;
  const found = source.of(outline);
  const most = pages.length + MORE_THAN_PAGES;
  // Reading a long outline takes seconds.
  if (found.countAtTop(most + 1) > most) throw tooManyEntries(most, pages.length);
  const branches = found.keptFor(pages.keys());
  if (branches.length === 0) {
    throw new ServiceError(
      "invalid_parameter",
      "This PDF has no outline that leads to its pages. Split it by pages instead.",
      { parameter: "by" },
    );
  }
  if (branches.length > most) throw tooManyEntries(most, pages.length);
  const chapters = branches.map((branch) => outlineEntry(branch, 1));
  checkPages(chapters);
  return itemsOfChapters(chapters, pages.length, name);
}

function tooManyEntries(most: number, pageCount: number): ServiceError {
  return limitReached(
    "outline_entries",
    `The outline of this PDF has at least ${most + 1} top-level entries for ${pageCount} pages. Split it by pages instead.`,
    { largest_outline_entries: most },
  );
}

/** Throws when too many chapters begin on one page. */
function checkPages(chapters: readonly Chapter[]): void {
  const counts = new Map<number, number>();
  for (const { page } of chapters) {
    const count = (counts.get(page) ?? 0) + 1;
    counts.set(page, count);
    if (count > MOST_ON_PAGE) {
      throw limitReached(
        "outline_entries",
        `More than ${MOST_ON_PAGE} top-level entries of the outline lead to page ${page}, and each would become a file. Split this PDF by pages instead.`,
        { page, largest_outline_entries: MOST_ON_PAGE },
      );
    }
  }
}

/**
 * Returns a file for each chapter, in the order of their pages: from the page of the chapter to the page before the next
 * one. Chapters on the same page get that page each. The pages before the first chapter become the file with the number 0.
 */
export function itemsOfChapters(
  chapters: readonly Chapter[],
  pageCount: number,
  name: string,
): readonly ResolvedItem[] {
  const sorted = [...chapters].sort((one, other) => one.page - other.page);
  const items = sorted.map(({ title, page }, index) => {
    const number = padded(index + 1, sorted.length);
    const others = new TextEncoder().encode(`${name}-${number}-.pdf`).length;
    const part = fileNamePart(title, Math.max(LONGEST_NAME - others, ROOM_FOR_TITLE));
    const next = sorted[index + 1]?.page ?? pageCount + 1;
    const { pages } = pageRange(page, Math.max(page, next - 1), pageCount);
    return { label: part === "" ? number : `${number}-${part}`, pages };
  });
  const first = sorted[0]?.page ?? 1;
  if (first === 1) return items;
  return [{ label: padded(0, sorted.length), pages: pageRange(1, first - 1, pageCount).pages }, ...items];
}
