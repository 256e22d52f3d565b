import type { PdfDocument } from "../file/document.ts";
import { latin1, latin1Bytes } from "../syntax/characters.ts";
import { PdfDict, PdfName, type PdfObject, PdfRef, PdfString, resolved } from "../syntax/objects.ts";
import type { ChosenPages } from "./chosen-pages.ts";
import { feature, keptOf } from "./feature.ts";
import { nameTree, nameTreeEntries } from "./sorted-trees.ts";

/** A name and its destination. */
type NamedDestination = [name: string, destination: PdfObject];
/**
 * Named destinations: those of the name tree, and those that only the older `Dests` dictionary has. They are one name
 * space, as in viewers: a string or a name leads to a destination of either.
 */
interface NamedDestinations {
  readonly strings: readonly NamedDestination[];
  readonly names: readonly NamedDestination[];
}
type DestinationsByPage = ReadonlyMap<number, NamedDestination[]>;

/** The names of places on the pages. A merged document has all of them in its name tree. */
export const destinations = feature<Destinations, NamedDestinations>({
  read: ({ document, pageIndices }) => new Destinations(document, pageIndices),
  keep(found, part) {
    if (part.pages.isRepeat) return undefined;
    const { strings, names } = found.namesOf(part.pages.all);
    const mapped = ([name, destination]: NamedDestination): NamedDestination => [
      part.output.names.of("destination", name),
      part.map(withPageNamed(destination, part.pages), "destination"),
    ];
    return { strings: strings.map(mapped), names: names.map(mapped) };
  },
  combine: (documents) => ({
    strings: keptOf(documents).flatMap(({ strings, names }) => [...strings, ...names]),
    names: [],
  }),
  write({ strings, names }, output) {
    if (names.length > 0) output.catalog.set("Dests", PdfDict.from(names));
    if (strings.length > 0) output.addNames("Dests", nameTree(strings));
  },
});

/** Returns a destination with a reference in place of a page number, because pages are renumbered. */
export function withPageNamed(destination: PdfObject, pages: ChosenPages): PdfObject {
  const found = resolved(destination);
  if (found instanceof PdfDict) {
    const target = found.get("D") ?? null;
    const named = withPageNamed(target, pages);
    if (named === target) return destination;
    const copy = found.clone();
    copy.set("D", named);
    return copy;
  }
  const index = Array.isArray(found) ? found[0] : undefined;
  if (!Array.isArray(found) || typeof index !== "number") return destination;
  return [pages.source.pages[index]?.ref ?? pages.positionOf(index), ...found.slice(1)];
}

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
    let found = resolved(destination);
    if (found instanceof PdfString || found instanceof PdfName) found = this.#named(found);
    if (found instanceof PdfDict) found = found.value("D");
    const page = Array.isArray(found) ? found[0] : undefined;
    if (page instanceof PdfRef) return this.#pageIndices.get(page.num);
    // Page numbers are for remote destinations, but some writers use them for local ones.
    return typeof page === "number" ? page : undefined;
  }

  #named(name: PdfString | PdfName): PdfObject {
    const { strings, names } = this.#all;
    const text = textOf(name);
    return resolved(strings.get(text) ?? names.get(text));
  }

  /** Returns what a named destination stands for, and any other destination unchanged. */
  explicit(destination: PdfObject): PdfObject {
    const found = resolved(destination);
    if (!(found instanceof PdfString || found instanceof PdfName)) return destination;
    const named = this.#named(found);
    return named instanceof PdfDict ? named.value("D") : named;
  }

  /** Returns a named destination as its table expects it, for viewers that look in one table only: a string or a name. */
  inItsTable(destination: PdfObject): PdfObject {
    const found = resolved(destination);
    if (!(found instanceof PdfString || found instanceof PdfName)) return destination;
    const text = textOf(found);
    if (this.#all.names.has(text)) return found instanceof PdfName ? destination : PdfName.of(text);
    return found instanceof PdfString ? destination : new PdfString(latin1Bytes(text));
  }

  /** Returns the named destinations on the given pages. */
  namesOf(pages: Iterable<number>): NamedDestinations {
    this.#byPage ??= { strings: this.#sorted(this.#all.strings), names: this.#sorted(this.#all.names) };
    const { strings, names } = this.#byPage;
    const indices = [...pages];
    return {
      strings: indices.flatMap((page) => strings.get(page) ?? []),
      names: indices.flatMap((page) => names.get(page) ?? []),
    };
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
    const { catalog } = this.#document;
    const strings = new Map(nameTreeEntries(catalog?.dict("Names")?.get("Dests")));
    const names = new Map(catalog?.dict("Dests")?.entries() ?? []);
    for (const name of strings.keys()) names.delete(name);
    return { strings, names };
  }
}

function textOf(name: PdfString | PdfName): string {
  return name instanceof PdfName ? name.value : latin1(name.bytes);
}
