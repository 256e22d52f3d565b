import type { PdfDocument } from "../file/document.ts";
import { NumberSet } from "../file/number-set.ts";
import { type PdfDict, PdfRef } from "../syntax/objects.ts";

/** The annotations that a document's pages list (ISO 32000-2, 12.5.2), as far as they are objects. */
export class Annotations {
  readonly #document: PdfDocument;
  readonly #listed = new NumberSet();
  #behindReferences: NumberSet | undefined;

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /** Takes in what a page lists. */
  add(page: PdfDict): void {
    for (const num of annotationsOf(this.#document, page)) this.#listed.add(num);
  }

  /** Whether a page lists the object `num`. */
  has(num: number): boolean {
    return this.#listed.has(num);
  }

  /** Whether a page lists a reference to the object `num`. All annotations are read for that, once. */
  isBehindReference(num: number): boolean {
    this.#behindReferences ??= this.#readBehindReferences();
    return this.#behindReferences.has(num);
  }

  #readBehindReferences(): NumberSet {
    const found = new NumberSet();
    for (const [num] of this.#document.crossReference.entries()) {
      if (!this.#listed.has(num)) continue;
      const last = lastNumber(this.#document, num);
      if (last !== num) found.add(last);
    }
    return found;
  }
}

/** The annotations that a page lists, as far as they are objects. */
export function annotationsOf(document: PdfDocument, page: PdfDict): number[] {
  const numbers: number[] = [];
  for (const annotation of document.array(page.get("Annots"))) {
    if (annotation instanceof PdfRef) numbers.push(annotation.num);
  }
  return numbers;
}

/** What an object leads to that is but a reference; any other is itself. */
export function lastNumber(document: PdfDocument, num: number): number {
  return document.lastReference(document.referenceTo(num)).num;
}
