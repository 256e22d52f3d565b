import type { MessageKey, MessageValues } from "../messages/index.ts";

/** A problem of a page selection, as a message for the user. */
export interface PageProblem {
  readonly message: MessageKey;
  readonly values?: MessageValues;
}

/** The words that are a whole page selection of many documents. */
const WORDS = ["all", "odd", "even"] as const;

export type SelectionWord = (typeof WORDS)[number];

export function isWord(text: string): text is SelectionWord {
  return WORDS.some((word) => word === text);
}

const ITEM = /^(?:(\d+)(?:-(\d+)?)?|last|odd|even|all)$/i;

/**
 * Returns a page selection in the spelling of `splitPdf`. People also write dashes of other kinds, semicolons and blanks:
 * `3–5; 7 9` is `3-5,7,9`.
 */
export function normalizePages(text: string): string {
  return text
    .replace(/\s*[\u2010-\u2015\u2212-]\s*/g, "-")
    .replace(/[\s;,]+/g, ",")
    .replace(/^,|,$/g, "");
}

/** Returns the first problem of a page selection, or undefined. `pageCount` is that of the document, if it is known. */
export function checkPages(text: string, pageCount: number | undefined): PageProblem | undefined {
  const items = normalizePages(text).split(",");
  if (items[0] === "") return { message: "problem.pages" };
  for (const item of items) {
    const match = ITEM.exec(item);
    if (match === null) return { message: "problem.pageItem", values: { item } };
    const numbers = match.slice(1).filter((number) => number !== undefined);
    for (const number of numbers) {
      if (Number(number) === 0) return { message: "problem.pageZero" };
      if (pageCount !== undefined && Number(number) > pageCount) {
        return { message: "problem.pageCount", values: { page: number, count: pageCount } };
      }
    }
  }
  if (pageCount === 1 && items.some((item) => item.toLowerCase() === "even")) {
    return { message: "problem.pageCount", values: { page: "2", count: 1 } };
  }
  return undefined;
}
