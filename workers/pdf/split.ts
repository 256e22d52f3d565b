import {
  archiveNamer,
  pageRange,
  parsePageSelection,
  type ResolvedItem,
  resolvePageSelection,
} from "../../src/shared/page-selection.ts";
import type { SplitBy, SplitOptions } from "../../src/shared/protocol.ts";
import { resolveRotation } from "../../src/shared/rotation.ts";
import type { Report } from "../../src/shared/throttled-report.ts";
import { zip } from "../archive/zip.ts";
import { CallBudget, checkFileCount } from "../call-budget.ts";
import { BlobSink } from "../io/blob-sink.ts";
import type { ByteSink } from "../io/sink.ts";
import type { JobContext } from "../job-context.ts";
import { extractPages } from "./features/document-writer.ts";
import { SourceDocument } from "./features/source-document.ts";
import { PdfDocument } from "./file/document.ts";
import { decryptForReading, withRebuild } from "./open.ts";
import { itemsByOutline } from "./split-by-outline.ts";
import { filesWithin, type WrittenItem } from "./split-by-size.ts";

/** One file of a split: its name in the archive, its page numbers and its bytes. */
interface SplitFile<Sink extends ByteSink> {
  readonly name: string;
  readonly pages: readonly number[];
  readonly content: Sink;
}

/**
 * Splits a PDF into an archive.
 *
 * @throws {ServiceError} `invalid_page_selection`, `password_required`, `wrong_password`, `unsupported_encryption`,
 *   `damaged_file`, `input_too_large`; `invalid_parameter` for a document without the outline to split it by
 */
export async function split(
  { source, sink, lastModified, report }: JobContext,
  options: SplitOptions,
): Promise<void> {
  await withRebuild(PdfDocument.open(source), (document) =>
    zip(
      splitFiles(document, options, report, () => new BlobSink()),
      sink,
      lastModified,
    ),
  );
}

/**
 * Generates the files of a split, each as soon as it is written.
 *
 * @param newSink creates the sink of each file
 * @throws what {@link split} throws; BrokenStructure when damage shows that all files so far may be wrong
 */
export async function* splitFiles<Sink extends ByteSink>(
  document: PdfDocument,
  { by, name, password, rotate }: SplitOptions,
  report: Report,
  newSink: () => Sink,
): AsyncGenerator<SplitFile<Sink>> {
  await decryptForReading(document, password);
  const original = new SourceDocument(document);
  const turns = resolveRotation(rotate, original.pages.length);
  const write = async ({ pages }: ResolvedItem) => {
    const content = newSink();
    await extractPages(original, pages, content, turns);
    return content;
  };
  const { total, files } = filesOf(original, by, name, write);
  const nameOf = archiveNamer(name, "pdf");
  const budget = CallBudget.forCopying(document.source.size);
  let done = 0;
  for await (const { item, content } of files) {
    budget.takePages(item.pages.length);
    budget.takeBytes(content.length);
    done += item.pages.length;
    report("working", done, total);
    yield { name: nameOf(item), pages: item.pages, content };
  }
}

/** Returns the files of a split, and the number of pages in all of them. */
function filesOf<Content extends ByteSink>(
  original: SourceDocument,
  by: SplitBy,
  name: string,
  write: (item: ResolvedItem) => Promise<Content>,
): { readonly total: number; readonly files: AsyncIterable<WrittenItem<Content>> } {
  const total = original.pages.length;
  if (by.kind === "size") {
    const bytesPerPage = original.document.source.size / total;
    return { total, files: filesWithin({ pageCount: total, maxBytes: by.maxBytes, bytesPerPage, write }) };
  }
  const items = itemsOf(original, by, name);
  checkFileCount(items.length);
  return {
    total: items.reduce((sum, { pages }) => sum + pages.length, 0),
    files: writtenItems(items, write),
  };
}

function itemsOf(
  original: SourceDocument,
  by: Exclude<SplitBy, { kind: "size" }>,
  name: string,
): readonly ResolvedItem[] {
  const pageCount = original.pages.length;
  switch (by.kind) {
    case "pages":
      return resolvePageSelection(parsePageSelection(by.pages), pageCount);
    case "every":
      return Array.from({ length: Math.ceil(pageCount / by.count) }, (_, index) => {
        const first = 1 + index * by.count;
        return pageRange(first, Math.min(first + by.count - 1, pageCount), pageCount);
      });
    case "outline":
      return itemsByOutline(original, name);
  }
}

async function* writtenItems<Content>(
  items: readonly ResolvedItem[],
  write: (item: ResolvedItem) => Promise<Content>,
): AsyncGenerator<WrittenItem<Content>> {
  for (const item of items) yield { item, content: await write(item) };
}
