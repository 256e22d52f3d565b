import type { PdfDocument } from "../../file/document.ts";
import { ListOwners } from "../../file/list-owners.ts";
import { PdfDict, type PdfObject, PdfRef, resolved } from "../../syntax/objects.ts";
import { numberTreeEntries } from "../sorted-trees.ts";

const DEPTH_LIMIT = 256;
/** The most kids of all elements. */
const KID_LIMIT = 5_000_000;
/** Stand for the index of a page: of content without a page, and of a page that is not in the page tree. */
const NO_PAGE = -1;
const OTHER_PAGE = -2;

/** Elements without content that stand together in a list, such as the empty cells of a table. */
export interface EmptyRun {
  readonly elements: readonly number[];
  /** The element with content that follows, 0 at the end of the list. */
  readonly next: number;
}

/** A kid and its place in the list. */
interface PlacedKid {
  readonly place: number;
  readonly kid: PdfObject;
}

/** The kids in an element's `K`, by their kind. */
interface SortedKids {
  /** The position of each element in the list. */
  readonly places: ReadonlyMap<number, number>;
  /** Marked content, by the index of its page, negative without a page. Each output has few of an element's pages. */
  readonly content: ReadonlyMap<number, readonly PlacedKid[]>;
  /** Objects that are content of the element, by object number; 0 for a direct object. */
  readonly objects: ReadonlyMap<number, readonly PlacedKid[]>;
  /** The number of entries of `content` and `objects`, and of kids that are not copied, such as direct elements. */
  readonly contentCount: number;
}

/** The kids of an element, and which elements among them have content. */
interface Kids extends SortedKids {
  /** The number of elements with content. */
  readonly contentful: number;
  /** The elements without content, by the element with content before them, 0 at the start of the list. */
  readonly empty: ReadonlyMap<number, EmptyRun>;
}

/** The objects of an output that may be in the structure tree. */
interface StructuredPart {
  /** The structure parent keys of its pages and objects. */
  readonly keys: Iterable<number>;
  /** The indices of its pages. */
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
  /** The element that has each list of kids. No two elements share a list. */
  readonly #lists = new ListOwners();
  #parentTree: ReadonlyMap<number, PdfObject> | undefined;
  #placed: PlacedElements | undefined;
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
    this.root = document.catalog?.dict("StructTreeRoot");
    this.#rootNumber = document.catalog?.reference("StructTreeRoot")?.num;
  }

  /** Returns whether an object is the root of the tree. */
  isRoot(num: number): boolean {
    return num === this.#rootNumber;
  }

  /** Returns whether the tree lists an object as an element. The type of elements is optional (Table 355). */
  isElement(num: number): boolean {
    return this.#elementsInTree.parents.has(num);
  }

  /** Returns the value of a structure parent key in the parent tree. */
  parentsOf(key: number): PdfObject | undefined {
    return this.#parents.get(key);
  }

  /** Returns the element with an object number. */
  element(num: number): PdfDict | undefined {
    if (this.#elements.has(num)) return this.#elements.get(num);
    const found = this.#document.referenceTo(num).resolve();
    const fits = found instanceof PdfDict && (!found.has("Type") || found.is("Type", "StructElem"));
    const element = fits && !this.#isOther(num) ? found : undefined;
    this.#elements.set(num, element);
    return element;
  }

  /** Returns the kids of an element; 0 stands for the root. */
  kidsOf(num: number): Kids {
    const known = this.#kids.get(num);
    if (known) return known;
    const hasContent = (kid: number) => this.hasContent(kid);
    const sorted = this.#sortedKids(num);
    const kids = { ...sorted, ...emptyRuns(sorted.places.keys(), hasContent) };
    this.#kids.set(num, kids);
    return kids;
  }

  /** Returns the kids of an element; none when its list belongs to an element that comes first. */
  #sortedKids(num: number): SortedKids {
    const element = num === 0 ? this.root : this.element(num);
    const entry = element?.get("K") ?? null;
    const found = this.#lists.isTaken(entry, num) ? [] : (element?.value("K") ?? null);
    const list = Array.isArray(found) ? found : [entry];
    if (Array.isArray(found)) this.#lists.claim(entry, num);
    const places = new Map<number, number>();
    const content = new Map<number, PlacedKid[]>();
    const objects = new Map<number, PlacedKid[]>();
    let contentCount = 0;
    for (const [place, kid] of list.entries()) {
      if (kid instanceof PdfRef && this.element(kid.num)) {
        places.set(kid.num, place);
        continue;
      }
      const found = resolved(kid);
      const dict = found instanceof PdfDict ? found : undefined;
      if (typeof found !== "number" && !dict) continue;
      contentCount++;
      if (!dict || dict.is("Type", "MCR")) {
        addTo(content, this.#pageIndex(dict?.get("Pg") ?? element?.get("Pg")), { place, kid });
      } else if (dict.is("Type", "OBJR")) {
        addTo(objects, dict.reference("Obj")?.num ?? 0, { place, kid });
      }
    }
    return { places, content, objects, contentCount };
  }

  /** Returns the index of the page that an element or its content names. */
  #pageIndex(page: PdfObject | undefined): number {
    if (!(page instanceof PdfRef)) return NO_PAGE;
    return this.#pageIndices.get(page.num) ?? OTHER_PAGE;
  }

  /**
   * Generates the content of an element that an output has. Loops over the shorter list: the pages and objects of the
   * output, or those of the element.
   *
   * @param pages the indices of the pages
   * @param copied the new numbers of copied objects, by their numbers
   */
  *contentIn(
    num: number,
    pages: ReadonlySet<number>,
    copied: ReadonlyMap<number, number>,
  ): Generator<PlacedKid> {
    const { content, objects } = this.kidsOf(num);
    const { budget } = this.#document;
    const [shorterPages, allPages] = pages.size < content.size ? [pages, content] : [content, pages];
    budget.charge("entry", shorterPages.size);
    for (const page of shorterPages.keys()) if (allPages.has(page)) yield* content.get(page) ?? [];
    const [shorterObjects, allObjects] = copied.size < objects.size ? [copied, objects] : [objects, copied];
    budget.charge("entry", shorterObjects.size);
    for (const object of shorterObjects.keys()) if (allObjects.has(object)) yield* objects.get(object) ?? [];
  }

  /** Returns whether an element or its descendants have content. */
  hasContent(num: number): boolean {
    return this.#contentful.has(num);
  }

  /** Returns the element that lists an element, or else the one that its `P` names; 0 for the root. */
  parentOf(num: number): number {
    const listed = this.#elementsInTree.parents.get(num);
    if (listed !== undefined) return listed;
    const named = this.element(num)?.reference("P")?.num;
    return named !== undefined && !this.isRoot(named) && this.element(named) ? named : 0;
  }

  /** Returns the object numbers of the elements with content in an output, and of their ancestors. */
  elementsOf({ keys, pages, annotations }: StructuredPart): Set<number> {
    const found = new Set<number>();
    const { byPage, byObject } = this.#elementsInTree;
    const lists = new ListOwners();
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
    const elements = resolved(value);
    for (const element of Array.isArray(elements) ? elements : [value]) {
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

  get #elementsInTree(): PlacedElements {
    this.#placed ??= this.#readTree();
    return this.#placed;
  }

  /**
   * Reads the tree from its root. The parent tree should hold the same data, but it is incomplete in many files. Elements
   * are indirect objects, because the parent tree and other elements refer to them.
   */
  #readTree(): PlacedElements {
    const parents = new Map<number, number>();
    const byPage = new Map<number, number[]>();
    const byObject = new Map<number, number[]>();
    const stack = [{ num: 0, depth: 0 }];
    let count = 0;
    for (let top = stack.pop(); top && count <= KID_LIMIT; top = stack.pop()) {
      const { num, depth } = top;
      if (depth > DEPTH_LIMIT) continue;
      const { places, content, objects, contentCount } = this.#sortedKids(num);
      count += places.size + contentCount;
      for (const kid of places.keys()) {
        if (parents.has(kid) || this.isRoot(kid)) continue;
        parents.set(kid, num);
        stack.push({ num: kid, depth: depth + 1 });
      }
      // The root itself has no content.
      if (num === 0) continue;
      for (const page of content.keys()) if (page !== NO_PAGE) addTo(byPage, page, num);
      for (const object of objects.keys()) if (object !== 0) addTo(byObject, object, num);
    }
    return { parents, byPage, byObject };
  }

  get #parents(): ReadonlyMap<number, PdfObject> {
    this.#parentTree ??= new Map(numberTreeEntries(this.root?.get("ParentTree")));
    return this.#parentTree;
  }

  /** All elements with content. */
  get #contentful(): ReadonlySet<number> {
    const { byPage, byObject } = this.#elementsInTree;
    this.#known ??= this.elementsOf({
      keys: this.#parents.keys(),
      pages: byPage.keys(),
      annotations: byObject.keys(),
    });
    return this.#known;
  }
}

/** The elements that the tree lists. */
interface PlacedElements {
  /** The parent of each element, 0 for the root. */
  readonly parents: ReadonlyMap<number, number>;
  /** The elements with content on a page, by the index of the page. */
  readonly byPage: ReadonlyMap<number, readonly number[]>;
  /** The elements that an object, such as an annotation, is the content of. */
  readonly byObject: ReadonlyMap<number, readonly number[]>;
}

function addTo<Item>(lists: Map<number, Item[]>, key: number, item: Item): void {
  const known = lists.get(key);
  if (known) known.push(item);
  else lists.set(key, [item]);
}

/** Returns the runs of elements without content in a list, and the number of the other elements. */
function emptyRuns(
  elements: Iterable<number>,
  hasContent: (num: number) => boolean,
): Pick<Kids, "contentful" | "empty"> {
  const empty = new Map<number, EmptyRun>();
  let contentful = 0;
  let last = 0;
  let run: number[] = [];
  const endRun = (next: number) => {
    if (run.length > 0) empty.set(last, { elements: run, next });
    run = [];
    last = next;
  };
  for (const num of elements) {
    if (!hasContent(num)) run.push(num);
    else {
      contentful++;
      endRun(num);
    }
  }
  endRun(0);
  return { contentful, empty };
}
