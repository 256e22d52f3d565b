import type { PdfDocument } from "../file/document.ts";
import { PdfDict, PdfName, type PdfObject, PdfRef, PdfString } from "../syntax/objects.ts";
import { nameTreeEntries } from "./sorted-trees.ts";

/** A document's destinations (ISO 32000-2, 12.3.2): explicit ones, and named ones of both kinds. */
export class Destinations {
  readonly #document: PdfDocument;
  /** Where in the document each page object is. */
  readonly #pageIndices: ReadonlyMap<number, number>;
  #named: { readonly strings: Map<string, PdfObject>; readonly names: Map<string, PdfObject> } | undefined;

  constructor(document: PdfDocument, pageIndices: ReadonlyMap<number, number>) {
    this.#document = document;
    this.#pageIndices = pageIndices;
  }

  /** The index of the page that a destination leads to; undefined when it leads to none. */
  pageOf(destination: PdfObject | undefined): number | undefined {
    let found = this.#document.resolve(destination);
    if (found instanceof PdfString) found = this.#document.resolve(this.#all.strings.get(textOf(found)));
    else if (found instanceof PdfName) found = this.#document.resolve(this.#all.names.get(found.value));
    if (found instanceof PdfDict) found = this.#document.resolve(found.get("D"));
    const page = Array.isArray(found) ? found[0] : undefined;
    if (page instanceof PdfRef) return this.#pageIndices.get(page.num);
    // A page number is meant for other files, but some writers use it for their own.
    return typeof page === "number" ? page : undefined;
  }

  /** The named destinations whose page is kept, as the name tree's entries and as the older dictionary. */
  keptNames(keeps: (page: number) => boolean): {
    readonly strings: [string, PdfObject][];
    readonly names: [string, PdfObject][];
  } {
    const kept = (entries: Map<string, PdfObject>) =>
      [...entries].filter(([, destination]) => {
        const page = this.pageOf(destination);
        return page !== undefined && keeps(page);
      });
    return { strings: kept(this.#all.strings), names: kept(this.#all.names) };
  }

  get #all() {
    this.#named ??= this.#readNamed();
    return this.#named;
  }

  #readNamed() {
    const document = this.#document;
    const catalog = document.dict(document.trailer.get("Root"));
    const tree = document.dict(catalog?.get("Names"))?.get("Dests");
    return {
      strings: new Map(nameTreeEntries(document, tree)),
      names: new Map(document.dict(catalog?.get("Dests"))?.entries ?? []),
    };
  }
}

const textOf = ({ bytes }: PdfString) => String.fromCharCode(...bytes.subarray(0, 8192));
