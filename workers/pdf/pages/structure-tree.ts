import type { PdfDocument } from "../file/document.ts";
import { ListOwners } from "../file/list-owners.ts";
import { integerOf, PdfDict, type PdfObject, PdfRef } from "../syntax/objects.ts";
import { numberTreeEntries } from "./sorted-trees.ts";
import { readStructureContent, type StructureContent } from "./structure-content.ts";

const DEPTH_LIMIT = 256;

/** Elements without content that stand together in a list, such as the empty cells of a table. */
export interface EmptyRun {
  readonly elements: readonly number[];
  /** The element with content that follows, 0 at the end of the list. */
  readonly next: number;
}

/** A kid and its place in the list. */
export interface PlacedKid {
  readonly place: number;
  readonly kid: PdfObject;
}

/** The kids in an element's `K`. */
export interface Kids {
  /** The position of each element in the list. */
  readonly places: ReadonlyMap<number, number>;
  /** The number of elements with content. */
  readonly contentful: number;
  /** The elements without content, by the element with content before them, 0 at the start of the list. */
  readonly empty: ReadonlyMap<number, EmptyRun>;
  /**
   * Marked content, by the index of its page, or -1 without a page. Each output has few of an element's
   * pages.
   */
  readonly content: ReadonlyMap<number, readonly PlacedKid[]>;
  /** Objects that are content of the element, by object number. */
  readonly objects: ReadonlyMap<number, readonly PlacedKid[]>;
  /** The number of entries of `content` and `objects`, and of kids that are not copied, such as direct elements. */
  readonly contentCount: number;
}

/** The objects of an output that may be in the structure tree. */
export interface StructuredPart {
  /** The structure parent keys of its pages and objects. */
  readonly keys: Iterable<number>;
  /** The object numbers of its pages. */
  readonly pages: Iterable<number>;
  /** The object numbers of its annotations. */
  readonly annotations: Iterable<number>;
}

/** A document's structure tree (ISO 32000-2, 14.7). Reads each element once. */
export class StructureTree {
  readonly root: PdfDict | undefined;
  readonly #document: PdfDocument;
  readonly #isOther: (num: number) => boolean;
  readonly #pageIndices: ReadonlyMap<number, number>;
  readonly #rootNumber: number | undefined;
  readonly #elements = new Map<number, PdfDict | undefined>();
  readonly #kids = new Map<number, Kids>();
  #parentTree: ReadonlyMap<number, PdfObject> | undefined;
  #contentRead: StructureContent | undefined;
  #known: ReadonlySet<number> | undefined;

  /**
   * @param pageIndices the index of each page object in the document
   * @param isOther returns whether an object is a page, an annotation or a field, and thus no element
   */
  constructor(
    document: PdfDocument,
    pageIndices: ReadonlyMap<number, number>,
    isOther: (num: number) => boolean,
  ) {
    this.#document = document;
    this.#pageIndices = pageIndices;
    this.#isOther = isOther;
    const reference = document.catalog?.get("StructTreeRoot");
    this.root = document.dict(reference);
    this.#rootNumber = reference instanceof PdfRef ? reference.num : undefined;
  }

  /** Returns whether an object is the root of the tree. */
  isRoot(num: number): boolean {
    return num === this.#rootNumber;
  }

  /** Returns whether the tree lists an object as an element. The type of elements is optional (Table 355). */
  isElement(num: number): boolean {
    return this.#content.parents.has(num);
  }

  /** Returns the value of a structure parent key in the parent tree. */
  parentsOf(key: number): PdfObject | undefined {
    return this.#parents.get(key);
  }

  /** Returns the element with an object number. */
  element(num: number): PdfDict | undefined {
    if (this.#elements.has(num)) return this.#elements.get(num);
    const found = this.#document.resolve(this.#document.referenceTo(num));
    const fits = found instanceof PdfDict && (!found.has("Type") || found.is("Type", "StructElem"));
    const element = fits && !this.#isOther(num) ? found : undefined;
    this.#elements.set(num, element);
    return element;
  }

  /** Returns the kids of an element; 0 stands for the root. */
  kidsOf(num: number): Kids {
    const known = this.#kids.get(num);
    if (known) return known;
    const element = num === 0 ? this.root : this.element(num);
    const kids = this.#sorted(this.#kidList(element?.get("K") ?? null, num), element?.get("Pg"));
    this.#kids.set(num, kids);
    return kids;
  }

  /** Returns the kids in a `K` entry; none when the list belongs to an element that comes first. */
  #kidList(entry: PdfObject, owner: number): readonly PdfObject[] {
    const { lists } = this.#content;
    if (lists.isTaken(entry, owner)) return [];
    const list = this.#document.resolve(entry);
    if (!Array.isArray(list)) return [entry];
    return lists.claim(entry, owner) ? list : [];
  }

  /** Returns the index of the page that an element or its content names; -1 when that is no page. */
  #pageIndex(page: PdfObject | undefined): number {
    if (!(page instanceof PdfRef)) return -1;
    const known = this.#pageIndices.get(page.num);
    return known ?? this.#pageIndices.get(this.#document.lastReference(page).num) ?? -1;
  }

  /**
   * Sorts the kids of an element by their kind.
   *
   * @param page the element's `Pg` entry
   */
  #sorted(list: readonly PdfObject[], page: PdfObject | undefined): Kids {
    const places = new Map<number, number>();
    const content = new Map<number, PlacedKid[]>();
    const objects = new Map<number, PlacedKid[]>();
    let contentCount = 0;
    const addContent = (placed: PlacedKid) => {
      const found = this.#document.resolve(placed.kid);
      if (typeof found === "number") addTo(content, this.#pageIndex(page), placed);
      else if (!(found instanceof PdfDict)) return;
      else if (found.is("Type", "MCR")) addTo(content, this.#pageIndex(found.get("Pg") ?? page), placed);
      else if (found.is("Type", "OBJR")) {
        const object = found.get("Obj");
        addTo(objects, object instanceof PdfRef ? object.num : 0, placed);
      }
      contentCount++;
    };
    const empty = new Map<number, EmptyRun>();
    let contentful = 0;
    let last = 0;
    let run: number[] = [];
    const endRun = (next: number) => {
      if (run.length > 0) empty.set(last, { elements: run, next });
      run = [];
      last = next;
    };
    for (const [place, kid] of list.entries()) {
      if (!(kid instanceof PdfRef) || !this.element(kid.num)) {
        addContent({ place, kid });
        continue;
      }
      places.set(kid.num, place);
      if (!this.hasContent(kid.num)) {
        run.push(kid.num);
        continue;
      }
      contentful++;
      endRun(kid.num);
    }
    endRun(0);
    return { places, contentful, empty, content, objects, contentCount };
  }

  /** Returns whether an element or its descendants have content. */
  hasContent(num: number): boolean {
    return this.#contentful.has(num);
  }

  /** Returns the element that lists an element, or else the one that its `P` names; 0 for the root. */
  parentOf(num: number): number {
    const listed = this.#content.parents.get(num);
    if (listed !== undefined) return listed;
    const named = this.element(num)?.get("P");
    return named instanceof PdfRef && !this.isRoot(named.num) && this.element(named.num) ? named.num : 0;
  }

  /** Returns the object numbers of the elements with content in an output, and of their ancestors. */
  elementsOf({ keys, pages, annotations }: StructuredPart): Set<number> {
    const found = new Set<number>();
    const { byPage, byObject } = this.#content;
    const lists = new ListOwners(this.#document);
    for (const key of keys) this.#addParents(this.parentsOf(key), found, lists);
    const add = (elements: readonly number[] = []) => {
      this.#document.budget.charge("entry", elements.length);
      for (const element of elements) this.#addWithAncestors(element, found);
    };
    for (const page of pages) add(byPage.get(page));
    for (const num of annotations) add(byObject.get(num));
    return found;
  }

  /** Adds a value of the parent tree: one element for an object, an array for the marked content of a page. */
  #addParents(value: PdfObject | undefined, found: Set<number>, known: ListOwners): void {
    if (!known.claim(value)) return;
    const resolved = this.#document.resolve(value);
    for (const element of Array.isArray(resolved) ? resolved : [value]) {
      if (element instanceof PdfRef) this.#addWithAncestors(element.num, found);
    }
  }

  #addWithAncestors(first: number, found: Set<number>): void {
    let num = first;
    for (let depth = 0; num !== 0 && !found.has(num) && depth < DEPTH_LIMIT; depth++) {
      if (this.isRoot(num) || !this.element(num)) break;
      found.add(num);
      num = this.parentOf(num);
    }
  }

  get #content(): StructureContent {
    const elementOf = (num: number) => (this.isRoot(num) ? undefined : this.element(num));
    this.#contentRead ??= readStructureContent(this.#document, this.root ?? new PdfDict(), elementOf);
    return this.#contentRead;
  }

  get #parents(): ReadonlyMap<number, PdfObject> {
    this.#parentTree ??= new Map(numberTreeEntries(this.#document, this.root?.get("ParentTree")));
    return this.#parentTree;
  }

  /** All elements with content. */
  get #contentful(): ReadonlySet<number> {
    const { byPage, byObject } = this.#content;
    this.#known ??= this.elementsOf({
      keys: this.#parents.keys(),
      pages: byPage.keys(),
      annotations: byObject.keys(),
    });
    return this.#known;
  }
}

function addTo(lists: Map<number, PlacedKid[]>, key: number, placed: PlacedKid): void {
  const known = lists.get(key);
  if (known) known.push(placed);
  else lists.set(key, [placed]);
}

/** Returns the structure parent key of an object or of its marked content. */
export function structureKeyOf(document: PdfDocument, dict: PdfDict): number | undefined {
  const key = dict.get("StructParents") ?? dict.get("StructParent");
  return key === undefined ? undefined : integerOf(document.resolve(key));
}
