import type { PdfDocument } from "../file/document.ts";
import { PdfDict, type PdfObject, PdfRef, PdfStream } from "../syntax/objects.ts";
import { hasResources } from "./resources.ts";

/** The appearances of annotations (ISO 32000-2, 12.5.5) of a document's pages. */
export class Appearances {
  readonly #document: PdfDocument;
  /** By the number of a list of annotations that is an object of its own: pages may share one. */
  readonly #known = new Map<number, readonly PdfObject[]>();

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /** Those of a page's annotations that have no resources: readers then look into the page's. */
  borrowingOn(page: PdfDict): readonly PdfObject[] {
    const list = page.get("Annots");
    const num = list instanceof PdfRef ? list.num : undefined;
    const borrowing = (num === undefined ? undefined : this.#known.get(num)) ?? this.#borrowingIn(list);
    if (num !== undefined) this.#known.set(num, borrowing);
    this.#document.budget.list(borrowing.length);
    return borrowing;
  }

  /** What several annotations have is gone through once. */
  #borrowingIn(list: PdfObject | undefined): PdfObject[] {
    const document = this.#document;
    const borrowing: PdfObject[] = [];
    const seen = new Set<number>();
    const isNew = (object: PdfObject | undefined) => {
      if (!(object instanceof PdfRef)) return true;
      if (seen.has(object.num)) return false;
      seen.add(object.num);
      return true;
    };
    const addBorrowing = (object: PdfObject, found = document.resolve(object)) => {
      if (found instanceof PdfStream && !hasResources(document, found.dict)) borrowing.push(object);
    };
    for (const annotation of document.array(list)) {
      const entry = document.dict(annotation)?.get("AP");
      const appearances = isNew(entry) ? document.dict(entry) : undefined;
      for (const appearance of appearances?.values() ?? []) {
        if (!isNew(appearance)) continue;
        const found = document.resolve(appearance);
        // One stream, or one for each state.
        if (found instanceof PdfDict) {
          for (const state of found.values()) if (isNew(state)) addBorrowing(state);
        } else addBorrowing(appearance, found);
      }
    }
    return borrowing;
  }
}
