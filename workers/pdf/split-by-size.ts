import { pageRange, type ResolvedItem } from "../../src/shared/page-selection.ts";

/** A document to split by size. */
interface SplitBySize<Content> {
  readonly pageCount: number;
  /** The most bytes of a file. */
  readonly maxBytes: number;
  /** The bytes of a page, roughly. A wrong estimate costs a few more trials for the first file. */
  readonly bytesPerPage: number;
  /** Writes a file. Its length is known only then. */
  write(item: ResolvedItem): Promise<Content>;
}

/** A file of a split: its pages and its content. */
export interface WrittenItem<Content> {
  readonly item: ResolvedItem;
  readonly content: Content;
}

/**
 * Splits a document into files with as many consecutive pages as fit. A single page that is larger than the limit is a
 * file by itself.
 *
 * Each file is a search: it is written with more pages or fewer until one more page does not fit. The estimates come from
 * the file before, so a file of similar pages takes two or three trials.
 */
export async function* filesWithin<Content extends { readonly length: number }>({
  pageCount,
  maxBytes,
  bytesPerPage,
  write,
}: SplitBySize<Content>): AsyncGenerator<WrittenItem<Content>> {
  const estimates = { bytesPerPage, count: maxBytes / bytesPerPage };
  for (let first = 1; first <= pageCount; first += estimates.count) {
    const search = new PageSearch(maxBytes, pageCount - first + 1, estimates);
    let best: WrittenItem<Content> | undefined;
    for (let count = search.next(); count > 0; count = search.next()) {
      const item = pageRange(first, first + count - 1, pageCount);
      const content = await write(item);
      if (search.add({ count, length: content.length })) best = { item, content };
    }
    if (best) yield best;
  }
}

/** Estimates for the next file, from the files so far. */
interface Estimates {
  /** The bytes that a page adds. */
  bytesPerPage: number;
  /** The pages of a file. */
  count: number;
}

/** The length of a file with so many pages. */
interface Trial {
  readonly count: number;
  readonly length: number;
}

/**
 * The search for the most pages that fit into a file. Whatever the lengths are, the number of trials grows with the
 * logarithm of the number of pages, and a trial has at most four times as many pages as fit, or as the file before has.
 */
class PageSearch {
  readonly #maxBytes: number;
  readonly #pagesLeft: number;
  readonly #estimates: Estimates;
  /** The trial with the most pages that fit. */
  #fits: Trial = { count: 0, length: 0 };
  /** The trial with the fewest pages that do not fit. */
  #exceeds: Trial | undefined;
  #last: Trial | undefined;
  #trials = 0;

  constructor(maxBytes: number, pagesLeft: number, estimates: Estimates) {
    this.#maxBytes = maxBytes;
    this.#pagesLeft = pagesLeft;
    this.#estimates = estimates;
  }

  /** Returns the next number of pages to try; 0 when the search is over. */
  next(): number {
    const low = this.#fits.count + 1;
    const high = (this.#exceeds?.count ?? this.#pagesLeft + 1) - 1;
    const isTooLarge = this.#fits.length > this.#maxBytes;
    return low > high || isTooLarge ? 0 : Math.floor(Math.min(Math.max(this.#guess(), low), high));
  }

  #guess(): number {
    const last = this.#last;
    if (last === undefined) return this.#estimates.count;
    const guess = last.count + (this.#maxBytes - last.length) / this.#estimates.bytesPerPage;
    const { count } = this.#fits;
    if (this.#exceeds === undefined) {
      return Math.min(Math.max(guess, count + 2 ** (this.#trials - 1)), 4 * count);
    }
    // A guess may be bad again and again. Halves are not.
    return this.#trials % 2 === 0 ? (count + this.#exceeds.count) / 2 : guess;
  }

  /** Adds a trial. Returns whether it is the best so far. */
  add(trial: Trial): boolean {
    const { count, length } = trial;
    const estimates = this.#estimates;
    const last = this.#last;
    if (last) {
      estimates.bytesPerPage = Math.max(1, (length - last.length) / (count - last.count));
    }
    this.#last = trial;
    this.#trials++;
    const fits = length <= this.#maxBytes || count === 1;
    if (fits) {
      this.#fits = trial;
      estimates.count = count;
    } else this.#exceeds = trial;
    return fits;
  }
}
