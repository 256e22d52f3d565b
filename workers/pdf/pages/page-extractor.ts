import type { ByteSink } from "../../io/sink.ts";
import type { PdfDocument } from "../file/document.ts";
import { Extraction } from "./extraction.ts";
import { type ExtractionSource, extractionSource } from "./extraction-source.ts";

/** Extracts pages of a document into new documents. */
export class PageExtractor {
  readonly #source: ExtractionSource;
  readonly #wasRecovered: boolean;

  /** @throws {ServiceError} `damaged_file` when the document has no pages */
  constructor(document: PdfDocument) {
    const { recovered } = document;
    const source = extractionSource(document);
    // After a rebuild, the data that was read before may be wrong.
    this.#source = document.recovered === recovered ? source : extractionSource(document);
    this.#wasRecovered = document.recovered;
  }

  get pageCount(): number {
    return this.#source.pages.length;
  }

  /**
   * Whether the cross-reference was rebuilt after this extractor was made. All documents that it has written are then
   * invalid. Repeat the work with a new extractor, which does not become outdated.
   */
  get isOutdated(): boolean {
    return this.#source.document.recovered !== this.#wasRecovered;
  }

  /**
   * Writes a document of the given pages, in that order, with all objects that they need and nothing of other pages. The
   * document is invalid if the extractor {@link isOutdated} afterwards.
   *
   * @param numbers page numbers, counted from 1
   */
  async extract(numbers: readonly number[], sink: ByteSink): Promise<void> {
    await new Extraction(this.#source, numbers, sink).write();
  }
}

/**
 * Writes a document of some pages. Repeats the work when the cross-reference is rebuilt meanwhile.
 *
 * @param choose returns the page numbers, counted from 1, for a number of pages
 * @returns the page numbers
 * @throws {ServiceError} `damaged_file`, and what `choose` throws
 */
export async function extractPages(
  document: PdfDocument,
  choose: (pageCount: number) => readonly number[],
  sink: ByteSink,
): Promise<readonly number[]> {
  const extractor = new PageExtractor(document);
  const numbers = choose(extractor.pageCount);
  await extractor.extract(numbers, sink);
  if (!extractor.isOutdated) return numbers;
  sink.restart();
  return extractPages(document, choose, sink);
}
