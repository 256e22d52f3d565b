import { archiveNames, parsePageSelection, resolvePageSelection } from "../../src/shared/page-selection.ts";
import type { SplitOptions } from "../../src/shared/protocol.ts";
import { ArchiveWriter } from "../archive/zip.ts";
import { BlobSink } from "../io/blob-sink.ts";
import type { ByteSink } from "../io/sink.ts";
import type { ByteSource } from "../io/source.ts";
import type { JobContext, Report } from "../job-context.ts";
import { PdfDocument } from "./file/document.ts";
import { decryptForReading } from "./open.ts";
import { OutputLimit } from "./output-limit.ts";
import { extractPages } from "./pages/extraction.ts";
import { extractionSource } from "./pages/extraction-source.ts";

/** One file of a split: its name in the archive and its bytes. */
export interface SplitFile<Sink extends ByteSink> {
  readonly name: string;
  readonly content: Sink;
}

/**
 * Splits a PDF. Yields a document for each item of the page selection as soon as it is written.
 *
 * @param newSink makes the sink of each document
 * @param restart called when damage shows that all documents so far are invalid; they are then yielded again
 * @throws {ServiceError} `invalid_page_selection`, `password_required`, `wrong_password`, `unsupported_encryption`,
 *   `damaged_file`, `input_too_large`
 */
export async function* split<Sink extends ByteSink>(
  source: ByteSource,
  newSink: () => Sink,
  { pages, name, password }: SplitOptions,
  report: Report,
  restart: () => void = () => {},
): AsyncGenerator<SplitFile<Sink>> {
  const selection = parsePageSelection(pages);
  const document = PdfDocument.open(source);
  const splitDocument = async function* (document: PdfDocument): AsyncGenerator<SplitFile<Sink>> {
    await decryptForReading(document, password);
    const original = extractionSource(document);
    const items = resolvePageSelection(selection, original.pages.length);
    const names = archiveNames(name, "pdf", items);
    const limit = new OutputLimit(source.size);
    const total = items.reduce((sum, item) => sum + item.pages.length, 0);
    let done = 0;
    for (const [index, item] of items.entries()) {
      const content = newSink();
      await extractPages(original, item.pages, content);
      limit.take(content.length);
      done += item.pages.length;
      report("working", done, total);
      yield { name: names[index] ?? `${index + 1}.pdf`, content };
    }
  };
  try {
    yield* splitDocument(document);
  } catch (error) {
    const rebuilt = document.rebuiltAfter(error);
    restart();
    yield* splitDocument(rebuilt);
  }
}

type SplitContext = Pick<JobContext, "source" | "sink" | "lastModified" | "report">;

/**
 * Splits a PDF into an archive.
 *
 * @throws {ServiceError} the errors of {@link split}; `invalid_parameter` for a name that is too long
 */
export async function splitIntoArchive(
  { source, sink, lastModified, report }: SplitContext,
  options: SplitOptions,
): Promise<void> {
  let archive = new ArchiveWriter(sink, lastModified);
  let furthest = 0;
  const reportFurther: Report = (phase, done, total) => {
    if (done > furthest) report(phase, done, total);
    furthest = Math.max(furthest, done);
  };
  const restart = () => {
    sink.restart();
    archive = new ArchiveWriter(sink, lastModified);
  };
  for await (const part of split(source, () => new BlobSink(), options, reportFurther, restart))
    await archive.add(part);
  archive.end();
}
