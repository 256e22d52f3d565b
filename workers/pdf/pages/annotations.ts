import { NumberSet } from "../file/cross-reference.ts";
import type { PdfDocument } from "../file/document.ts";
import { KnownLists } from "../file/list-owners.ts";
import { type PdfDict, PdfRef } from "../syntax/objects.ts";
import type { Page } from "./page-tree.ts";

/** The annotations that pages list (ISO 32000-2, 12.5.2) and that are indirect objects. */
export class Annotations {
  readonly #document: PdfDocument;
  readonly #listed = new NumberSet();
  readonly #lists: KnownLists;

  constructor(document: PdfDocument) {
    this.#document = document;
    this.#lists = new KnownLists(document);
  }

  /** Adds the annotations of a page. */
  add(page: PdfDict): void {
    for (const num of annotationsOnPage(this.#document, page, this.#lists)) this.#listed.add(num);
  }

  /** Returns whether a page lists the object `num`. */
  has(num: number): boolean {
    return this.#listed.has(num);
  }
}

/**
 * Returns the object numbers of the annotations that pages list. Ignores annotations that are direct objects.
 */
export function annotationsOnPages(document: PdfDocument, pages: Iterable<Pick<Page, "dict">>): Set<number> {
  const lists = new KnownLists(document);
  const numbers = new Set<number>();
  for (const { dict } of pages) for (const num of annotationsOnPage(document, dict, lists)) numbers.add(num);
  return numbers;
}

/**
 * Generates the object numbers of the annotations that a page lists. Skips a known list, because pages may
 * share one.
 */
function* annotationsOnPage(document: PdfDocument, page: PdfDict, known: KnownLists): Generator<number> {
  const list = page.get("Annots");
  if (!known.add(list)) return;
  for (const annotation of document.array(list)) if (annotation instanceof PdfRef) yield annotation.num;
}

/** Returns the object number at the end of a chain of references that begins at `num`. */
export function lastNumber(document: PdfDocument, num: number): number {
  return document.lastReference(document.referenceTo(num)).num;
}
