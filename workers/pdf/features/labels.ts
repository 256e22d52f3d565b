import type { PdfDocument } from "../file/document.ts";
import { dictOf, PdfDict, PdfName, type PdfObject, type PdfString } from "../syntax/objects.ts";
import { feature } from "./feature.ts";
import { numberTree, numberTreeEntries } from "./sorted-trees.ts";

/** A labeling range (ISO 32000-2, 12.4.2). */
interface LabelRange {
  readonly firstPage: number;
  readonly style: string | undefined;
  readonly prefix: PdfString | undefined;
  readonly start: number;
}

/** The label of a page of an output, and of the pages after it up to the next label. */
type LabelEntry = readonly [position: number, label: PdfDict];

/** Pages without labels are numbered. */
const NUMBERED = PdfDict.from([["S", PdfName.of("D")]]);

/** The labels of pages (ISO 32000-2, 12.4.2). */
export const labels = feature<PageLabels, readonly LabelEntry[]>({
  read: ({ document }) => new PageLabels(document),
  keep: (found, { pages }) => found.labelsOf(pages.indices),
  // When one document has labels, the pages of the others keep theirs, too: their numbers.
  combine(documents) {
    if (documents.every(({ kept = [] }) => kept.length === 0)) return undefined;
    let firstPage = 0;
    return documents.flatMap(({ kept = [], pages }) => {
      const start = firstPage;
      firstPage += pages.length;
      const entries = kept.length > 0 ? kept : [[0, NUMBERED] as const];
      return entries.map(([position, label]): LabelEntry => [start + position, label]);
    });
  },
  write(kept, { catalog }) {
    if (kept.length > 0) catalog.set("PageLabels", numberTree(kept));
  },
});

/** A document's page labels, read once. */
class PageLabels {
  readonly #document: PdfDocument;
  #ranges: readonly LabelRange[] | undefined;

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /**
   * Returns the page labels of an output, in which every page keeps its label; none when the document has none.
   *
   * @param indices the indices of the output's pages in the document
   */
  labelsOf(indices: readonly number[]): readonly LabelEntry[] {
    this.#ranges ??= readRanges(this.#document.catalog?.get("PageLabels"));
    const ranges = this.#ranges;
    if (ranges.length === 0) return [];
    const entries: LabelEntry[] = [];
    let last: { readonly range: LabelRange | undefined; readonly number: number } | undefined;
    for (const [position, index] of indices.entries()) {
      const range = rangeOf(ranges, index);
      const number = range ? range.start + index - range.firstPage : index + 1;
      if (!last || last.range !== range || last.number + 1 !== number) {
        entries.push([position, labelDict(range, number)]);
      }
      last = { range, number };
    }
    return entries;
  }
}

function readRanges(root: PdfObject | undefined): LabelRange[] {
  const ranges: LabelRange[] = [];
  for (const [firstPage, value] of numberTreeEntries(root)) {
    const label = dictOf(value);
    ranges.push({
      firstPage,
      style: label?.name("S"),
      prefix: label?.string("P"),
      start: label?.integer("St") ?? 1,
    });
  }
  return ranges.sort((one, other) => one.firstPage - other.firstPage);
}

/** Returns the last range that begins at or before a page. */
function rangeOf(ranges: readonly LabelRange[], index: number): LabelRange | undefined {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.firstPage ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  return ranges[low - 1];
}

function labelDict(range: LabelRange | undefined, number: number): PdfDict {
  const dict = new PdfDict();
  // Pages before the first range have no labels.
  const style = range ? range.style : "D";
  if (style !== undefined) dict.set("S", PdfName.of(style));
  if (range?.prefix) dict.set("P", range.prefix);
  if (style !== undefined && number !== 1) dict.set("St", number);
  return dict;
}
