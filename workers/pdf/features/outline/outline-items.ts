import type { PdfDocument } from "../../file/document.ts";
import { dictOf, PdfDict, type PdfObject, PdfRef, PdfString, stringOf } from "../../syntax/objects.ts";
import type { Destinations } from "../destinations.ts";
import { type Branch, KeyedTree } from "../keyed-tree.ts";

const DEPTH_LIMIT = 64;
const ITEM_LIMIT = 500_000;
/** The bytes of a title that are kept. Items may share a title of any length, and every output has all of it. */
const TITLE_BYTES = 65_536;

/** An outline item without the items below it. */
export interface OutlineItem {
  /** Its title, style and target. */
  readonly dict: PdfDict;
  readonly open: boolean;
  /** The index of the page that it leads to. */
  readonly page?: number | undefined;
}

/** A document's outline (ISO 32000-2, 12.3.3), read once. */
export class Outline {
  readonly #document: PdfDocument;
  readonly #destinations: Destinations;
  readonly #mostLeading: number;
  #items: KeyedTree<OutlineItem> | undefined;
  /** The titles that are indirect objects. */
  readonly #titles = new Map<number, PdfString | undefined>();

  /** @param mostLeading after how many items that lead to pages to stop reading */
  constructor(document: PdfDocument, destinations: Destinations, mostLeading = Number.POSITIVE_INFINITY) {
    this.#document = document;
    this.#destinations = destinations;
    this.#mostLeading = mostLeading;
  }

  /** Returns the items whose page is kept, and their ancestors. */
  keptFor(pages: Iterable<number>): readonly Branch<OutlineItem>[] {
    this.#items ??= this.#read();
    return this.#items.subtreesWith(pages);
  }

  /**
   * Counts the items at the top that lead to a page, without reading those below them.
   *
   * @param most where to stop counting
   */
  countAtTop(most: number): number {
    const seen = new Set<number>();
    let count = 0;
    let next = this.#document.catalog?.dict("Outlines")?.get("First");
    while (next instanceof PdfRef && count < most && !seen.has(next.num)) {
      seen.add(next.num);
      const item: PdfDict | undefined = dictOf(next);
      if (item && this.#pageOf(item) !== undefined) count++;
      next = item?.get("Next");
    }
    return count;
  }

  #pageOf(item: PdfDict): number | undefined {
    const action = item.dict("A");
    const destination = item.get("Dest") ?? (action?.is("S", "GoTo") ? action.get("D") : undefined);
    return this.#destinations.pageOf(destination);
  }

  /** Reads each item once, so that circles end. */
  #read(): KeyedTree<OutlineItem> {
    const items = new KeyedTree<OutlineItem>(this.#document.budget);
    const seen = new Set<number>();
    let leading = 0;
    const chain = (first: PdfObject | undefined, above: number | undefined, depth: number) => {
      for (let next = first; next instanceof PdfRef && depth < DEPTH_LIMIT; ) {
        if (seen.has(next.num) || seen.size > ITEM_LIMIT || leading >= this.#mostLeading) break;
        seen.add(next.num);
        const item: PdfDict | undefined = dictOf(next);
        if (!item) break;
        const open = (item.integer("Count") ?? 0) >= 0;
        const dict = only(item, ["Title", "C", "F", "Dest", "A"]);
        const title = this.#shortTitle(item.get("Title"));
        if (title) dict.set("Title", title);
        const page = this.#pageOf(item);
        if (page !== undefined) leading++;
        const place = items.add({ dict, open, page }, above, page);
        chain(item.get("First"), place, depth + 1);
        next = item.get("Next");
      }
    };
    chain(this.#document.catalog?.dict("Outlines")?.get("First"), undefined, 0);
    return items;
  }

  /** Returns the beginning of a title that is too long; undefined for any other title. */
  #shortTitle(title: PdfObject | undefined): PdfString | undefined {
    if (title instanceof PdfRef && this.#titles.has(title.num)) return this.#titles.get(title.num);
    const found = stringOf(title);
    const isLong = found !== undefined && found.bytes.length > TITLE_BYTES;
    const short = isLong ? new PdfString(found.bytes.subarray(0, TITLE_BYTES), found.hex) : undefined;
    if (title instanceof PdfRef) this.#titles.set(title.num, short);
    return short;
  }
}

/** Returns a dictionary with some of the entries of another. */
export function only(dict: PdfDict, keys: readonly string[]): PdfDict {
  const reduced = new PdfDict();
  for (const key of keys) {
    const value = dict.get(key);
    if (value !== undefined) reduced.set(key, value);
  }
  return reduced;
}
