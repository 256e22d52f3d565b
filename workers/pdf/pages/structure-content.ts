import type { PdfDocument } from "../file/document.ts";
import { ListOwners } from "../file/list-owners.ts";
import { PdfDict, type PdfObject, PdfRef } from "../syntax/objects.ts";

const DEPTH_LIMIT = 256;
/** The most kids of all elements. */
const KID_LIMIT = 5_000_000;

/** The content of a structure tree. */
export interface StructureContent {
  /** The parent of each element, 0 for the root. */
  readonly parents: ReadonlyMap<number, number>;
  /** The elements with content on a page, by the page's object number. */
  readonly byPage: ReadonlyMap<number, readonly number[]>;
  /** The elements that an object, such as an annotation, is the content of. */
  readonly byObject: ReadonlyMap<number, readonly number[]>;
  /** The element that has each list of kids. No two elements share a list. */
  readonly lists: ListOwners;
}

/**
 * Reads a structure tree from its root. The parent tree should hold the same data, but it is incomplete in
 * many files. Elements are indirect objects, because the parent tree and other elements refer to them.
 *
 * @param elementOf returns the element with an object number; undefined for any other object
 */
export function readStructureContent(
  document: PdfDocument,
  root: PdfDict,
  elementOf: (num: number) => PdfDict | undefined,
): StructureContent {
  const parents = new Map<number, number>();
  const lists = new ListOwners(document);
  /** The page at the end of each chain of references. */
  const pages = new Map<number, number>();
  const pageNumber = (page: PdfObject) => {
    if (!(page instanceof PdfRef)) return undefined;
    const num = pages.get(page.num) ?? document.lastReference(page).num;
    pages.set(page.num, num);
    return num;
  };
  const byPage = new Map<number, number[]>();
  const byObject = new Map<number, number[]>();
  const stack = [{ element: root, owner: 0, depth: 0 }];
  let count = 0;
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { element, owner, depth } = top;
    if (depth > DEPTH_LIMIT) continue;
    const list = element.get("K") ?? null;
    const page = element.get("Pg") ?? null;
    if (lists.isTaken(list)) continue;
    const resolved = document.resolve(list);
    if (Array.isArray(resolved)) lists.claim(list, owner);
    for (const kid of Array.isArray(resolved) ? resolved : [list]) {
      if (++count > KID_LIMIT) return { parents, byPage, byObject, lists };
      if (kid instanceof PdfRef && parents.has(kid.num)) continue;
      const below = kid instanceof PdfRef ? elementOf(kid.num) : undefined;
      if (below && kid instanceof PdfRef) {
        parents.set(kid.num, owner);
        stack.push({ element: below, owner: kid.num, depth: depth + 1 });
        continue;
      }
      const found = document.resolve(kid);
      if (typeof found === "number") add(byPage, pageNumber(page), owner);
      else if (!(found instanceof PdfDict)) continue;
      else if (found.is("Type", "MCR")) add(byPage, pageNumber(found.get("Pg") ?? page), owner);
      else if (found.is("Type", "OBJR")) {
        const object = found.get("Obj");
        if (object instanceof PdfRef) add(byObject, object.num, owner);
      }
    }
  }
  return { parents, byPage, byObject, lists };
}

function add(elements: Map<number, number[]>, num: number | undefined, element: number): void {
  if (num === undefined || element === 0) return;
  const known = elements.get(num);
  if (!known) elements.set(num, [element]);
  else if (known.at(-1) !== element) known.push(element);
}
