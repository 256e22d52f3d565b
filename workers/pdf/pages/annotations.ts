import type { PdfDocument } from "../file/document.ts";
import { ListOwners } from "../file/list-owners.ts";
import { type PdfDict, PdfRef } from "../syntax/objects.ts";

/** The annotations that pages list (ISO 32000-2, 12.5.2) and that are indirect objects. */
export class Annotations {
  /** Their object numbers, in the order of the pages. */
  readonly numbers = new Set<number>();
  readonly #document: PdfDocument;
  readonly #lists = new ListOwners();

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /** Adds the annotations of a page. Pages may share a list. */
  add(page: PdfDict): void {
    const list = page.get("Annots");
    if (!this.#lists.claim(list)) return;
    for (const annotation of this.#document.array(list)) {
      if (annotation instanceof PdfRef) this.numbers.add(annotation.num);
    }
  }
}
