import { ListOwners } from "../file/list-owners.ts";
import { type PdfDict, PdfRef } from "../syntax/objects.ts";

/** The annotations that pages list (ISO 32000-2, 12.5.2) and that are indirect objects. */
export class Annotations {
  /** Their object numbers, in the order of the pages. */
  readonly numbers = new Set<number>();
  readonly #lists = new ListOwners();

  /** Adds the annotations of a page. Pages may share a list. */
  add(page: PdfDict): void {
    if (!this.#lists.claim(page.get("Annots"))) return;
    for (const annotation of page.array("Annots")) {
      if (annotation instanceof PdfRef) this.numbers.add(annotation.num);
    }
  }
}
