import { ServiceError } from "../../../src/errors.ts";
import type { PdfDocument } from "../file/document.ts";
import { PdfDict, type PdfObject, PdfRef } from "../syntax/objects.ts";

/** A document may have this many pages; more is a hostile page tree. */
const PAGE_LIMIT = 1_000_000;
/** Page-tree nodes may nest this deep. */
const DEPTH_LIMIT = 256;

/** What a page takes from the nodes above it when it has none of its own (ISO 32000-2, 7.7.3.4). */
export const INHERITABLE = ["Resources", "MediaBox", "CropBox", "Rotate"] as const;

/** A page as the page tree lists it. */
export interface Page {
  /** Its object; undefined for a page that stands in its parent's `Kids` by itself. */
  readonly ref: PdfRef | undefined;
  readonly dict: PdfDict;
  /** What it inherits, nearest first. */
  readonly inherited: ReadonlyMap<string, PdfObject>;
}

interface Node {
  readonly kids: readonly PdfObject[];
  readonly inherited: ReadonlyMap<string, PdfObject>;
  next: number;
}

/**
 * The document's pages in order. A node is told by its `Kids`, not by its `Type`, as other readers do; what is no
 * dictionary is no page.
 *
 * @throws ServiceError `damaged_file` for a document with no pages or a page tree that runs in circles
 */
export function readPages(document: PdfDocument): Page[] {
  const pages: Page[] = [];
  const root = pageTreeRoot(document);
  const seen = new Set<number>();
  const stack: Node[] = root ? [node(document, root, new Map())] : [];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const kid = top.kids[top.next++];
    if (kid === undefined) {
      stack.pop();
      continue;
    }
    const dict = document.resolve(kid);
    if (!(dict instanceof PdfDict)) continue;
    const ref = kid instanceof PdfRef ? kid : undefined;
    if (!dict.has("Kids")) {
      pages.push({ ref, dict, inherited: top.inherited });
      if (pages.length > PAGE_LIMIT) throw damaged("it has more than a million pages");
      continue;
    }
    if (ref && seen.has(ref.num)) throw damaged("its page tree runs in a circle");
    if (stack.length >= DEPTH_LIMIT) throw damaged("its page tree is too deep");
    if (ref) seen.add(ref.num);
    stack.push(node(document, dict, top.inherited));
  }
  if (pages.length === 0) throw damaged("it has no pages");
  return pages;
}

/**
 * Makes sure that there is a page at all, without reading more than it takes.
 *
 * @throws ServiceError `damaged_file` when there is none
 */
export function expectPages(document: PdfDocument): void {
  const root = pageTreeRoot(document);
  if (!root || kidsOf(document, root).length === 0) throw damaged("it has no pages");
}

function pageTreeRoot(document: PdfDocument): PdfDict | undefined {
  const catalog = document.dict(document.trailer.get("Root"));
  let root = document.dict(catalog?.get("Pages"));
  // Some files name a node in the middle of the tree.
  for (let step = 0; step < DEPTH_LIMIT; step++) {
    const parent = document.dict(root?.get("Parent"));
    if (!parent?.has("Kids")) break;
    root = parent;
  }
  return root;
}

function node(document: PdfDocument, dict: PdfDict, above: ReadonlyMap<string, PdfObject>): Node {
  const inherited = new Map(above);
  for (const key of INHERITABLE) {
    const value = dict.get(key);
    if (value !== undefined) inherited.set(key, value);
  }
  return { kids: kidsOf(document, dict), inherited, next: 0 };
}

/** What a node lists; a lone reference stands for a list whose brackets were lost. */
function kidsOf(document: PdfDocument, dict: PdfDict): readonly PdfObject[] {
  const kids = dict.get("Kids");
  return kids !== undefined && document.resolve(kids) instanceof PdfDict ? [kids] : document.array(kids);
}

function damaged(why: string): ServiceError {
  return new ServiceError(
    "damaged_file",
    `This PDF cannot be used: ${why}. Ask its sender for another copy.`,
  );
}
