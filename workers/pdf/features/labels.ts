import type { PdfDocument } from "../file/document.ts";
import { integerOf, PdfDict, PdfName, type PdfObject, PdfString } from "../syntax/objects.ts";
import { numberTreeEntries } from "./sorted-trees.ts";

/** A labeling range (ISO 32000-2, 12.4.2). */
interface LabelRange {
  readonly firstPage: number;
  readonly style: string | undefined;
  readonly prefix: PdfString | undefined;
  readonly start: number;
}

/** The label of a page of an output, and of the pages after it up to the next label. */
export type LabelEntry = readonly [position: number, label: PdfDict];

/** A document's page labels, read once. */
export class PageLabels {
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
    this.#ranges ??= readRanges(this.#document, this.#document.catalog?.get("PageLabels"));
    const ranges = this.#ranges;
    if (ranges.length === 0) return [];
    const entries: LabelEntry[] = [];
    let last: { readonly range: LabelRange | undefined; readonly number: number } | undefined;
    for (const [position, index] of indices.entries()) {
      const range = rangeOf(ranges, index);
      const number = range ? range.start + index - range.firstPage : index + 1;
      if (!last || last.range !== range || last.number + 1 !== number) {
        // Ranges may share a long prefix, which is written for each of them.
        this.#document.budget.charge("keptEntry");
        this.#document.budget.charge("byte", range?.prefix?.bytes.length ?? 0);
        entries.push([position, labelDict(range, number)]);
      }
      last = { range, number };
    }
    return entries;
  }
}

function readRanges(document: PdfDocument, root: PdfObject | undefined): LabelRange[] {
  const ranges: LabelRange[] = [];
  for (const [firstPage, value] of numberTreeEntries(document, root)) {
    const dict = document.dict(value);
    const style = document.resolve(dict?.get("S"));
    const prefix = document.resolve(dict?.get("P"));
    ranges.push({
      firstPage,
      style: style instanceof PdfName ? style.value : undefined,
      prefix: prefix instanceof PdfString ? prefix : undefined,
      start: integerOf(document.resolve(dict?.get("St"))) ?? 1,
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
