import { normalizePages } from "./page-text.ts";

/** The pages of one file that comes out of a split, in order. */
export type PageGroup = readonly number[];

/** Returns the files that a page selection makes of a document. Items that are not complete yet make none. */
export function pageGroups(text: string, pageCount: number): readonly PageGroup[] {
  const inDocument = (page: number) => page >= 1 && page <= pageCount;
  return normalizePages(text)
    .split(",")
    .flatMap((item) => itemGroups(item.toLowerCase(), pageCount))
    .filter((group) => group.length > 0 && group.every(inDocument));
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

/** Returns the page selection that makes some files. */
export function textOfGroups(groups: readonly PageGroup[]): string {
  return groups.flatMap(rangesOf).join(", ");
}

/** Returns a selection with one page more, as a file of its own, or one less. */
export function togglePage(text: string, page: number, pageCount: number): string {
  const groups = pageGroups(text, pageCount);
  if (!groups.some((group) => group.includes(page))) return textOfGroups([...groups, [page]]);
  const others = (group: PageGroup): readonly PageGroup[] => {
    const at = group.indexOf(page);
    return at < 0 ? [group] : [group.slice(0, at), ...others(group.slice(at + 1))];
  };
  return textOfGroups(groups.flatMap(others).filter((group) => group.length > 0));
}

/** Returns a selection with a range of pages more, as one file. Those of the pages that other files have leave them. */
export function addRange(text: string, [first, last]: readonly [number, number], pageCount: number): string {
  const range = sequence(Math.min(first, last), Math.max(first, last));
  let rest = text;
  for (const page of range) {
    while (pageGroups(rest, pageCount).some((group) => group.includes(page))) {
      rest = togglePage(rest, page, pageCount);
    }
  }
  return textOfGroups([...pageGroups(rest, pageCount), range]);
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
