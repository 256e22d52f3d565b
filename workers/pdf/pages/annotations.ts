import type { PdfDocument } from "../file/document.ts";
import { NumberSet } from "../file/number-set.ts";
import { PdfDict, type PdfObject, PdfRef, PdfStream } from "../syntax/objects.ts";

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

/** What is drawn for a page's annotations: their appearances, one or one for each state, and the icons of buttons. */
export function appearancesOf(document: PdfDocument, page: PdfDict): PdfObject[] {
  const drawn: PdfObject[] = [];
  for (const annotation of document.array(page.get("Annots"))) {
    const dict = document.dict(annotation);
    const appearances = document.dict(dict?.get("AP"));
    const icons = document.dict(dict?.get("MK"));
    for (const appearance of appearances?.values() ?? []) {
      const found = document.resolve(appearance);
      drawn.push(...(found instanceof PdfDict ? found.values() : [appearance]));
    }
    for (const key of ["I", "RI", "IX"]) drawn.push(icons?.get(key) ?? null);
  }
  return drawn.filter((object) => document.resolve(object) instanceof PdfStream);
}
