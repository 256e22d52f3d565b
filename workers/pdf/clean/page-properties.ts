import type { PdfDocument } from "../file/document.ts";
import { completePage, type Page } from "../pages/page-tree.ts";
import { dictOf, type PdfDict, type PdfObject, PdfRef } from "../syntax/objects.ts";

/** The property lists in the resources of pages. Forms without resources of their own use them (ISO 32000-2, 7.8.3). */
export class PageProperties {
  readonly #document: PdfDocument;
  readonly #all: ReadonlySet<PdfDict>;
  /** The lists that are found already, by name. */
  readonly #named = new Map<string, readonly PdfObject[]>();

  constructor(document: PdfDocument, pages: readonly Page[]) {
    this.#document = document;
    this.#all = new Set(
      pages.flatMap((page) => completePage(page).dict("Resources")?.dict("Properties") ?? []),
    );
  }

  /** Returns the property lists that pages have by a name, as references where they are. */
  listsOf(name: string): readonly PdfObject[] {
    const known = this.#named.get(name);
    if (known) return known;
    this.#document.budget.charge("entry", this.#all.size);
    const lists = new Map<PdfObject, PdfObject>();
    for (const properties of this.#all) {
      const list = properties.get(name);
      if (list !== undefined && dictOf(list)) lists.set(list instanceof PdfRef ? list.num : list, list);
    }
    const found = [...lists.values()];
    this.#named.set(name, found);
    return found;
  }
}
