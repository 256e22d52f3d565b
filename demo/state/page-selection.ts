import type { Message } from "../messages/index.ts";

const ITEM = /^(?:(\d+)(?:-(\d+)?)?|last|odd|even|all)$/;

/** How people write the words of a selection in German, in any case and number: `letzte`, `Ungeraden`. */
const GERMAN_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^letzte[rsn]?$/i, "last"],
  [/^ungerade[rsn]?$/i, "odd"],
  [/^gerade[rsn]?$/i, "even"],
  [/^alle[rsn]?$/i, "all"],
];

/** Returns the items of a page selection as they are typed, but without blanks, and with plain hyphens: `3–5; 7 9` has three. */
export function typedItems(text: string): readonly string[] {
  return text
    .replace(/\s*[\u2010-\u2015\u2212-]\s*/g, "-")
    .split(/[\s;,]+/)
    .filter((item) => item !== "");
}

/** Returns a typed item in the words of `splitPdf`: `letzte` is `last`, and `5-last` is `5-`. */
export function itemInWords(item: string): string {
  const [, first, end] = /^(\d+-)(\D+)$/.exec(item) ?? [];
  if (first !== undefined && end !== undefined) return itemInWords(end) === "last" ? first : item;
  return GERMAN_WORDS.find(([pattern]) => pattern.test(item))?.[1] ?? item.toLowerCase();
}

/**
 * Returns a page selection in the spelling of `splitPdf`. People also write dashes of other kinds, semicolons and blanks, and
 * German words: `3–5; 7 letzte` is `3-5,7,last`.
 */
export function normalizePages(text: string): string {
  return typedItems(text).map(itemInWords).join(",");
}

/** Returns the first problem of a page selection, or undefined. `pageCount` is that of the document, if it is known. */
export function checkPages(text: string, pageCount: number | undefined): Message | undefined {
  const items = typedItems(text);
  if (items.length === 0) return { message: "problem.pages" };
  for (const item of items) {
    const match = ITEM.exec(itemInWords(item));
    if (match === null) return { message: "problem.pageItem", values: { item } };
    const numbers = match.slice(1).filter((number) => number !== undefined);
    for (const number of numbers) {
      if (Number(number) === 0) return { message: "problem.pageZero" };
      if (pageCount !== undefined && Number(number) > pageCount) {
        return { message: "problem.pageCount", values: { page: number, count: pageCount } };
      }
    }
  }
  if (pageCount === 1 && items.some((item) => itemInWords(item) === "even")) {
    return { message: "problem.pageCount", values: { page: "2", count: 1 } };
  }
  return undefined;
}
