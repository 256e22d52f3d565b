import { ServiceError } from "../../../src/shared/errors.ts";
import type { PdfDocument } from "../file/document.ts";
import { NumberSet } from "../file/number-set.ts";
import { PdfDict, PdfName, type PdfObject, PdfRef, PdfStream } from "../syntax/objects.ts";

/** A document may have this many pages; more is a hostile page tree. */
const PAGE_LIMIT = 1_000_000;
/** Page-tree nodes may nest this deep. */
const DEPTH_LIMIT = 256;

/** What a page takes from the nodes above it when it has none of its own (ISO 32000-2, 7.7.3.4). */
export const INHERITABLE = ["Resources", "MediaBox", "CropBox", "Rotate"] as const;

/** A page as the page tree lists it. */
export interface Page {
  /** Its object; undefined for a page that stands in its parent's `Kids` by itself, and for what is none. */
  readonly ref: PdfRef | undefined;
  /** What it inherits, nearest first. */
  readonly inherited: ReadonlyMap<string, PdfObject>;
  /** Read when it is asked for: of many pages few are looked at. */
  readonly dict: PdfDict;
}

class PageObject implements Page {
  readonly ref: PdfRef;
  readonly inherited: ReadonlyMap<string, PdfObject>;
  readonly #document: PdfDocument;

  constructor(document: PdfDocument, ref: PdfRef, inherited: ReadonlyMap<string, PdfObject>) {
    this.#document = document;
    this.ref = ref;
    this.inherited = inherited;
  }

  get dict(): PdfDict {
    const found = this.#document.resolve(this.ref);
    // It was one when the tree was read, but the file may have been repaired since.
    return found instanceof PdfDict ? found : new PdfDict();
  }
}

interface Node {
  /** Its object's number, if it is one of its own. */
  readonly num: number | undefined;
  readonly kids: readonly PdfObject[];
  readonly inherited: ReadonlyMap<string, PdfObject>;
  next: number;
}

/**
 * The document's pages in order. A node is told by its `Kids`, not by its `Type` alone, as other readers do; what is no
 * dictionary is no page. Where the tree leads to no page at all, the file is scanned for pages.
 *
 * @param look is shown every page as it is read
 * @throws {ServiceError} `damaged_file` for a document with no pages or a page tree that lists nodes twice
 */
export function readPages(document: PdfDocument, look: (page: PdfDict) => void = () => {}): Page[] {
  let pages = [...pagesInTree(document, look)];
  if (pages.length === 0 && !document.recovered) {
    document.recover();
    pages = [...pagesInTree(document, look)];
  }
  if (pages.length === 0) pages = [...strayPages(document, look)];
  if (pages.length === 0) throw damaged("it has no pages");
  return pages;
}

/**
 * Makes sure that there are pages, without going through the tree: what only passes it on need not understand it.
 *
 * @throws {ServiceError} `damaged_file` when there are none
 */
export function expectPages(document: PdfDocument): void {
  try {
    for (const _ of pagesInTree(document)) return;
  } catch (error) {
    // A tree that lists nodes twice may still be passed on.
    if (error instanceof ServiceError) return;
    throw error;
  }
  readPages(document);
}

/**
 * Whether every kid in the page tree is there: a reader may give up at one that is not. A tree that runs in a circle
 * is passed on as it is.
 */
export function hasSoundTree(document: PdfDocument): boolean {
  const root = pageTreeRoot(document);
  if (nodeAbove(document, document.dict(document.catalog?.get("Pages")))) return false;
  const seen = new Set<number>();
  const stack = root ? [{ dict: root.dict, depth: 0 }] : [];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { dict, depth } = top;
    if (depth >= DEPTH_LIMIT) return true;
    const kids = document.resolve(dict.get("Kids"));
    if (!Array.isArray(kids)) return false;
    for (const kid of kids) {
      const child = document.resolve(kid);
      if (!(child instanceof PdfDict)) return false;
      if (!isNode(document, child)) {
        // What makes it no node is not seen alike by all readers.
        if (child.has("Kids")) return false;
        continue;
      }
      if (kid instanceof PdfRef && seen.has(kid.num)) return true;
      if (kid instanceof PdfRef) seen.add(kid.num);
      stack.push({ dict: child, depth: depth + 1 });
    }
  }
  return root !== undefined;
}

function* pagesInTree(document: PdfDocument, look: (page: PdfDict) => void = () => {}): Generator<Page> {
  const root = pageTreeRoot(document);
  const seen = new Set<number>();
  /** A page that is listed again and again is read once. */
  const known = new NumberSet();
  const stack: Node[] = root ? [node(document, root.dict, new Map(), root.num)] : [];
  let count = 0;
  const countPage = () => {
    if (++count > PAGE_LIMIT) throw damaged("it has more than a million pages");
  };
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const kid = top.kids[top.next++];
    if (kid === undefined) {
      stack.pop();
      continue;
    }
    const ref = kid instanceof PdfRef ? kid : undefined;
    if (ref && known.has(ref.num)) {
      countPage();
      yield new PageObject(document, ref, top.inherited);
      continue;
    }
    const dict = document.resolve(kid);
    if (!(dict instanceof PdfDict)) continue;
    if (!isNode(document, dict)) {
      countPage();
      look(dict);
      if (ref && !isFont(dict)) {
        known.add(ref.num);
        yield new PageObject(document, ref, top.inherited);
      } else yield { ref: undefined, dict, inherited: top.inherited };
      continue;
    }
    // A node that leads back to one above it adds no page.
    if (ref && stack.some(({ num }) => num === ref.num)) continue;
    if (ref && seen.has(ref.num)) throw damaged("its page tree lists the same pages twice");
    if (stack.length >= DEPTH_LIMIT) throw damaged("its page tree is too deep");
    if (ref) seen.add(ref.num);
    stack.push(node(document, dict, top.inherited, ref?.num));
  }
}

/**
 * Where an object's number was given out twice, a page's place may be taken by a font. It counts as a page, an empty one,
 * as it does for other readers, but its object is what the other pages refer to as their font.
 */
function isFont(dict: PdfDict): boolean {
  return dict.is("Type", "Font") && !dict.has("Contents");
}

/** Objects that call themselves pages, in the order of their numbers. */
function* strayPages(document: PdfDocument, look: (page: PdfDict) => void): Generator<Page> {
  const numbers = [...document.crossReference.entries()]
    .map(([num]) => num)
    .sort((one, other) => one - other);
  for (const num of numbers) {
    const ref = document.referenceTo(num);
    const dict = document.read(ref);
    if (!(dict instanceof PdfDict) || !dict.is("Type", "Page")) continue;
    look(dict);
    yield new PageObject(document, ref, new Map());
  }
}

/** A page's dictionary with what it inherits, its contents without what is no stream. */
export function completePage(document: PdfDocument, { dict, inherited }: Page): PdfDict {
  const own = dict.clone();
  own.set("Type", PdfName.of("Page"));
  own.delete("Kids");
  for (const key of INHERITABLE) {
    const value = inherited.get(key);
    if (value !== undefined && document.resolve(own.get(key)) === null) own.set(key, value);
  }
  return withSoundContents(document, own);
}

/** Arrays of contents that hold streams only. Pages may share one. */
const SOUND_CONTENTS = new WeakSet<readonly PdfObject[]>();

/** A page whose contents are streams and nothing else: what leads nowhere among them is an error to some readers. */
export function withSoundContents(document: PdfDocument, page: PdfDict): PdfDict {
  const entry = page.get("Contents");
  if (entry === undefined) return page;
  const contents = document.resolve(entry);
  if (contents instanceof PdfStream) return page;
  const own = page.clone();
  if (!Array.isArray(contents)) {
    own.delete("Contents");
    return own;
  }
  if (SOUND_CONTENTS.has(contents)) return page;
  const streams = contents.filter((content) => document.resolve(content) instanceof PdfStream);
  if (streams.length === contents.length) {
    SOUND_CONTENTS.add(contents);
    return page;
  }
  own.set("Contents", streams);
  return own;
}

function pageTreeRoot(document: PdfDocument): { dict: PdfDict; num: number | undefined } | undefined {
  let entry = document.catalog?.get("Pages");
  let dict = document.dict(entry);
  // Some files name a node in the middle of the tree.
  for (let step = 0; step < DEPTH_LIMIT; step++) {
    const parent = nodeAbove(document, dict);
    if (!parent) break;
    entry = dict?.get("Parent");
    dict = parent;
  }
  return dict && { dict, num: entry instanceof PdfRef ? entry.num : undefined };
}

function nodeAbove(document: PdfDocument, node: PdfDict | undefined): PdfDict | undefined {
  const parent = document.dict(node?.get("Parent"));
  return parent?.has("Kids") ? parent : undefined;
}

/** Whether a kid is a node. A page may have `Kids`, too, if they lead nowhere, or if it says that it is one and they are none. */
function isNode(document: PdfDocument, dict: PdfDict): boolean {
  if (!dict.has("Kids") || document.resolve(dict.get("Kids")) === null) return false;
  return !dict.is("Type", "Page") || kidsOf(document, dict).length > 0;
}

function node(
  document: PdfDocument,
  dict: PdfDict,
  above: ReadonlyMap<string, PdfObject>,
  num: number | undefined,
): Node {
  const inherited = new Map(above);
  for (const key of INHERITABLE) {
    const value = dict.get(key);
    // An entry that leads nowhere is as good as none (ISO 32000-2, 7.3.7).
    if (value !== undefined && document.resolve(value) !== null) inherited.set(key, value);
  }
  return { num, kids: kidsOf(document, dict), inherited, next: 0 };
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

/** Returns an error with the number of the page that it is about. */
export function aboutPage(page: number, { code, message, details }: ServiceError): ServiceError {
  return new ServiceError(code, `Page ${page}: ${message}`, { ...details, page });
}
