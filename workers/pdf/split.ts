import { archiveNames, parsePageSelection, resolvePageSelection } from "../../src/pages.ts";
import type { SplitOptions } from "../protocol.ts";
import type { ByteSink } from "./bytes/sink.ts";
import type { ByteSource } from "./bytes/source.ts";
import type { Report, SplitFile } from "./job.ts";
import { openForReading } from "./open.ts";
import { PageExtractor } from "./pages/page-extractor.ts";

/**
 * Splits a PDF: one document for each item of the page selection, given out as soon as it is written.
 *
 * @param newSink makes what each document is written to
 * @throws {ServiceError} `invalid_page_selection`, `password_required`, `wrong_password`, `unsupported_encryption`,
 *   `damaged_file`
 */
export async function* split<Sink extends ByteSink>(
  source: ByteSource,
  newSink: () => Sink,
  options: SplitOptions,
  report: Report,
): AsyncGenerator<SplitFile<Sink>> {
  const selection = parsePageSelection(options.pages);
  const extractor = new PageExtractor(await openForReading(source, options.password));
  const items = resolvePageSelection(selection, extractor.pageCount);
  const names = archiveNames(options.name, "pdf", items);
  const total = items.reduce((sum, { pages }) => sum + pages.length, 0);
  let done = 0;
  for (const [index, { pages }] of items.entries()) {
    const content = newSink();
    await extractor.extract(pages, content);
    done += pages.length;
    report("working", done, total);
    yield { name: names[index] ?? `${index + 1}.pdf`, content };
  }
}
