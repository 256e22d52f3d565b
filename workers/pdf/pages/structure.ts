import type { PdfDocument } from "../file/document.ts";
import { integerOf, PdfDict, type PdfObject, PdfRef, PdfString } from "../syntax/objects.ts";
import type { ObjectCopier } from "./object-copier.ts";
import { nameTree, numberTree, numberTreeEntries } from "./sorted-trees.ts";

const DEPTH_LIMIT = 256;
/** What of the structure tree's root travels as it is. */
const KEPT_IN_ROOT = ["RoleMap", "ClassMap", "Namespaces", "PronunciationLexicon"];
/** What of an element is made anew or does not travel: its place, and files attached to it. */
const DROPPED_FROM_ELEMENT = ["K", "P", "Ref", "AF"];

/** A document's structure tree (ISO 32000-2, 14.7): who is whose parent, read as far as it is asked for. */
export class StructureTree {
  readonly root: PdfDict | undefined;
  readonly #document: PdfDocument;
  readonly #rootNumber: number | undefined;
  #parentTree: Map<number, PdfObject> | undefined;

  constructor(document: PdfDocument) {
    this.#document = document;
    const reference = document.dict(document.trailer.get("Root"))?.get("StructTreeRoot");
    this.root = document.dict(reference);
    this.#rootNumber = reference instanceof PdfRef ? reference.num : undefined;
  }

  /** Whether an object is the tree's root. */
  isRoot(num: number): boolean {
    return num === this.#rootNumber;
  }

  /** What the parent tree has for a page's or an object's structure parent key. */
  parentsOf(key: number): PdfObject | undefined {
    this.#parentTree ??= new Map(numberTreeEntries(this.#document, this.root?.get("ParentTree")));
    return this.#parentTree.get(key);
  }

  /** The elements that the keys lead to and all above them, as old object numbers. */
  elementsOf(keys: Iterable<number>): Set<number> {
    const kept = new Set<number>();
    for (const key of keys) {
      const parents = this.#document.resolve(this.parentsOf(key));
      // One element for an object, an array of them for the marked content of a page.
      const own = Array.isArray(parents) ? parents : [this.parentsOf(key) ?? null];
      for (const element of own) this.#keepWithAncestors(element, kept);
    }
    return kept;
  }

  #keepWithAncestors(element: PdfObject, kept: Set<number>): void {
    let next: PdfObject | undefined = element;
    for (let depth = 0; next instanceof PdfRef && depth < DEPTH_LIMIT; depth++) {
      if (this.isRoot(next.num) || kept.has(next.num)) return;
      const dict = this.#document.resolve(next);
      if (!(dict instanceof PdfDict)) return;
      kept.add(next.num);
      next = dict.get("P");
    }
  }
}

/** What {@link StructureWriter} has to know of the copy. */
export interface StructureCopy {
  readonly copier: ObjectCopier;
  allocate(): number;
  write(num: number, object: PdfObject): void;
  /** Whether a page, told by its old number, is kept. */
  keepsPage(num: number): boolean;
}

/**
 * Writes the structure tree pruned to what has content on the kept pages.
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
  if (!tree.root) return undefined;
  const kept = tree.elementsOf(keys);
  if (kept.size === 0) return undefined;
  const { copier } = copy;
  const root = new PdfRef(copy.allocate(), 0);
  for (const num of kept) copier.assign(num, copy.allocate());
  const pruner = new KidPruner(document, kept, copy);
  const ids: [string, PdfObject][] = [];
  for (const num of kept) {
    const own = copier.numberOf(num);
    const element = document.read(referenceTo(document, num));
    if (own === undefined || !(element instanceof PdfDict)) continue;
    const mapped = pruner.element(element);
    const parent = element.get("P");
    const above = parent instanceof PdfRef && kept.has(parent.num) ? copier.map(parent) : root;
    mapped.set("P", above);
    const id = document.resolve(element.get("ID"));
    if (id instanceof PdfString) ids.push([String.fromCharCode(...id.bytes), new PdfRef(own, 0)]);
    copy.write(own, mapped);
  }
  const node = new PdfDict();
  for (const key of ["Type", ...KEPT_IN_ROOT]) {
    const value = tree.root.get(key);
    const mapped = value === undefined ? null : copier.map(value);
    if (mapped !== null) node.set(key, mapped);
  }
  node.set("K", pruner.kids(tree.root.get("K"), undefined, 0));
  const parents: [number, PdfObject][] = [...keys].flatMap((key): [number, PdfObject][] => {
    const value = tree.parentsOf(key);
    const resolved = document.resolve(value);
    return value === undefined ? [] : [[key, pruner.parents(Array.isArray(resolved) ? resolved : value)]];
  });
  node.set("ParentTree", numberTree(parents));
  node.set("ParentTreeNextKey", Math.max(...keys, 0) + 1);
  if (ids.length > 0) node.set("IDTree", nameTree(ids));
  copy.write(root.num, node);
  return root;
}

function referenceTo(document: PdfDocument, num: number): PdfRef {
  const entry = document.crossReference.get(num);
  return new PdfRef(num, entry?.kind === "file" ? entry.gen : 0);
}

class KidPruner {
  readonly #document: PdfDocument;
  readonly #kept: ReadonlySet<number>;
  readonly #copy: StructureCopy;

  constructor(document: PdfDocument, kept: ReadonlySet<number>, copy: StructureCopy) {
    this.#document = document;
    this.#kept = kept;
    this.#copy = copy;
  }

  /** An element as it is in the new file, but for its parent. */
  element(element: PdfDict, depth = 0): PdfDict {
    const own = element.clone();
    for (const key of DROPPED_FROM_ELEMENT) own.delete(key);
    const mapped = this.#copy.copier.map(own);
    const result = mapped instanceof PdfDict ? mapped : new PdfDict();
    const kids = this.kids(element.get("K"), element.get("Pg"), depth);
    if (kids.length > 0) result.set("K", kids);
    const related = this.#document
      .array(element.get("Ref"))
      .filter((other) => other instanceof PdfRef && this.#kept.has(other.num));
    if (related.length > 0)
      result.set(
        "Ref",
        related.map((other) => this.#copy.copier.map(other)),
      );
    return result;
  }

  /** What of an element's kids is kept. `page` is where marked content is that names no page of its own. */
  kids(kids: PdfObject | undefined, page: PdfObject | undefined, depth: number): PdfObject[] {
    if (kids === undefined || depth > DEPTH_LIMIT) return [];
    const list = this.#document.resolve(kids);
    return (Array.isArray(list) ? list : [kids]).flatMap((kid) => this.#kid(kid, page, depth) ?? []);
  }

  #kid(kid: PdfObject, page: PdfObject | undefined, depth: number): PdfObject | undefined {
    const { copier } = this.#copy;
    if (kid instanceof PdfRef && this.#kept.has(kid.num)) return copier.map(kid);
    const found = this.#document.resolve(kid);
    if (typeof found === "number") return this.#keeps(page) ? found : undefined;
    if (!(found instanceof PdfDict)) return undefined;
    if (found.is("Type", "MCR")) return this.#keeps(found.get("Pg") ?? page) ? copier.map(found) : undefined;
    if (found.is("Type", "OBJR")) {
      const object = found.get("Obj");
      const travelled = object instanceof PdfRef && copier.numberOf(object.num) !== undefined;
      return travelled ? copier.map(found) : undefined;
    }
    // An element that is no object of its own.
    if (kid instanceof PdfRef) return undefined;
    const own = this.element(found, depth + 1);
    return own.has("K") ? own : undefined;
  }

  /** A parent tree's entry: elements that are not kept become null, so that the others keep their places. */
  parents(value: PdfObject): PdfObject {
    if (Array.isArray(value)) return value.map((element) => this.parents(element));
    return value instanceof PdfRef && this.#kept.has(value.num) ? this.#copy.copier.map(value) : null;
  }

  #keeps(page: PdfObject | undefined): boolean {
    return page instanceof PdfRef && this.#copy.keepsPage(page.num);
  }
}

/** The structure parent key of an object or of the marked content in it. */
export function structureKeyOf(document: PdfDocument, dict: PdfDict): number | undefined {
  const key = dict.get("StructParents") ?? dict.get("StructParent");
  return key === undefined ? undefined : integerOf(document.resolve(key));
}
