import { ServiceError } from "../../src/shared/errors.ts";
import { aboutFile } from "../../src/shared/failure.ts";
import { flattenPages, parsePageSelection, resolvePageSelection } from "../../src/shared/page-selection.ts";
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
 * @param title the title of the output. Default: none
 * @throws {ServiceError} the errors of a file, with its place, counted from 0, in `details.file_index`: `invalid_page_selection`,
 *   `password_required`, `wrong_password`, `unsupported_encryption`, `damaged_file`, `input_too_large`
 */
export async function merge(
  { sink, report }: JobContext<ByteSink>,
  inputs: readonly MergeInput[],
  title?: string,
): Promise<void> {
  const damaged = new Set<MergeInput>();
  let output: DocumentWriter;
  let known: number;
  do {
    known = damaged.size;
    output = mergedDocumentWriter(sink, title);
    await addAll(inputs, output, damaged, report);
  } while (damaged.size > known);
  await output.end();
}

/**
 * Adds all documents. When one turns out to be damaged, the output is invalid. The others are still added, to find all
 * damaged ones at once.
 *
 * @param damaged the documents that are known to be damaged; more are added
 */
async function addAll(
  inputs: readonly MergeInput[],
  output: DocumentWriter,
  damaged: Set<MergeInput>,
  report: Report,
): Promise<void> {
  const total = inputs.reduce((sum, { size }) => sum + size, 0);
  const budget = new CallBudget();
  let done = 0;
  for (const [index, input] of inputs.entries()) {
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
        const indices = indicesOf(input, source.pages.length);
        const turns = resolveRotation(input.rotate, source.pages.length);
        budget.takePages(indices.length);
        await output.add(source, indices, { title: input.title, turns });
      });
    } catch (error) {
      throw error instanceof ServiceError ? aboutFile(input.title, index, error) : error;
    }
    done += input.size;
    report("working", done, total);
  }
}

function indicesOf({ pages }: MergeInput, pageCount: number): readonly number[] {
  if (pages === undefined) return Array.from({ length: pageCount }, (_, index) => index);
  const items = resolvePageSelection(parsePageSelection(pages), pageCount);
  return flattenPages(items).map((number) => number - 1);
}
