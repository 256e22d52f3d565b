import { ServiceError } from "../../../src/shared/errors.ts";
import { limitReached, MOST_PAGES } from "../../call-budget.ts";
import { BrokenStructure, NumberSet } from "../file/cross-reference.ts";
import type { PdfDocument } from "../file/document.ts";
import { dictOf, PdfDict, PdfName, type PdfObject, PdfRef, PdfStream, resolved } from "../syntax/objects.ts";

/** How often the tree may list a page again. A listing takes a few bytes of the file, and a split writes a file for it. */
const REPEATED_LIMIT = 10_000;
/** The most nested page-tree nodes. */
const DEPTH_LIMIT = 256;

const ASK = "Ask its sender for another copy.";

/** The inheritable page attributes (ISO 32000-2, 7.7.3.4). */
const INHERITABLE = ["Resources", "MediaBox", "CropBox", "Rotate"] as const;

/** A page in the page tree. */
export interface Page {
  /** Its reference; undefined for a direct object in `Kids`, and for an object that is not a page. */
  readonly ref: PdfRef | undefined;
  /** The inherited attributes. */
  readonly inherited: ReadonlyMap<string, PdfObject>;
  /** Read on each access, because few of many pages are used. */
  readonly dict: PdfDict;
}

class PageObject implements Page {
  readonly ref: PdfRef;
  readonly inherited: ReadonlyMap<string, PdfObject>;

  constructor(ref: PdfRef, inherited: ReadonlyMap<string, PdfObject>) {
    this.ref = ref;
    this.inherited = inherited;
  }

  get dict(): PdfDict {
    return dictOf(this.ref) ?? new PdfDict();
  }
}

interface Node {
  /** Its object number; undefined for a direct object. */
  readonly num: number | undefined;
  readonly kids: readonly PdfObject[];
  readonly inherited: ReadonlyMap<string, PdfObject>;
  next: number;
}

/**
 * Returns the document's pages in order. Like other readers, recognizes a node by its `Kids`, not only by its `Type`.
 * Looks for pages outside the tree if it has none.
 *
 * @param look called with every page
 * @throws BrokenStructure when the tree has no pages
 * @throws {ServiceError} `damaged_file` for a document with no pages or a page tree that lists nodes twice;
 *   `input_too_large` when one of our limits is reached
 */
export function readPages(document: PdfDocument, look: (page: PdfDict) => void = () => {}): Page[] {
  let pages = [...pagesInTree(document, look)];
  if (pages.length === 0 && !document.isRebuilt) throw new BrokenStructure("the page tree has no pages");
  if (pages.length === 0) pages = [...strayPages(document, look)];
  if (pages.length === 0) throw damaged("it has no pages");
  return pages;
}

/** Returns the index of each page object, by its number. A page that is listed several times has its first index. */
export function pageIndicesOf(pages: readonly Page[]): ReadonlyMap<number, number> {
  const indices = new Map<number, number>();
  for (const [index, { ref }] of pages.entries()) {
    if (ref && !indices.has(ref.num)) indices.set(ref.num, index);
  }
  return indices;
}

/**
 * Returns the first pages of a document, without reading the others.
 *
 * @param most how many pages to return at most
 * @throws BrokenStructure and {ServiceError} as {@link readPages} does
 */
export function firstPages(document: PdfDocument, most: number): Page[] {
  const pages: Page[] = [];
  for (const page of pagesInTree(document)) if (pages.push(page) === most) return pages;
  return pages.length > 0 ? pages : readPages(document).slice(0, most);
}

/**
 * Counts the pages of a document. Reads only the first kid of a node whose `Count` is the number of its kids, because in a
 * long file each page may take a read of its own.
 *
 * @param mostNodes how many nodes of the page tree to read at most
 * @returns undefined when the tree has more nodes
 * @throws BrokenStructure and {ServiceError} as {@link readPages} does
 */
export function countPages(document: PdfDocument, mostNodes: number): number | undefined {
  const root = pageTreeRoot(document);
  const seen = new NumberSet();
  const stack = root ? [root.dict] : [];
  let count = 0;
  let nodes = 0;
  for (let top = stack.pop(); top; top = stack.pop()) {
    if (++nodes > mostNodes) return undefined;
    const kids = kidsOf(top);
    if (listsPages(document, top, kids)) {
      count += kids.length;
      continue;
    }
    for (const kid of kids) {
      const dict = resolved(kid);
      if (!(dict instanceof PdfDict)) continue;
      if (!isNode(dict)) {
        count++;
        continue;
      }
      if (kid instanceof PdfRef) {
        if (seen.has(kid.num)) return readPages(document).length;
        seen.add(kid.num);
      }
      stack.push(dict);
    }
  }
  return count > 0 ? count : readPages(document).length;
}

/** Returns whether a node says that its kids are pages, the kids exist and the first one is a page. */
function listsPages(document: PdfDocument, node: PdfDict, kids: readonly PdfObject[]): boolean {
  if (node.integer("Count") !== kids.length) return false;
  const exists = (kid: PdfObject) => {
    const entry = kid instanceof PdfRef ? document.crossReference.get(kid.num) : undefined;
    return entry !== undefined && entry.kind !== "free";
  };
  const first = resolved(kids[0]);
  return kids.every(exists) && first instanceof PdfDict && !isNode(first);
}

/**
 * Returns whether all readers find the same pages: every kid exists, and is clearly a page or a node. A tree that cannot be
 * read to its end counts as sound.
 */
export function hasSoundTree(document: PdfDocument): boolean {
  if (nodeAbove(document.catalog?.dict("Pages"))) return false;
  let flaws = 0;
  try {
    const pages = pagesInTree(document, undefined, () => flaws++);
    for (const _ of pages) if (flaws > 0) return false;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
  return flaws === 0;
}

/**
 * Generates the pages of the tree in order.
 *
 * @param look called with every page
 * @param onFlaw called when readers may disagree about a kid
 */
function* pagesInTree(
  document: PdfDocument,
  look: (page: PdfDict) => void = () => {},
  onFlaw: () => unknown = () => {},
): Generator<Page> {
  const root = pageTreeRoot(document);
  const seen = new Set<number>();
  /** A page that is listed several times is read once. */
  const known = new NumberSet();
  const stack: Node[] = root ? [node(root.dict, new Map(), root.num)] : [];
  let count = 0;
  let repeated = 0;
  const countPage = () => {
    if (++count > MOST_PAGES)
      throw limitReached("pages", `This PDF has more than ${MOST_PAGES} pages. ${ASK}`, {
        largest_pages: MOST_PAGES,
      });
  };
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const kid = top.kids[top.next++];
    if (kid === undefined) {
      stack.pop();
      continue;
    }
    const ref = kid instanceof PdfRef ? kid : undefined;
    if (ref && known.has(ref.num)) {
      if (++repeated > REPEATED_LIMIT)
        throw limitReached("repeated_pages", `This PDF lists the same pages very often. ${ASK}`);
      countPage();
      yield new PageObject(ref, top.inherited);
      continue;
    }
    const dict = resolved(kid);
    if (!(dict instanceof PdfDict)) {
      onFlaw();
      continue;
    }
    if (!isNode(dict)) {
      if (dict.has("Kids")) onFlaw();
      countPage();
      look(dict);
      if (ref && !isFont(dict)) {
        known.add(ref.num);
        yield new PageObject(ref, top.inherited);
      } else yield { ref: undefined, dict, inherited: top.inherited };
      continue;
    }
    // Ignore a node that leads back to an ancestor.
    if (ref && stack.some(({ num }) => num === ref.num)) continue;
    if (ref && seen.has(ref.num)) throw damaged("its page tree lists the same pages twice");
    if (stack.length >= DEPTH_LIMIT)
      throw limitReached("page_tree_depth", `The page tree of this PDF is too deep. ${ASK}`);
    if (ref) seen.add(ref.num);
    if (!Array.isArray(dict.value("Kids"))) onFlaw();
    stack.push(node(dict, top.inherited, ref?.num));
  }
}

/**
 * Returns whether a font stands in the place of a page. This happens when a writer uses an object number twice. Like in
 * other readers, it counts as an empty page. Other pages refer to the object as a font.
 */
function isFont(dict: PdfDict): boolean {
  return dict.is("Type", "Font") && !dict.has("Contents");
}

/** Generates all objects of type `Page`, in the order of their numbers. */
function* strayPages(document: PdfDocument, look: (page: PdfDict) => void): Generator<Page> {
  const numbers = [...document.crossReference.entries()]
    .map(([num]) => num)
    .sort((one, other) => one - other);
  for (const num of numbers) {
    const ref = document.referenceTo(num);
    const dict = document.read(ref);
    if (!(dict instanceof PdfDict) || !dict.is("Type", "Page")) continue;
    look(dict);
    yield new PageObject(ref, new Map());
  }
}

/**
 * Returns an attribute of a page, or the one that it inherits (ISO 32000-2, 7.7.3.4). A reference to nothing is null, so the
 * page inherits (7.3.7).
 */
export function pageEntry(
  { dict, inherited }: Pick<Page, "dict" | "inherited">,
  key: (typeof INHERITABLE)[number],
): PdfObject | undefined {
  return dict.value(key) === null ? inherited.get(key) : dict.get(key);
}

/** Returns a page's dictionary with inherited attributes, and with streams only in its contents. */
export function completePage({ dict, inherited }: Page): PdfDict {
  const page = dict.clone();
  page.set("Type", PdfName.of("Page"));
  page.delete("Kids");
  for (const key of INHERITABLE) {
    const value = pageEntry({ dict, inherited }, key);
    if (value !== undefined) page.set(key, value);
  }
  return withSoundContents(page);
}

/** Arrays of contents that hold streams only. Pages may share one. */
const SOUND_CONTENTS = new WeakSet<readonly PdfObject[]>();

/** Returns a page whose contents are streams only. A missing stream is an error in some readers. */
export function withSoundContents(page: PdfDict): PdfDict {
  if (!page.has("Contents")) return page;
  const contents = page.value("Contents");
  if (contents instanceof PdfStream) return page;
  const sound = page.clone();
  if (!Array.isArray(contents)) {
    sound.delete("Contents");
    return sound;
  }
  if (SOUND_CONTENTS.has(contents)) return page;
  const streams = contents.filter((content) => resolved(content) instanceof PdfStream);
  if (streams.length === contents.length) {
    SOUND_CONTENTS.add(contents);
    return page;
  }
  sound.set("Contents", streams);
  return sound;
}

function pageTreeRoot(document: PdfDocument): { dict: PdfDict; num: number | undefined } | undefined {
  let entry = document.catalog?.get("Pages");
  let dict = dictOf(entry);
  // In some files, `Pages` refers to a node in the middle of the tree.
  for (let step = 0; step < DEPTH_LIMIT; step++) {
    const parent = nodeAbove(dict);
    if (!parent) break;
    entry = dict?.get("Parent");
    dict = parent;
  }
  return dict && { dict, num: entry instanceof PdfRef ? entry.num : undefined };
}

function nodeAbove(node: PdfDict | undefined): PdfDict | undefined {
  const parent = node?.dict("Parent");
  return parent?.has("Kids") ? parent : undefined;
}

/** Returns whether a kid is a node. An object of type `Page` is a page if its `Kids` list nothing. */
function isNode(dict: PdfDict): boolean {
  if (!dict.has("Kids") || dict.value("Kids") === null) return false;
  return !dict.is("Type", "Page") || kidsOf(dict).length > 0;
}

function node(dict: PdfDict, above: ReadonlyMap<string, PdfObject>, num: number | undefined): Node {
  const inherited = new Map(above);
  for (const key of INHERITABLE) {
    const value = dict.get(key);
    // A dangling reference means that the entry is absent (ISO 32000-2, 7.3.7).
    if (value !== undefined && dict.value(key) !== null) inherited.set(key, value);
  }
  return { num, kids: kidsOf(dict), inherited, next: 0 };
}

/** Returns the kids of a node. A single reference counts as a list of one. */
function kidsOf(dict: PdfDict): readonly PdfObject[] {
  const kids = dict.value("Kids");
  if (kids instanceof PdfDict) return [dict.get("Kids") ?? null];
  return Array.isArray(kids) ? kids : [];
}

function damaged(why: string): ServiceError {
  return new ServiceError("damaged_file", `This PDF cannot be used: ${why}. ${ASK}`);
}

/** Returns an error with the number of the page that it is about. */
export function aboutPage(page: number, { code, message, details }: ServiceError): ServiceError {
  return new ServiceError(code, `Page ${page}: ${message}`, { ...details, page });
}
