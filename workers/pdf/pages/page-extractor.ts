import type { ByteSink } from "../../io/sink.ts";
import type { PdfDocument } from "../file/document.ts";
import { Extraction } from "./extraction.ts";
import { type ExtractionSource, extractionSource } from "./extraction-source.ts";

/** Extracts pages of a document into new documents. */
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
   * Writes a document of the given pages, in that order, with all objects that they need and nothing of other pages.
   *
   * @param numbers page numbers, counted from 1
   */
  async extract(numbers: readonly number[], sink: ByteSink): Promise<void> {
    await new Extraction(this.#source, numbers, sink).write();
  }
}
