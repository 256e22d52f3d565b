import {
  archiveNames,
  type PageItem,
  parsePageSelection,
  resolvePageSelection,
} from "../../src/shared/page-selection.ts";
import type { SplitOptions } from "../../src/shared/protocol.ts";
import type { ByteSink } from "../io/sink.ts";
import type { ByteSource } from "../io/source.ts";
import type { Report } from "../job-context.ts";
import type { PdfDocument } from "./file/document.ts";
import { openForReading } from "./open.ts";
import { OutputLimit } from "./output-limit.ts";
import { PageExtractor } from "./pages/page-extractor.ts";

/** One file of a split: its name in the archive and its bytes. */
export interface SplitFile<Sink extends ByteSink> {
  readonly name: string;
  readonly content: Sink;
}

/** One of the documents that a PDF is split into. */
export interface SplitPart {
  readonly name: string;
  /** Page numbers, counted from 1. */
  readonly pages: readonly number[];
}

/** A PDF that is open to be split. Its parts can be written in any order, by anyone who has opened it as well. */
export class SplitSession {
  /** One document for each item of the page selection. */
  readonly parts: readonly SplitPart[];
  readonly #document: PdfDocument;
  readonly #extractor: PageExtractor;
  readonly #selection: readonly PageItem[];
  readonly #name: string;
  readonly #output: OutputLimit;

  private constructor(document: PdfDocument, selection: readonly PageItem[], name: string) {
    this.#document = document;
    this.#extractor = new PageExtractor(document);
    this.#selection = selection;
    this.#name = name;
    this.#output = new OutputLimit(document.source.size);
    const items = resolvePageSelection(selection, this.#extractor.pageCount);
    const names = archiveNames(name, "pdf", items);
    this.parts = items.map((item, index) => ({
      name: names[index] ?? `${index + 1}.pdf`,
      pages: item.pages,
    }));
  }

  /**
   * Opens a PDF.
   *
   * @throws {ServiceError} `invalid_page_selection`, `password_required`, `wrong_password`, `unsupported_encryption`,
   *   `damaged_file`
   */
  static async open(source: ByteSource, { pages, name, password }: SplitOptions): Promise<SplitSession> {
    const selection = parsePageSelection(pages);
    const document = await openForReading(source, password);
    return new SplitSession(document, selection, name);
  }

  /**
   * Whether damage was met since it was opened: the file's own cross-reference was given up, and all that was written
   * till now is void.
   */
  get isOutdated(): boolean {
    return this.#extractor.isOutdated;
  }

  /**
   * The same PDF as it is read now. It will not be outdated again.
   *
   * @throws {ServiceError} `invalid_page_selection`, `damaged_file`
   */
  readAgain(): SplitSession {
    return new SplitSession(this.#document, this.#selection, this.#name);
  }

  /**
   * Writes one part.
   *
   * @throws {ServiceError} `damaged_file`, `input_too_large`
   */
  async write({ pages }: SplitPart, sink: ByteSink): Promise<void> {
    await this.#extractor.extract(pages, sink);
    this.#output.take(sink.length);
  }
}

/** How many pages all parts have together. */
export function pagesOf(parts: readonly SplitPart[]): number {
  return parts.reduce((sum, { pages }) => sum + pages.length, 0);
}

/**
 * Splits a PDF: one document for each item of the page selection, given out as soon as it is written.
 *
 * @param newSink makes what each document is written to
 * @param restart is told when damage has been met on the way: what was given out is void, and is given out again
 * @throws {ServiceError} what {@link SplitSession} fails with
 */
export async function* split<Sink extends ByteSink>(
  source: ByteSource,
  newSink: () => Sink,
  options: SplitOptions,
  report: Report,
  restart: () => void = () => {},
): AsyncGenerator<SplitFile<Sink>> {
  const splitting = await SplitSession.open(source, options);
  yield* written(splitting, newSink, report);
  if (!splitting.isOutdated) return;
  restart();
  yield* written(splitting.readAgain(), newSink, report);
}

/** The parts, as long as they are not void. */
async function* written<Sink extends ByteSink>(
  splitting: SplitSession,
  newSink: () => Sink,
  report: Report,
): AsyncGenerator<SplitFile<Sink>> {
  const total = pagesOf(splitting.parts);
  let done = 0;
  for (const part of splitting.parts) {
    const content = newSink();
    await splitting.write(part, content);
    if (splitting.isOutdated) return;
    done += part.pages.length;
    report("working", done, total);
    yield { name: part.name, content };
  }
}
