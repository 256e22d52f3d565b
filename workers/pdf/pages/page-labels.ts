import type { PdfDocument } from "../file/document.ts";
import { integerOf, PdfDict, PdfName, type PdfObject, PdfString } from "../syntax/objects.ts";
import { numberTree, numberTreeEntries } from "./sorted-trees.ts";

/** A run of labels (ISO 32000-2, 12.4.2). */
interface LabelRun {
  readonly firstPage: number;
  readonly style: string | undefined;
  readonly prefix: PdfString | undefined;
  readonly start: number;
}

/** A document's page labels, read once. */
export class PageLabels {
  readonly #document: PdfDocument;
  #runs: readonly LabelRun[] | undefined;

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /**
   * The catalog's `PageLabels` by which every page taken out shows the label that it had; undefined when the document
   * has none.
   *
   * @param indices the pages taken out, counted from 0, in their new order
   */
  labelsOf(indices: readonly number[]): PdfDict | undefined {
    this.#runs ??= readRuns(this.#document, this.#document.catalog?.get("PageLabels"));
    const runs = this.#runs;
    if (runs.length === 0) return undefined;
    const entries: [number, PdfObject][] = [];
    let last: { readonly run: LabelRun | undefined; readonly number: number } | undefined;
    for (const [position, index] of indices.entries()) {
      const run = runOf(runs, index);
      const number = run ? run.start + index - run.firstPage : index + 1;
      if (!last || last.run !== run || last.number + 1 !== number) {
        // Runs may share a long prefix, which is written for each of them.
        this.#document.budget.keepEntries(1);
        this.#document.budget.spend(run?.prefix?.bytes.length ?? 0);
        entries.push([position, labelDict(run, number)]);
      }
      last = { run, number };
    }
    return numberTree(entries);
  }
}

function readRuns(document: PdfDocument, root: PdfObject | undefined): LabelRun[] {
  const runs: LabelRun[] = [];
  for (const [firstPage, value] of numberTreeEntries(document, root)) {
    const dict = document.dict(value);
    const style = document.resolve(dict?.get("S"));
    const prefix = document.resolve(dict?.get("P"));
    runs.push({
      firstPage,
      style: style instanceof PdfName ? style.value : undefined,
      prefix: prefix instanceof PdfString ? prefix : undefined,
      start: integerOf(document.resolve(dict?.get("St"))) ?? 1,
    });
  }
  return runs.sort((one, other) => one.firstPage - other.firstPage);
}

/** The last run that begins at or before a page. */
function runOf(runs: readonly LabelRun[], index: number): LabelRun | undefined {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle]?.firstPage ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  return runs[low - 1];
}

function labelDict(run: LabelRun | undefined, number: number): PdfDict {
  const dict = new PdfDict();
  // Pages before the first run are numbered as if there were no labels.
  const style = run ? run.style : "D";
  if (style !== undefined) dict.set("S", PdfName.of(style));
  if (run?.prefix) dict.set("P", run.prefix);
  if (style !== undefined && number !== 1) dict.set("St", number);
  return dict;
}
