import { flattenPages, type PageItem, parsePageSelection, resolvePageSelection } from "../../src/pages.ts";
import type { RewriteOptions } from "../protocol.ts";
import type { ByteSink } from "./bytes/sink.ts";
import type { ByteSource } from "./bytes/source.ts";
import type { PdfDocument } from "./file/document.ts";
import type { Report } from "./job.ts";
import { openForReading } from "./open.ts";
import { PageExtractor } from "./pages/page-extractor.ts";
import { expectPages } from "./pages/page-tree.ts";
import { writeReachable } from "./pages/whole-document.ts";

/**
 * Writes a PDF anew: repaired, not encrypted, without what nothing leads to; with `pages`, only those.
 *
 * @throws {ServiceError} `invalid_page_selection`, `password_required`, `wrong_password`, `unsupported_encryption`,
 *   `damaged_file`
 */
export async function rewrite(
  source: ByteSource,
  sink: ByteSink,
  options: RewriteOptions,
  report: Report,
): Promise<void> {
  const selection = options.pages === undefined ? undefined : parsePageSelection(options.pages);
  const document = await openForReading(source, options.password);
  if (selection) {
    const count = await writePages(document, selection, sink);
    report("working", count, count);
    return;
  }
  expectPages(document);
  await writeReachable({ document, sink, version: document.version, deflates: true, report });
}

/** @returns how many pages it has written */
async function writePages(
  document: PdfDocument,
  selection: readonly PageItem[],
  sink: ByteSink,
): Promise<number> {
  const extractor = new PageExtractor(document);
  const numbers = flattenPages(resolvePageSelection(selection, extractor.pageCount));
  await extractor.extract(numbers, sink);
  if (!extractor.isOutdated) return numbers.length;
  sink.restart();
  return writePages(document, selection, sink);
}
