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

/** The label of a page: its range, if it has one, and its number in the range or in the document. */
interface PageLabel {
  readonly range: LabelRange | undefined;
  readonly number: number;
}

/** The labels of pages of an output. */
interface Labels {
  /** Whether any page has a label. */
  readonly hasLabels: boolean;
  /** Returns the label of the page at a position; undefined for a page that is in no document. */
  at(position: number): PageLabel | undefined;
}

/** The labels of pages (ISO 32000-2, 12.4.2). Each page keeps its own. */
export const labels = feature<PageLabels, Labels>({
  read: ({ document }) => new PageLabels(document),
  keep(found, { pages }) {
    const { hasLabels } = found;
    return { hasLabels, at: (position) => found.labelOf(pages.indices[position] ?? 0) };
  },
  // When one document has labels, the pages of the others keep theirs, too: their numbers.
  combine(documents, output) {
    if (!documents.some(({ kept }) => kept?.hasLabels)) return undefined;
    const byPage = new Map<number, PageLabel | undefined>();
    for (const { kept, pages } of documents) {
      for (const [position, { num }] of pages.entries()) byPage.set(num, kept?.at(position));
    }
    return { hasLabels: true, at: (position) => byPage.get(output.pages[position]?.num ?? 0) };
  },
  write({ hasLabels, at }, { catalog, pages }) {
    if (hasLabels) catalog.set("PageLabels", numberTree(labelRanges(pages.length, at)));
  },
});

/** Generates the labeling ranges of an output: an entry for each page whose label does not follow that of the page before. */
function* labelRanges(
  count: number,
  at: Labels["at"],
): Generator<readonly [position: number, label: PdfDict]> {
  let last: PageLabel | undefined;
  for (let position = 0; position < count; position++) {
    const next = last && { range: last.range, number: last.number + 1 };
    const label = at(position) ?? next ?? { range: undefined, number: position + 1 };
    if (next?.range !== label.range || next?.number !== label.number)
      yield [position, labelDict(label.range, label.number)];
    last = label;
  }
}

/** A document's page labels, read once. */
class PageLabels {
  readonly #ranges: readonly LabelRange[];

  constructor(document: PdfDocument) {
    this.#ranges = readRanges(document.catalog?.get("PageLabels"));
  }

  get hasLabels(): boolean {
    return this.#ranges.length > 0;
  }

  /** Returns the label of a page, by its index in the document. */
  labelOf(index: number): PageLabel {
    const range = rangeOf(this.#ranges, index);
    return { range, number: range ? range.start + index - range.firstPage : index + 1 };
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
