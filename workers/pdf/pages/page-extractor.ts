import type { ByteSink } from "../bytes/sink.ts";
import type { PdfDocument } from "../file/document.ts";
import { Extraction } from "./extraction.ts";
import { type ExtractionSource, extractionSource } from "./extraction-source.ts";

/** Takes pages out of a document into documents of their own. */
export class PageExtractor {
  readonly #source: ExtractionSource;

  /** @throws {ServiceError} `damaged_file` when the document has no pages */
  constructor(document: PdfDocument) {
    this.#source = extractionSource(document);
  }

  get pageCount(): number {
    return this.#source.pages.length;
  }

  /**
   * Writes a document of the pages given, in that order, with all that they reach and nothing of the others.
   *
   * @param numbers page numbers, counted from 1
   */
  async extract(numbers: readonly number[], sink: ByteSink): Promise<void> {
    await new Extraction(this.#source, numbers, sink).write();
  }
}
