import type { PdfDocument } from "../file/document.ts";
import { latin1 } from "../syntax/characters.ts";
import { integerOf, PdfDict, type PdfObject, PdfRef, PdfString } from "../syntax/objects.ts";
import type { ObjectCopier } from "./object-copier.ts";
import { nameTree, numberTree } from "./sorted-trees.ts";
import type { StructureTree } from "./structure-tree.ts";

const DEPTH_LIMIT = 64;
/** What of the structure tree's root travels as it is. */
const KEPT_IN_ROOT = ["Type", "RoleMap", "ClassMap", "Namespaces", "PronunciationLexicon"];
/** What of an element is made anew or does not travel: its place, and files attached to it. */
const DROPPED_FROM_ELEMENT = ["K", "P", "Ref", "AF"];
/** What stands for an element's whole content, and so for content that does not travel. */
const STANDS_FOR_CONTENT = ["ActualText", "Alt", "E"];

/** What {@link writeStructure} has to know of the copy. */
export interface StructureCopy {
  readonly copier: ObjectCopier;
  allocate(): number;
  write(num: number, object: PdfObject): void;
  /** Whether a page, told by its old number, is kept. */
  keepsPage(num: number): boolean;
}

/**
 * Writes the structure tree (ISO 32000-2, 14.7) pruned to what has content on the kept pages.
 *
 * @param keys the structure parent keys of everything that travelled
 * @returns the new root, undefined when nothing of the tree is kept
 */
export function writeStructure(
  document: PdfDocument,
  tree: StructureTree,
  keys: ReadonlySet<number>,
  copy: StructureCopy,
): PdfRef | undefined {
  const kept = tree.root ? tree.elementsOf(keys) : new Set<number>();
  if (!tree.root || kept.size === 0) return undefined;
  return new StructureWriter(document, tree, kept, copy).write(tree.root, keys);
}

class StructureWriter {
  readonly #document: PdfDocument;
  readonly #tree: StructureTree;
  readonly #kept: ReadonlySet<number>;
  readonly #copy: StructureCopy;
  /** The kept elements below each element; 0 stands for the root. */
  readonly #below = new Map<number, number[]>();

  constructor(document: PdfDocument, tree: StructureTree, kept: ReadonlySet<number>, copy: StructureCopy) {
    this.#document = document;
    this.#tree = tree;
    this.#kept = kept;
    this.#copy = copy;
    for (const num of kept) {
      const parent = tree.element(num)?.get("P");
      const above = parent instanceof PdfRef && kept.has(parent.num) ? parent.num : 0;
      const siblings = this.#below.get(above);
      if (siblings) siblings.push(num);
      else this.#below.set(above, [num]);
    }
  }

  write(oldRoot: PdfDict, keys: ReadonlySet<number>): PdfRef {
    const { copier, allocate, write } = this.#copy;
    const root = new PdfRef(allocate(), 0);
    for (const num of this.#kept) copier.assign(num, allocate());
    const ids: [string, PdfObject][] = [];
    for (const num of this.#kept) {
      const own = copier.numberOf(num);
      const element = this.#tree.element(num);
      if (own === undefined || !element) continue;
      const mapped = this.#element(element, this.#kids(num, element, 0), this.#tree.kidsOf(num).count);
      const parent = element.get("P");
      mapped.set("P", parent instanceof PdfRef && this.#kept.has(parent.num) ? copier.map(parent) : root);
      const id = this.#document.resolve(element.get("ID"));
      if (id instanceof PdfString) ids.push([latin1(id.bytes), new PdfRef(own, 0)]);
      write(own, mapped);
    }
    const node = new PdfDict();
    for (const key of KEPT_IN_ROOT) {
      const value = oldRoot.get(key);
      const mapped = value === undefined ? null : copier.map(value);
      if (mapped !== null) node.set(key, mapped);
    }
    node.set("K", this.#kids(0, oldRoot, 0));
    node.set("ParentTree", this.#parentTree(keys));
    node.set(
      "ParentTreeNextKey",
      [...keys].reduce((next, key) => Math.max(next, key + 1), 0),
    );
    if (ids.length > 0) node.set("IDTree", nameTree(ids));
    write(root.num, node);
    return root;
  }

  /** An element as it is in the new file, but for its parent. */
  #element(element: PdfDict, kids: readonly PdfObject[], kidCount: number): PdfDict {
    const { copier } = this.#copy;
    const own = element.clone();
    for (const key of DROPPED_FROM_ELEMENT) own.delete(key);
    // The text of a paragraph that runs on to another page is that page's, too.
    if (kids.length < kidCount) for (const key of STANDS_FOR_CONTENT) own.delete(key);
    const mapped = copier.map(own);
    const result = mapped instanceof PdfDict ? mapped : new PdfDict();
    if (kids.length > 0) result.set("K", [...kids]);
    const related = this.#document
      .array(element.get("Ref"))
      .filter((other) => other instanceof PdfRef && this.#kept.has(other.num));
    if (related.length > 0)
      result.set(
        "Ref",
        related.map((other) => copier.map(other)),
      );
    return result;
  }

  /** What of an element's kids is kept, in their order. */
  #kids(num: number, element: PdfDict, depth: number): PdfObject[] {
    const { places, others } = this.#tree.kidsOf(num);
    const { copier } = this.#copy;
    const kids: { readonly place: number; readonly kid: PdfObject }[] = [];
    for (const below of this.#below.get(num) ?? []) {
      // An element that its parent does not list stands last.
      const place = places.get(below) ?? Number.POSITIVE_INFINITY;
      kids.push({ place, kid: new PdfRef(copier.numberOf(below) ?? 0, 0) });
    }
    for (const { place, kid } of others) {
      const mapped = this.#other(kid, element.get("Pg"), depth);
      if (mapped !== undefined) kids.push({ place, kid: mapped });
    }
    return kids.sort((one, other) => one.place - other.place).map(({ kid }) => kid);
  }

  /** A kid that is no element of the tree by itself: content, an object, or an element that stands in its parent. */
  #other(kid: PdfObject, page: PdfObject | undefined, depth: number): PdfObject | undefined {
    const { copier } = this.#copy;
    const found = this.#document.resolve(kid);
    if (typeof found === "number") return this.#keeps(page) ? found : undefined;
    if (!(found instanceof PdfDict)) return undefined;
    if (found.is("Type", "MCR")) return this.#keeps(found.get("Pg") ?? page) ? copier.map(found) : undefined;
    if (found.is("Type", "OBJR")) {
      const object = found.get("Obj");
      const travelled = object instanceof PdfRef && copier.numberOf(object.num) !== undefined;
      return travelled ? copier.map(found) : undefined;
    }
    if (kid instanceof PdfRef || depth > DEPTH_LIMIT) return undefined;
    const list = this.#document.resolve(found.get("K"));
    const inner = Array.isArray(list) ? list : [found.get("K") ?? null];
    const kept = inner.flatMap((below) => this.#other(below, found.get("Pg") ?? page, depth + 1) ?? []);
    return kept.length > 0 ? this.#element(found, kept, inner.length) : undefined;
  }

  #parentTree(keys: ReadonlySet<number>): PdfDict {
    const entries: [number, PdfObject][] = [];
    for (const key of keys) {
      const value = this.#tree.parentsOf(key);
      const resolved = this.#document.resolve(value);
      if (value !== undefined) entries.push([key, this.#parents(Array.isArray(resolved) ? resolved : value)]);
    }
    return numberTree(entries);
  }

  /** Elements that are not kept become null, so that the others keep their places. */
  #parents(value: PdfObject): PdfObject {
    if (Array.isArray(value)) return value.map((element) => this.#parents(element));
    return value instanceof PdfRef && this.#kept.has(value.num) ? this.#copy.copier.map(value) : null;
  }

  #keeps(page: PdfObject | undefined): boolean {
    return page instanceof PdfRef && this.#copy.keepsPage(this.#document.lastReference(page).num);
  }
}

/** The structure parent key of an object or of the marked content in it. */
export function structureKeyOf(document: PdfDocument, dict: PdfDict): number | undefined {
  const key = dict.get("StructParents") ?? dict.get("StructParent");
  return key === undefined ? undefined : integerOf(document.resolve(key));
}
