import type { PdfDocument } from "../../file/document.ts";
import type { FileWriter } from "../../file/file-writer.ts";
import { integerOf, PdfDict, type PdfObject, PdfRef, PdfString } from "../../syntax/objects.ts";
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
    return this.#items.branchesTo(pages);
  }

  /**
   * Counts the items at the top that lead to a page, without reading those below them.
   *
   * @param most where to stop counting
   */
  countAtTop(most: number): number {
    const document = this.#document;
    const seen = new Set<number>();
    let count = 0;
    let next = document.dict(document.catalog?.get("Outlines"))?.get("First");
    while (next instanceof PdfRef && count < most && !seen.has(next.num)) {
      seen.add(next.num);
      const item = document.dict(next);
      if (item && this.#pageOf(item) !== undefined) count++;
      next = item?.get("Next");
    }
    return count;
  }

  #pageOf(item: PdfDict): number | undefined {
    const action = this.#document.dict(item.get("A"));
    const destination = item.get("Dest") ?? (action?.is("S", "GoTo") ? action.get("D") : undefined);
    return this.#destinations.pageOf(destination);
  }

  /** Reads each item once, so that circles end. */
  #read(): KeyedTree<OutlineItem> {
    const document = this.#document;
    const items = new KeyedTree<OutlineItem>(document.budget);
    const seen = new Set<number>();
    let leading = 0;
    const chain = (first: PdfObject | undefined, above: number | undefined, depth: number) => {
      for (let next = first; next instanceof PdfRef && depth < DEPTH_LIMIT; ) {
        if (seen.has(next.num) || seen.size > ITEM_LIMIT || leading >= this.#mostLeading) break;
        seen.add(next.num);
        const item = document.dict(next);
        if (!item) break;
        const open = (integerOf(document.resolve(item.get("Count"))) ?? 0) >= 0;
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
    chain(document.dict(document.catalog?.get("Outlines"))?.get("First"), undefined, 0);
    return items;
  }

  /** Returns the beginning of a title that is too long; undefined for any other title. */
  #shortTitle(title: PdfObject | undefined): PdfString | undefined {
    if (title instanceof PdfRef && this.#titles.has(title.num)) return this.#titles.get(title.num);
    const found = this.#document.resolve(title);
    const isLong = found instanceof PdfString && found.bytes.length > TITLE_BYTES;
    const short = isLong ? new PdfString(found.bytes.subarray(0, TITLE_BYTES), found.hex) : undefined;
    if (title instanceof PdfRef) this.#titles.set(title.num, short);
    return short;
  }
}

function only(dict: PdfDict, keys: readonly string[]): PdfDict {
  const own = new PdfDict();
  for (const key of keys) {
    const value = dict.get(key);
    if (value !== undefined) own.set(key, value);
  }
  return own;
}

/** A level of an outline that is written. */
export interface OutlineLevel {
  /** The entries `First` and `Last` of its parent. */
  readonly ends: PdfDict;
  /** The number of visible items when the level is open. */
  readonly showing: number;
}

/**
 * Writes the items of one level, and all items below them.
 *
 * @param parent the item above, or the outline dictionary
 * @param map replaces the references in an object by those of the new file
 */
export function writeOutlineItems(
  items: readonly Branch<OutlineItem>[],
  parent: PdfRef,
  writer: FileWriter,
  map: (object: PdfObject) => PdfObject,
): OutlineLevel {
  const level = (entries: readonly Branch<OutlineItem>[], parent: PdfRef): OutlineLevel => {
    const refs = entries.map(() => new PdfRef(writer.allocate(), 0));
    let showing = entries.length;
    for (const [index, { node: item, isAsked, branches: below }] of entries.entries()) {
      const { dict, open } = item;
      const own = refs[index];
      const mapped = map(isAsked ? dict : only(dict, ["Title", "C", "F"]));
      if (!own || !(mapped instanceof PdfDict)) continue;
      mapped.set("Parent", parent);
      const [previous, next] = [refs[index - 1], refs[index + 1]];
      if (previous) mapped.set("Prev", previous);
      if (next) mapped.set("Next", next);
      if (below.length > 0) {
        const inner = level(below, own);
        for (const [key, value] of inner.ends.entries()) mapped.set(key, value);
        mapped.set("Count", open ? inner.showing : -inner.showing);
        if (open) showing += inner.showing;
      }
      writer.object(own.num, 0, mapped);
    }
    const ends = new PdfDict();
    const [first, last] = [refs[0], refs.at(-1)];
    if (first) ends.set("First", first);
    if (last) ends.set("Last", last);
    return { ends, showing };
  };
  return level(items, parent);
}
