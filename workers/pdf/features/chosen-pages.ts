import { NO_TURNS, type Turns } from "../../../src/shared/rotation.ts";
import { Annotations } from "../pages/annotation-numbers.ts";
import type { Page } from "../pages/page-tree.ts";
import type { PdfRef } from "../syntax/objects.ts";
import type { SourceDocument } from "./source-document.ts";

interface ChosenOptions {
  readonly turns?: Turns | undefined;
  readonly earlier?: EarlierPages | undefined;
}

/** Pages in an output, by their indices in their document. */
export type EarlierPages = ReadonlyMap<number, PdfRef>;

/** Some pages of a document, in the order of an output. */
export class ChosenPages {
  readonly source: SourceDocument;
  /** The indices of the pages in the document. */
  readonly indices: readonly number[];
  readonly pages: readonly Page[];
  /** The pages of the document that the output has already, when it gets some of them again. */
  readonly earlier: EarlierPages;
  /** How pages are rotated, in addition to their own rotation. */
  readonly turns: Turns;
  /**
   * The indices, each once. For a page that the document lists again, also its first index: destinations lead there.
   */
  readonly all: ReadonlySet<number>;
  /** The annotations of the pages. */
  readonly annotations: ReadonlySet<number>;
  /** The first position of each page index, computed on first use. */
  #positions: ReadonlyMap<number, number> | undefined;

  constructor(
    source: SourceDocument,
    indices: readonly number[],
    { turns = NO_TURNS, earlier = new Map() }: ChosenOptions = {},
  ) {
    this.source = source;
    this.turns = turns;
    this.earlier = earlier;
    this.indices = indices;
    this.pages = indices.flatMap((index) => source.pages[index] ?? []);
    const firstIndices = this.pages.flatMap(({ ref }) =>
      ref ? (source.pageIndices.get(ref.num) ?? []) : [],
    );
    this.all = new Set([...firstIndices, ...indices]);
    const annotations = new Annotations();
    for (const { dict } of this.pages) annotations.add(dict);
    this.annotations = annotations.numbers;
  }

  /** Whether the output has pages of the document already. Then it also has what belongs to the document as a whole. */
  get isRepeat(): boolean {
    return this.earlier.size > 0;
  }

  /** Whether these are all pages of the document. */
  get isWhole(): boolean {
    return new Set(this.indices).size === this.source.pages.length;
  }

  /** Returns whether an object is one of the pages. */
  hasObject(num: number): boolean {
    return this.all.has(this.source.pageIndices.get(num) ?? -1);
  }

  /** Returns the first position of the page `index` in the output, or -1. */
  positionOf(index: number): number {
    this.#positions ??= new Map(
      this.indices.map((chosen, position) => [chosen, position] as const).reverse(),
    );
    return this.#positions.get(index) ?? -1;
  }
}
