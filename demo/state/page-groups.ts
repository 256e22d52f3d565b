import { pagesOf } from "./grid-layout.ts";
import { itemInWords, typedItems } from "./page-selection.ts";

/** The pages of one file that comes out of a split, in order. */
export type PageGroup = readonly number[];

/** A file that comes out of a split. */
export interface PartFile {
  /** Its place among the files, from 1. */
  readonly number: number;
  readonly pages: PageGroup;
}

/** An item of a page selection. An item that is wrong or not complete yet makes no files. */
interface Item {
  readonly text: string;
  readonly groups: readonly PageGroup[];
}

/** Returns the files that a page selection makes of a document. Items that are not complete yet make none. */
export function pageGroups(text: string, pageCount: number): readonly PageGroup[] {
  return itemsOf(text, pageCount).flatMap(({ groups }) => groups);
}

/** Returns the pages of a selection as one file has them: in their order, each once. */
export function pagesInOrder(text: string, pageCount: number): PageGroup {
  return [...new Set(pageGroups(text, pageCount).flat())];
}

/** Returns the file of each page, the last one if several have it. */
export function filesByPage(groups: readonly PageGroup[]): ReadonlyMap<number, PartFile> {
  return new Map(
    groups.flatMap((pages, index) => {
      const file = { number: index + 1, pages };
      return pages.map((page) => [page, file] as const);
    }),
  );
}

function itemsOf(text: string, pageCount: number): readonly Item[] {
  const inDocument = (page: number) => page >= 1 && page <= pageCount;
  return typedItems(text).map((item) => {
    const groups = itemGroups(itemInWords(item), pageCount);
    return { text: item, groups: groups.filter((group) => group.length > 0 && group.every(inDocument)) };
  });
}

function itemGroups(item: string, pageCount: number): readonly PageGroup[] {
  switch (item) {
    case "all":
      return sequence(1, pageCount).map((page) => [page]);
    case "odd":
      return [sequence(1, pageCount).filter((page) => page % 2 === 1)];
    case "even":
      return [sequence(1, pageCount).filter((page) => page % 2 === 0)];
    case "last":
      return [[pageCount]];
  }
  const match = /^(\d+)(-(\d*))?$/.exec(item);
  if (match === null) return [];
  const first = Number(match[1]);
  if (match[2] === undefined) return [[first]];
  const last = match[3] === "" ? pageCount : Number(match[3]);
  // Not a list of a billion pages while a number is typed.
  return first > pageCount || last > pageCount ? [] : [sequence(first, last)];
}

/** Returns a selection with one page more, as a file of its own, or one less. */
export function togglePage(text: string, page: number, pageCount: number): string {
  const isSelected = pageGroups(text, pageCount).some((group) => group.includes(page));
  const others = textWithout(text, new Set([page]), pageCount);
  return [...others, ...(isSelected ? [] : [String(page)])].join(", ");
}

/** Returns a selection with a range of pages more, as one file. Those of the pages that other files have leave them. */
export function addRange(text: string, [first, last]: readonly [number, number], pageCount: number): string {
  const range = sequence(Math.min(first, last), Math.max(first, last));
  return [...textWithout(text, new Set(range), pageCount), ...rangesOf(range)].join(", ");
}

/** Returns a selection of the pages that another one leaves out. */
export function invertPages(text: string, pageCount: number): string {
  const selected = new Set(pageGroups(text, pageCount).flat());
  return partsWithout(sequence(1, pageCount), selected).flatMap(rangesOf).join(", ");
}

/** Whether a selection has its pages in the order of the document. */
export function isSorted(text: string, pageCount: number): boolean {
  const pages = pagesInOrder(text, pageCount);
  return pages.every((page, index) => page > (pages[index - 1] ?? 0));
}

/** Returns a selection with its pages in the order of the document. One that is in this order stays as it is written. */
export function sortPages(text: string, pageCount: number): string {
  return isSorted(text, pageCount) ? text : invertPages(invertPages(text, pageCount), pageCount);
}

/** How a page and the next one belong together. */
export type Seam =
  /** They are in one file. */
  | "joined"
  /** A file ends, and another one begins. */
  | "cut"
  /** They are in files that cannot be one, such as `odd` and `even`. */
  | "apart"
  /** At least one of them is in no file. */
  | "open";

/** Returns how a page and the next one belong together. */
export function seamAfter(page: number, files: ReadonlyMap<number, PartFile>): Seam {
  const [before, after] = [files.get(page), files.get(page + 1)];
  if (before === undefined || after === undefined) return "open";
  if (before === after) return "joined";
  return rangesOf([...before.pages, ...after.pages]).length === 1 ? "cut" : "apart";
}

/**
 * Returns a selection with a cut after a page, or with the files joined that a cut has parted. Pages beside the cut that are
 * in no file yet become files, up to the next file. Without any file, a cut makes two files of the whole document.
 */
export function toggleCut(text: string, page: number, pageCount: number): string {
  const items = itemsOf(text, pageCount);
  const files = filesByPage(items.flatMap((item) => item.groups));
  const before = files.get(page)?.pages;
  const after = files.get(page + 1)?.pages ?? [];
  switch (seamAfter(page, files)) {
    case "apart":
      return text;
    case "joined":
      return changed(items, (group) => (group === before ? halves(group, page) : [group])).join(", ");
    case "cut":
      return changed(items, (group) => {
        if (group === after) return [];
        return group === before ? [[...group, ...after]] : [group];
      }).join(", ");
    case "open":
      return [...items.map((item) => item.text), ...freeRanges(page, files, pageCount)].join(", ");
  }
}

/** Returns the pages on both sides of a cut that are in no file, as an item for each side. */
function freeRanges(
  page: number,
  files: ReadonlyMap<number, PartFile>,
  pageCount: number,
): readonly string[] {
  const isFree = (one: number) => one >= 1 && one <= pageCount && !files.has(one);
  let first = page + 1;
  while (isFree(first - 1)) first--;
  let last = page;
  while (isFree(last + 1)) last++;
  return [pagesOf({ first, last: page }), pagesOf({ first: page + 1, last })].flatMap(rangesOf);
}

/** Returns the two parts of a range that a cut after a page makes. The range may run backwards. */
function halves(range: PageGroup, page: number): readonly PageGroup[] {
  const place = Math.max(range.indexOf(page), range.indexOf(page + 1));
  return [range.slice(0, place), range.slice(place)];
}

/** Returns the items of a selection with other groups. An item whose groups all stay is kept as it is written. */
function changed(
  items: readonly Item[],
  change: (group: PageGroup) => readonly PageGroup[],
): readonly string[] {
  return items.flatMap((item) => {
    const groups = item.groups.map(change);
    const stays = groups.every((parts, index) => parts.length === 1 && parts[0] === item.groups[index]);
    return stays ? [item.text] : groups.flat().flatMap(rangesOf);
  });
}

/** Returns the items of a selection without some pages. */
function textWithout(text: string, pages: ReadonlySet<number>, pageCount: number): readonly string[] {
  return changed(itemsOf(text, pageCount), (group) =>
    group.some((page) => pages.has(page)) ? partsWithout(group, pages) : [group],
  );
}

/** Returns the parts of a group between the pages that leave it. */
function partsWithout(group: PageGroup, pages: ReadonlySet<number>): readonly PageGroup[] {
  const parts: number[][] = [[]];
  for (const page of group) {
    if (pages.has(page)) parts.push([]);
    else parts.at(-1)?.push(page);
  }
  return parts.filter((part) => part.length > 0);
}

/** Returns a group as items: one, if its pages follow each other. */
function rangesOf(group: PageGroup): readonly string[] {
  const [first] = group;
  const last = group.at(-1);
  if (first === undefined || last === undefined) return [];
  const step = last < first ? -1 : 1;
  if (group.every((page, index) => page === first + step * index)) {
    return [first === last ? String(first) : `${first}-${last}`];
  }
  return group.map(String);
}

function sequence(first: number, last: number): number[] {
  const step = last < first ? -1 : 1;
  return Array.from({ length: Math.abs(last - first) + 1 }, (_, index) => first + step * index);
}
