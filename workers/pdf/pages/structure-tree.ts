import type { PdfDocument } from "../file/document.ts";
import { PdfDict, type PdfObject, PdfRef } from "../syntax/objects.ts";
import { numberTreeEntries } from "./sorted-trees.ts";

const DEPTH_LIMIT = 256;

/** What an element's `K` lists. */
export interface Kids {
  /** Where among them each element is. */
  readonly places: ReadonlyMap<number, number>;
  /** The others: content, objects, elements that are no objects of their own. */
  readonly others: readonly { readonly place: number; readonly kid: PdfObject }[];
  readonly count: number;
}

/** A document's structure tree (ISO 32000-2, 14.7), read from its parent tree upwards, each element once. */
export class StructureTree {
  readonly root: PdfDict | undefined;
  readonly #document: PdfDocument;
  readonly #isOther: (num: number) => boolean;
  readonly #rootNumber: number | undefined;
  readonly #elements = new Map<number, PdfDict | undefined>();
  readonly #kids = new Map<number, Kids>();
  #parentTree: ReadonlyMap<number, PdfObject> | undefined;
  #known: ReadonlySet<number> | undefined;

  /** @param isOther whether an object is known to be something else: a page, an annotation, a field */
  constructor(document: PdfDocument, isOther: (num: number) => boolean) {
    this.#document = document;
    this.#isOther = isOther;
    const reference = document.catalog?.get("StructTreeRoot");
    this.root = document.dict(reference);
    this.#rootNumber = reference instanceof PdfRef ? reference.num : undefined;
  }

  /** Whether an object is the tree's root. */
  isRoot(num: number): boolean {
    return num === this.#rootNumber;
  }

  /** What the parent tree has for a page's or an object's structure parent key. */
  parentsOf(key: number): PdfObject | undefined {
    return this.#parents.get(key);
  }

  /** The element with an object number. */
  element(num: number): PdfDict | undefined {
    if (this.#elements.has(num)) return this.#elements.get(num);
    const entry = this.#document.crossReference.get(num);
    const found = this.#document.resolve(new PdfRef(num, entry?.kind === "file" ? entry.gen : 0));
    const fits = found instanceof PdfDict && (!found.has("Type") || found.is("Type", "StructElem"));
    const element = fits && !this.#isOther(num) ? found : undefined;
    this.#elements.set(num, element);
    return element;
  }

  /** What an element lists; 0 stands for the root. */
  kidsOf(num: number): Kids {
    const known = this.#kids.get(num);
    if (known) return known;
    const own = (num === 0 ? this.root : this.element(num))?.get("K") ?? null;
    const list = this.#document.resolve(own);
    const kids = this.#sorted(Array.isArray(list) ? list : [own]);
    this.#kids.set(num, kids);
    return kids;
  }

  #sorted(list: readonly PdfObject[]): Kids {
    const places = new Map<number, number>();
    const others: { place: number; kid: PdfObject }[] = [];
    for (const [place, kid] of list.entries()) {
      if (kid instanceof PdfRef && this.#allElements.has(kid.num)) places.set(kid.num, place);
      else if (kid !== null) others.push({ place, kid });
    }
    return { places, others, count: list.length };
  }

  /** The elements that the keys lead to and all above them, as object numbers. */
  elementsOf(keys: Iterable<number>): Set<number> {
    const found = new Set<number>();
    for (const key of keys) {
      const value = this.parentsOf(key);
      if (value !== undefined) this.#addWithAncestors(value, found);
    }
    return found;
  }

  /** One element for an object, an array of them for the marked content of a page. */
  #addWithAncestors(value: PdfObject, found: Set<number>): void {
    const resolved = this.#document.resolve(value);
    for (const element of Array.isArray(resolved) ? resolved : [value]) {
      let next: PdfObject | undefined = element;
      for (let depth = 0; next instanceof PdfRef && depth < DEPTH_LIMIT; depth++) {
        if (this.isRoot(next.num) || found.has(next.num)) break;
        const dict = this.element(next.num);
        if (!dict) break;
        found.add(next.num);
        next = dict.get("P");
      }
    }
  }

  get #parents(): ReadonlyMap<number, PdfObject> {
    this.#parentTree ??= new Map(numberTreeEntries(this.#document, this.root?.get("ParentTree")));
    return this.#parentTree;
  }

  /** All elements that the parent tree leads to: what is not among them is no element, or one without content. */
  get #allElements(): ReadonlySet<number> {
    this.#known ??= this.elementsOf(this.#parents.keys());
    return this.#known;
  }
}
