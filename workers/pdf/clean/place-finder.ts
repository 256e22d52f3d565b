import type { Kind } from "../copy/kinds.ts";
import type { PdfDocument } from "../file/document.ts";
import { type Page, pageIndicesOf, readPages } from "../pages/page-tree.ts";
import { dictOf, nameOf, PdfDict, type PdfObject, PdfRef, PdfStream, resolved } from "../syntax/objects.ts";
import { isDrawn, isHiddenForGood } from "./annotations.ts";
import { HiddenLayers } from "./hidden-layers.ts";
import { hasImageMetadata } from "./image-metadata.ts";
import { entryKindsOfWhole, isListOfNames, kindInWhole } from "./kinds.ts";
import {
  type Category,
  ENTRY_PLACES,
  type EntryPlace,
  FIELDS,
  KNOWN_ENTRIES,
  LONG_NAMES,
  OBJECT_PLACES,
  OF_PROGRAM,
  PLAIN_ENTRIES,
  WITH_OWN_KEYS,
} from "./places.ts";
import { runsAddress } from "./script-address.ts";

/** Objects that may have an address: 12.6.4.8 and 7.11.5. */
const MAY_HAVE_ADDRESS: ReadonlySet<Kind> = new Set(["action", "file", "other"] as const);

/** Entries with what a field holds (12.7.4.1 and 12.7.5). */
const VALUES = ["V", "DV", "RV", "Opt"];

/** Lists of names, numbers and texts nest at most twice. */
const DEEPEST_LIST = 3;

/** An entry to remove. */
type FoundEntry = readonly [key: string, category: Category];

/** Applies the tables of places to the objects of one document. */
export class PlaceFinder {
  readonly layers: HiddenLayers;
  readonly #document: PdfDocument;
  readonly #removed: ReadonlySet<Category>;
  readonly #pages: ReadonlyMap<number, number>;
  /** The numbers of the annotations that pages list. Readers show no others. */
  readonly #listed: ReadonlySet<number>;
  /** Known when a field seems to have no widget. */
  #fieldsOfWidgets: ReadonlySet<number> | undefined;
  /** What objects are, by number, if that is known from all places that lead to them. The first kind counts most. */
  kinds: ReadonlyMap<number, readonly Kind[]> = new Map();

  /** @param removed the categories to find */
  constructor(document: PdfDocument, removed: ReadonlySet<Category>) {
    this.#document = document;
    this.#removed = removed;
    this.layers = new HiddenLayers(document);
    const pages = readPages(document);
    this.#pages = pageIndicesOf(pages);
    this.#listed = new Set(pages.flatMap((page) => this.#annotationsOf(page)));
  }

  /** Returns what an object is: see {@link kindInWhole}. */
  kindOf(object: PdfDict | PdfStream, place: Kind, num?: number): Kind {
    if (num !== undefined && this.#pages.has(num)) return "page";
    return (num === undefined ? undefined : this.kinds.get(num)?.[0]) ?? kindInWhole(object, place);
  }

  /** Returns all that an object is, if damage has made it several things. */
  kindsOf(num: number, kind: Kind): readonly Kind[] {
    return this.kinds.get(num) ?? [kind];
  }

  finds(category: Category): boolean {
    return this.#removed.has(category);
  }

  /** Returns the category of an object that is to be removed as a whole; undefined for any other object. */
  categoryOf(object: PdfDict | PdfStream, kind: Kind, num?: number): Category | undefined {
    const dict = object instanceof PdfStream ? object.dict : object;
    if (kind === "metadata") return this.#if("metadata");
    if (isListOfNames(kind)) return undefined;
    if (this.#isHidden(dict, kind, num)) return "layers";
    if (this.#isStray(dict, kind, num)) return "private";
    if (this.#removed.has("scripts") && this.#isUnlisted(dict, kind, num)) return "scripts";
    // 12.5.2: some readers show an annotation that is a stream. 14.7.6: attributes in a stream have no meaning in the standard.
    if ((kind === "annotation" || kind === "attributes") && object instanceof PdfStream) return "private";
    if (MAY_HAVE_ADDRESS.has(kind) && this.#removed.has("scripts") && runsAddress(dict)) return "scripts";
    // 7.11.4: a file specification with its file.
    if (MAY_HAVE_ADDRESS.has(kind) && dict.has("EF") && this.#removed.has("attachments"))
      return "attachments";
    return OBJECT_PLACES.find(({ is, key, values, unless, category }) => {
      if (!this.#removed.has(category) || (is !== "any" && !is.includes(kind))) return false;
      if (category === "drawn" && !isDrawn(dict)) return false;
      const value = dict.name(key) ?? "";
      return values ? values.has(value) : unless !== undefined && !unless.has(value);
    })?.category;
  }

  /**
   * Returns the entries of a dictionary, perhaps of a stream, that are to be removed.
   *
   * @param num the number of the object that it is; undefined for a direct object
   */
  entriesOf(dict: PdfDict, kind: Kind, num?: number): readonly FoundEntry[] {
    if (isListOfNames(kind)) return [];
    const known = KNOWN_ENTRIES[kind];
    const places = entryKindsOfWhole(kind).byKey;
    const found: FoundEntry[] = [];
    for (let index = 0; index < dict.size; index++) {
      const key = dict.keyAt(index);
      const category = this.#categoryOfEntry(dict, kind, key);
      if (category !== undefined) found.push([key, category]);
      else if (known ? !isKnown(dict, key, known) : !WITH_OWN_KEYS.has(kind) && OF_PROGRAM.test(key))
        found.push([key, "private"]);
      else if (places.get(key) === "page" && !this.#mayBePage(dict.get(key))) found.push([key, "private"]);
      else if (known && PLAIN_ENTRIES.has(key) && !places.has(key) && this.#hasDict(dict.get(key)))
        found.push([key, "private"]);
    }
    if (this.#removed.has("scripts") && this.#isOfScripts(dict, kind, num))
      for (const key of VALUES) if (dict.has(key)) found.push([key, "scripts"]);
    // 12.8.1: signatures. No value of another field has a dictionary, so neither its type nor that of the field is needed.
    for (const key of ["V", "DV"]) {
      const value = dict.value(key);
      const isText = value instanceof PdfStream && !dict.is("FT", "Sig");
      const isOfField = !isText && FIELDS.includes(kind) && this.#hasDict(value);
      if (isOfField || dictOf(value)?.has("ByteRange")) found.push([key, "private"]);
    }
    return found;
  }

  /** Returns whether the data of a stream has metadata that is to be removed. */
  hasMetadataInData(stream: PdfStream): boolean {
    return this.#removed.has("metadata") && hasImageMetadata(this.#document, stream);
  }

  #categoryOfEntry(dict: PdfDict, kind: Kind, key: string): Category | undefined {
    for (const place of ENTRIES_BY_KEY.get(key) ?? []) {
      if (place.in !== "any" && !place.in.includes(kind)) continue;
      if (place.subtypes && !place.subtypes.has(dict.name("Subtype") ?? "")) continue;
      const { category } = place;
      const found = (typeof category === "string" ? [category] : category).find((one) =>
        this.#removed.has(one),
      );
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Returns whether an object belongs to a hidden layer, or is one. */
  #isHidden(dict: PdfDict, kind: Kind, num: number | undefined): boolean {
    if (!this.#removed.has("layers")) return false;
    if (num !== undefined && this.layers.hidden.has(num)) return true;
    if (kind === "membership") return this.layers.hides(dict);
    return this.layers.hidesObject(dict);
  }

  /**
   * Returns whether readers never show an object: a page that the page tree does not list, an image that replaces no other, a
   * hidden link.
   */
  #isStray(dict: PdfDict, kind: Kind, num: number | undefined): boolean {
    if (kind === "page") return num !== undefined && !this.#pages.has(num);
    // 8.9.5.4: an alternate image is printed, or it is shown by its layer.
    if (kind === "alternate image") return !dict.has("OC") && dict.value("DefaultForPrinting") !== true;
    if (kind === "annotation") return this.#isStrayAnnotation(dict, num);
    return kind === "destination" && !["D", "SD"].some((key) => dict.has(key) && !dict.dict(key));
  }

  /** Returns whether an annotation is never shown. Scripts know of widgets all the same, and markup annotations of their popups. */
  #isStrayAnnotation(dict: PdfDict, num: number | undefined): boolean {
    const isListed = num === undefined || this.#listed.has(num);
    if (!isListed && !dict.is("Subtype", "Widget") && !dict.is("Subtype", "Popup")) return true;
    return isHiddenForGood(dict);
  }

  /** Returns whether an object is a widget that no page lists, so that only scripts read what its field holds. */
  #isUnlisted(dict: PdfDict, kind: Kind, num: number | undefined): boolean {
    return (
      kind === "annotation" && dict.is("Subtype", "Widget") && num !== undefined && !this.#listed.has(num)
    );
  }

  #annotationsOf({ dict }: Page): number[] {
    const items = dict.list("Annots");
    // Pages may share their lists.
    this.#document.budget.charge("entry", items.length);
    return items.flatMap((item) => (item instanceof PdfRef ? [item.num] : []));
  }

  /** Returns whether a field has no widget, or none that stays, so that only scripts read its value. */
  #isOfScripts(dict: PdfDict, kind: Kind, num: number | undefined): boolean {
    if (kind !== "field" || (num !== undefined && this.#listed.has(num))) return false;
    const kids = dict.list("Kids");
    // Fields may share their kids.
    this.#document.budget.charge("entry", kids.length);
    const isSeen = kids.some((kid) => this.#stays(kid, "field"));
    return !isSeen && !(num !== undefined && this.#shownFields.has(num));
  }

  /** The numbers of the fields that widgets on pages name as their parents. Damaged fields do not list all their kids. */
  get #shownFields(): ReadonlySet<number> {
    if (this.#fieldsOfWidgets) return this.#fieldsOfWidgets;
    const fields = new Set<number>();
    for (const num of this.#listed) {
      const ref = this.#document.referenceTo(num);
      let parent = this.#stays(ref, "annotation") ? dictOf(ref)?.reference("Parent") : undefined;
      for (; parent && !fields.has(parent.num); parent = dictOf(parent)?.reference("Parent")) {
        fields.add(parent.num);
      }
    }
    this.#fieldsOfWidgets = fields;
    return fields;
  }

  /** Returns whether an object of a list is a dictionary that is not removed as a whole. */
  #stays(item: PdfObject, place: Kind): boolean {
    const num = item instanceof PdfRef ? item.num : undefined;
    const object = dictOf(item);
    return (
      object !== undefined && this.categoryOf(object, this.kindOf(object, place, num), num) === undefined
    );
  }

  /** Returns whether a dictionary is in a list, or in the place of one. */
  #hasDict(entry: PdfObject | undefined, depth = 0): boolean {
    if (typeof entry !== "object") return false;
    const found = resolved(entry);
    if (!Array.isArray(found)) return found instanceof PdfDict || found instanceof PdfStream;
    return depth > DEEPEST_LIST || found.some((item) => this.#hasDict(item, depth + 1));
  }

  /** Returns whether an entry leads to what may be a page: pages are objects of their own. */
  #mayBePage(entry: PdfObject | undefined): boolean {
    if (entry instanceof PdfRef && this.#pages.has(entry.num)) return true;
    const found = resolved(entry);
    return found === null || (entry instanceof PdfRef && found instanceof PdfDict);
  }

  #if(category: Category): Category | undefined {
    return this.#removed.has(category) ? category : undefined;
  }
}

/** Returns whether an entry is one of those that are known, perhaps by its short name. */
function isKnown(dict: PdfDict, key: string, known: ReadonlySet<string>): boolean {
  if (known.has(key)) return true;
  const long = LONG_NAMES.get(key);
  if (long === undefined || !known.has(long) || dict.has(long)) return false;
  // 7.3.8.2: in streams, `F` may also be a file that holds their data.
  return key !== "F" || dict.list("F").every((filter) => nameOf(filter) !== undefined);
}

const ENTRIES_BY_KEY = new Map<string, EntryPlace[]>();
for (const place of ENTRY_PLACES) {
  for (const key of place.keys) ENTRIES_BY_KEY.set(key, [...(ENTRIES_BY_KEY.get(key) ?? []), place]);
}
