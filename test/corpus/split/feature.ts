import {
  type DescribedDocument,
  type Dict,
  digestOf,
  isDict,
  isReference,
  type OutlineEntry,
  type Value,
} from "./described-document.ts";

/** What is known of pages beside the document and their indices. */
export interface PagesView {
  /** See {@link PagesOf.isWhole}. Default: whether they are all pages. */
  readonly isWhole?: boolean;
  /** The outline items of these pages. Default: those of the document. */
  readonly outlines?: readonly OutlineEntry[];
}

/** Pages of a document: all of them, those that a split keeps, or those of one document in a merged one. */
export class PagesOf {
  readonly document: DescribedDocument;
  readonly outlines: readonly OutlineEntry[];
  /** The pages' objects, in their order. */
  readonly pages: readonly string[];
  /** Whether what leads out of these pages still stands in the document: not so in the one that it was split from. */
  readonly isWhole: boolean;
  readonly #positions: ReadonlyMap<string, number>;

  /** @param indices which pages, counted from 0; all when absent */
  constructor(document: DescribedDocument, indices?: readonly number[], view: PagesView = {}) {
    this.document = document;
    this.outlines = view.outlines ?? document.outlines;
    this.pages = indices ? indices.map((index) => document.pages[index] ?? "") : document.pages;
    this.isWhole = view.isWhole ?? indices === undefined;
    this.#positions = new Map(this.pages.map((page, index) => [page, index]));
  }

  /** Where among these pages one is, told by its object or by its number in the document. */
  positionOf(page: Value | undefined): number | undefined {
    const object = typeof page === "number" ? this.document.pages[page] : page;
    return typeof object === "string" ? this.#positions.get(object) : undefined;
  }
}

/** Something that a document has beside what its pages draw, and that a split keeps or drops. */
export interface Feature {
  readonly name: string;
  /** What is to come of it. */
  readonly fate: "kept" | "dropped";
  /**
   * What can be said of it for these pages, pages told by their position among them: a split keeps it when the same
   * can be said of the new document as of these pages of the old, and drops it when nothing can be said.
   */
  facts(pages: PagesOf): readonly string[];
}

const PARTS_LIMIT = 20_000;

/**
 * A value written out with all that it refers to, whatever the objects' numbers are; pages by their position, what
 * leads upwards left out.
 */
export function writtenOut(
  pages: PagesOf,
  value: Value | undefined,
  leftOut: readonly string[] = [],
): string {
  const seen = new Set<string>();
  const skipped = new Set(["/Parent", "/P", "/StructParent", "/StructParents", ...leftOut]);
  let parts = 0;
  const dict = (entries: Dict, skip: (key: string) => boolean): string =>
    Object.keys(entries)
      .sort()
      .filter((key) => !skipped.has(key) && !skip(key))
      .map((key) => [key, write(entries[key])])
      .filter(([, text]) => text !== "null")
      .map(([key, text]) => `${key} ${text}`)
      .join(" ");
  const write = (part: Value | undefined): string => {
    if (++parts > PARTS_LIMIT) return "…";
    if (isReference(part)) {
      const position = pages.positionOf(part);
      if (position !== undefined) return `page ${position}`;
      if (pages.document.dict(part)["/Type"] === "/Page") return "null";
      if (seen.has(part)) return "again";
      seen.add(part);
      const stream = pages.document.stream(part);
      if (stream) return `<${dict(stream.dict, isOfEncoding)} ${digestOf(stream.data)}>`;
      return write(pages.document.resolve(part));
    }
    if (Array.isArray(part)) return `[${part.map(write).join(" ")}]`;
    return isDict(part) ? `<<${dict(part, () => false)}>>` : String(part ?? null);
  };
  return write(value);
}

const isOfEncoding = (key: string) => ["/Length", "/Filter", "/DecodeParms"].includes(key);
