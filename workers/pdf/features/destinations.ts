import type { PdfDocument } from "../file/document.ts";
import { latin1, latin1Bytes } from "../syntax/characters.ts";
import { PdfDict, PdfName, type PdfObject, PdfRef, PdfString } from "../syntax/objects.ts";
import { nameTreeEntries } from "./sorted-trees.ts";

/** A name and its destination. */
export type NamedDestination = [name: string, destination: PdfObject];
/**
 * Named destinations: those of the name tree, and those that only the older `Dests` dictionary has. They are one name
 * space, as in viewers: a string or a name leads to a destination of either.
 */
export interface NamedDestinations {
  readonly strings: readonly NamedDestination[];
  readonly names: readonly NamedDestination[];
}
type DestinationsByPage = ReadonlyMap<number, NamedDestination[]>;

/** A document's explicit and named destinations (ISO 32000-2, 12.3.2). */
export class Destinations {
  readonly #document: PdfDocument;
  /** The index of each page object. */
  readonly #pageIndices: ReadonlyMap<number, number>;
  /** The pages of destinations that are indirect objects, by object number. */
  readonly #pages = new Map<number, number | undefined>();
  #byPage: { readonly strings: DestinationsByPage; readonly names: DestinationsByPage } | undefined;
  #tables: { readonly strings: Map<string, PdfObject>; readonly names: Map<string, PdfObject> } | undefined;

  constructor(document: PdfDocument, pageIndices: ReadonlyMap<number, number>) {
    this.#document = document;
    this.#pageIndices = pageIndices;
  }

  /** Returns the index of the page of a destination; undefined when it has none. */
  pageOf(destination: PdfObject | undefined): number | undefined {
    if (!(destination instanceof PdfRef)) return this.#readPageOf(destination);
    const { num } = destination;
    // Names and links may share a destination.
    if (!this.#pages.has(num)) this.#pages.set(num, this.#readPageOf(destination));
    return this.#pages.get(num);
  }

  #readPageOf(destination: PdfObject | undefined): number | undefined {
    let found = this.#document.resolve(destination);
    if (found instanceof PdfString || found instanceof PdfName) found = this.#named(found);
    if (found instanceof PdfDict) found = this.#document.resolve(found.get("D"));
    const page = Array.isArray(found) ? found[0] : undefined;
    if (page instanceof PdfRef) return this.#pageIndices.get(page.num);
    // Page numbers are for remote destinations, but some writers use them for local ones.
    return typeof page === "number" ? page : undefined;
  }

  #named(name: PdfString | PdfName): PdfObject {
    const { strings, names } = this.#all;
    const text = this.#textOf(name);
    return this.#document.resolve(strings.get(text) ?? names.get(text));
  }

  #textOf(name: PdfString | PdfName): string {
    if (name instanceof PdfName) return name.value;
    // Links may share a long name, which is converted for each of them.
    this.#document.budget.charge("byte", name.bytes.length);
    return latin1(name.bytes);
  }

  /** Returns a named destination as its table expects it, for viewers that look in one table only: a string or a name. */
  inItsTable(destination: PdfObject): PdfObject {
    const found = this.#document.resolve(destination);
    if (!(found instanceof PdfString || found instanceof PdfName)) return destination;
    const text = this.#textOf(found);
    if (this.#all.names.has(text)) return found instanceof PdfName ? destination : PdfName.of(text);
    return found instanceof PdfString ? destination : new PdfString(latin1Bytes(text));
  }

  /** Returns the named destinations on the given pages. */
  namesOf(pages: Iterable<number>): NamedDestinations {
    this.#byPage ??= { strings: this.#sorted(this.#all.strings), names: this.#sorted(this.#all.names) };
    const { strings, names } = this.#byPage;
    const indices = [...pages];
    const found = {
      strings: indices.flatMap((page) => strings.get(page) ?? []),
      names: indices.flatMap((page) => names.get(page) ?? []),
    };
    // Every output may get the same destinations, which are copied and sorted for it.
    this.#document.budget.charge("keptEntry", 2 * (found.strings.length + found.names.length));
    return found;
  }

  #sorted(entries: ReadonlyMap<string, PdfObject>): Map<number, NamedDestination[]> {
    const byPage = new Map<number, NamedDestination[]>();
    for (const [name, destination] of entries) {
      const page = this.pageOf(destination);
      if (page === undefined) continue;
      const known = byPage.get(page);
      if (known) known.push([name, destination]);
      else byPage.set(page, [[name, destination]]);
    }
    return byPage;
  }

  get #all() {
    this.#tables ??= this.#readTables();
    return this.#tables;
  }

  #readTables() {
    const document = this.#document;
    const catalog = document.catalog;
    const tree = document.dict(catalog?.get("Names"))?.get("Dests");
    const strings = new Map(nameTreeEntries(document, tree));
    const names = new Map(document.dict(catalog?.get("Dests"))?.entries() ?? []);
    for (const name of strings.keys()) names.delete(name);
    return { strings, names };
  }
}
