import { normalizePages } from "./page-text.ts";

/** The pages of one file that comes out of a split, in order. */
export type PageGroup = readonly number[];

/** An item of a page selection. An item that is wrong or not complete yet makes no files. */
interface Item {
  readonly text: string;
  readonly groups: readonly PageGroup[];
}

/** Returns the files that a page selection makes of a document. Items that are not complete yet make none. */
export function pageGroups(text: string, pageCount: number): readonly PageGroup[] {
  return itemsOf(text, pageCount).flatMap(({ groups }) => groups);
}

function itemsOf(text: string, pageCount: number): readonly Item[] {
  const inDocument = (page: number) => page >= 1 && page <= pageCount;
  return normalizePages(text)
    .split(",")
    .filter((item) => item !== "")
    .map((item) => {
      const groups = itemGroups(item.toLowerCase(), pageCount);
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

/** Returns the items of a selection without some pages. Items that have none of them stay as they are written. */
function textWithout(text: string, pages: ReadonlySet<number>, pageCount: number): readonly string[] {
  return itemsOf(text, pageCount).flatMap((item) => {
    const isTouched = item.groups.some((group) => group.some((page) => pages.has(page)));
    return isTouched ? item.groups.flatMap((group) => cut(group, pages)).flatMap(rangesOf) : [item.text];
  });
}

/** Returns the parts of a group between the pages that leave it. */
function cut(group: PageGroup, pages: ReadonlySet<number>): readonly PageGroup[] {
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
