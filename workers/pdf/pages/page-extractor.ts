import type { ByteSink } from "../../io/sink.ts";
import type { PdfDocument } from "../file/document.ts";
import { Extraction } from "./extraction.ts";
import { type ExtractionSource, extractionSource } from "./extraction-source.ts";

/** Takes pages out of a document into documents of their own. */
export class PageExtractor {
  readonly #source: ExtractionSource;
  readonly #wasRecovered: boolean;

  /** @throws {ServiceError} `damaged_file` when the document has no pages */
  constructor(document: PdfDocument) {
    const { recovered } = document;
    const source = extractionSource(document);
    // Damage met on the way: what came before it was read with a wrong cross-reference.
    this.#source = document.recovered === recovered ? source : extractionSource(document);
    this.#wasRecovered = document.recovered;
  }

  get pageCount(): number {
    return this.#source.pages.length;
  }

  /**
   * Whether damage was met since: what was extracted till now was read with a wrong cross-reference, and is to be
   * extracted again, by another extractor. That one will not meet any.
   */
  get isOutdated(): boolean {
    return this.#source.document.recovered !== this.#wasRecovered;
  }

  /**
   * Writes a document of the pages given, in that order, with all that they reach and nothing of the others. It is void
   * when the extractor {@link isOutdated} then.
   *
   * @param numbers page numbers, counted from 1
   */
  async extract(numbers: readonly number[], sink: ByteSink): Promise<void> {
    await new Extraction(this.#source, numbers, sink).write();
  }
}

/**
 * Writes a document of some pages, once more when damage is met on the way.
 *
 * @param choose gives the pages' numbers, counted from 1, when it is known how many there are
 * @returns the numbers
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
