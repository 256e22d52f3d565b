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
 * the file before, so a file of similar pages takes two or three trials. Whatever the lengths are, the number of trials
 * grows with the logarithm of the number of pages, and a trial has at most four times as many pages as fit, or as the file
 * before has.
 */
export async function* filesWithin<Content extends { readonly length: number }>({
  pageCount,
  maxBytes,
  bytesPerPage: estimate,
  write,
}: SplitBySize<Content>): AsyncGenerator<WrittenItem<Content>> {
  /** The bytes that a page adds. */
  let bytesPerPage = estimate;
  let guess = maxBytes / bytesPerPage;
  for (let first = 1; first <= pageCount; ) {
    const tooMany = pageCount - first + 2;
    /** The most pages that fit, and the fewest that do not. */
    let [fits, exceeds] = [0, tooMany];
    let best: WrittenItem<Content> | undefined;
    let last = { count: 0, length: 0 };
    for (let trial = 1; exceeds - fits > 1; trial++) {
      const count = Math.floor(Math.min(Math.max(guess, fits + 1), exceeds - 1));
      const item = pageRange(first, first + count - 1, pageCount);
      const content = await write(item);
      const { length } = content;
      if (trial > 1) bytesPerPage = Math.max(1, (length - last.length) / (count - last.count));
      last = { count, length };
      if (length <= maxBytes || count === 1) {
        fits = count;
        best = { item, content };
      } else exceeds = count;
      if (length > maxBytes && count === 1) break;
      guess = count + (maxBytes - length) / bytesPerPage;
      if (exceeds === tooMany) guess = Math.min(Math.max(guess, fits + 2 ** (trial - 1)), 4 * fits);
      // A guess may be bad again and again. Halves are not.
      else if (trial % 2 === 0) guess = (fits + exceeds) / 2;
    }
    if (best) yield best;
    first += fits;
    guess = fits;
  }
}
