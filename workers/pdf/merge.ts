import { ServiceError } from "../../src/shared/errors.ts";
import { aboutFile } from "../../src/shared/failure.ts";
import { flattenPages, parsePageSelection, resolvePageSelection } from "../../src/shared/page-selection.ts";
import type { MergeOptions } from "../../src/shared/protocol.ts";
import { resolveRotation } from "../../src/shared/rotation.ts";
import type { Report } from "../../src/shared/throttled-report.ts";
import { CallBudget } from "../call-budget.ts";
import type { ByteSink } from "../io/sink.ts";
import type { ByteSource } from "../io/source.ts";
import type { JobContext } from "../job-context.ts";
import { type DocumentWriter, mergedDocumentWriter } from "./features/document-writer.ts";
import { SourceDocument } from "./features/source-document.ts";
import { PdfDocument } from "./file/document.ts";
import { decryptForReading, withRebuild } from "./open.ts";
import { checkPages, type PartsByFile, partsByFile, type SequencePart } from "./page-sequence.ts";
import type { PdfRef } from "./syntax/objects.ts";

/** A document to merge. */
export interface MergeInput {
  /** The title of its outline item. */
  readonly title: string;
  /** The length of the file in bytes, for the progress. */
  readonly size: number;
  /** Opens the file, once. An image is converted for it. */
  open(): Promise<ByteSource>;
  /** A page selection. Default: all pages. */
  readonly pages?: string | undefined;
  /** The rotation of its pages. Default: none. */
  readonly rotate?: string | undefined;
  readonly password?: string | undefined;
}

/**
 * Merges documents into one. They are read one after the other, so that memory follows the largest one.
 *
 * @param options the title of the output, by default none; its pages, by default those of all inputs; and empty pages
 * @throws {ServiceError} the errors of a file, with its place, counted from 0, in `details.file_index`: `invalid_page_selection`,
 *   `password_required`, `wrong_password`, `unsupported_encryption`, `damaged_file`, `input_too_large`
 */
export async function merge(
  { sink, report }: JobContext<ByteSink>,
  inputs: readonly MergeInput[],
  { title, sequence, blank }: Omit<MergeOptions, "inputs"> = {},
): Promise<void> {
  const parts = sequence && partsByFile(sequence);
  const work: MergeWork = { inputs, sequence: parts, blank, damaged: new Set(), report };
  let output: DocumentWriter;
  let known: number;
  do {
    known = work.damaged.size;
    output = mergedDocumentWriter(sink, title);
    await addAll(work, output);
  } while (work.damaged.size > known);
  await output.end();
}

interface MergeWork {
  readonly inputs: readonly MergeInput[];
  /** The parts of each input, if the output has a sequence of pages. */
  readonly sequence: PartsByFile | undefined;
  readonly blank: MergeOptions["blank"];
  /** The documents that are known to be damaged. */
  readonly damaged: Set<MergeInput>;
  readonly report: Report;
}

/**
 * Adds all documents. When one turns out to be damaged, the output is invalid. The others are still added, to find all
 * damaged ones at once.
 */
async function addAll(work: MergeWork, output: DocumentWriter): Promise<void> {
  const { inputs, sequence, blank, damaged, report } = work;
  const total = inputs.reduce((sum, { size }) => sum + size, 0);
  const budget = new CallBudget();
  let done = 0;
  const pages: PdfRef[] = [];
  // The first page of the output belongs to the first document.
  for (const index of sequence?.keys() ?? inputs.keys()) {
    const input = inputs[index];
    if (input === undefined) continue;
    try {
      const opened = PdfDocument.open(await input.open());
      const document = damaged.has(input) ? opened.rebuilt() : opened;
      await withRebuild(document, async (current) => {
        if (current !== document) {
          // The output has objects of the damaged document.
          damaged.add(input);
          return;
        }
        await decryptForReading(document, input.password);
        const source = new SourceDocument(document);
        const parts = sequence?.get(index);
        if (parts) await addParts(source, parts, { title: input.title, budget, output, pages });
        else await addSelected(source, input, { blank, budget, output });
      });
    } catch (error) {
      throw error instanceof ServiceError ? aboutFile(input.title, index, error) : error;
    }
    done += input.size;
    report("working", done, total);
  }
  if (sequence) output.arrange(pages);
}

interface SelectedOutput {
  readonly blank: MergeOptions["blank"];
  readonly budget: CallBudget;
  readonly output: DocumentWriter;
}

/** Adds the pages of an input, in the order of its selection. */
async function addSelected(
  source: SourceDocument,
  { pages, rotate, title }: MergeInput,
  { blank, budget, output }: SelectedOutput,
): Promise<void> {
  const indices = indicesOf(pages, source.pages.length);
  const turns = resolveRotation(rotate, source.pages.length);
  budget.takePages(indices.length + (blank === undefined ? 0 : 1));
  await output.add(source, indices, { title, turns, blank });
}

interface SequenceOutput {
  readonly title: string;
  readonly budget: CallBudget;
  readonly output: DocumentWriter;
  /** The pages of the output by their places. Those of the parts are added. */
  readonly pages: PdfRef[];
}

/** Adds the pages of an input that a sequence names. */
async function addParts(
  source: SourceDocument,
  parts: readonly SequencePart[],
  { title, budget, output, pages }: SequenceOutput,
): Promise<void> {
  checkPages(parts, source.pages.length);
  /** Those of the first part. It has none while it is added. */
  const first = new Map<number, PdfRef>();
  for (const { entries, turns } of parts) {
    const indices = entries.map(({ page }) => page - 1);
    budget.takePages(indices.length);
    const added = await output.add(source, indices, { title, turns, earlier: first });
    for (const [position, ref] of added.entries()) {
      const { page, place } = entries[position] ?? { page: 0, place: 0 };
      pages[place] = ref;
      if (!first.has(page - 1)) first.set(page - 1, ref);
    }
  }
}

function indicesOf(pages: string | undefined, pageCount: number): readonly number[] {
  if (pages === undefined) return Array.from({ length: pageCount }, (_, index) => index);
  const items = resolvePageSelection(parsePageSelection(pages), pageCount);
  return flattenPages(items).map((number) => number - 1);
}
