import type { ByteSink } from "../bytes/sink.ts";
import type { PdfDocument } from "../file/document.ts";
import { PdfRef } from "../syntax/objects.ts";
import { Destinations } from "./destinations.ts";
import { Extraction } from "./extraction.ts";
import { FormFields } from "./form-fields.ts";
import { type Page, readPages } from "./page-tree.ts";
import { StructureTree } from "./structure.ts";

/** What is read of a document once, however many pages are taken out of it. */
export interface ExtractionSource {
  readonly document: PdfDocument;
  readonly pages: readonly Page[];
  /** Where in the document each page object is, counted from 0. */
  readonly pageIndices: ReadonlyMap<number, number>;
  /** The annotations that each page lists, as far as they are objects. */
  readonly annotations: readonly (readonly number[])[];
  /** The same, all together. */
  readonly annotationNumbers: ReadonlySet<number>;
  readonly form: FormFields;
  readonly destinations: Destinations;
  readonly structure: StructureTree;
  readonly usesObjectStreams: boolean;
}

/** Takes pages out of a document into documents of their own. */
export class PageExtractor {
  readonly #source: ExtractionSource;

  /** @throws ServiceError `damaged_file` when the document has no pages */
  constructor(document: PdfDocument) {
    const pages = readPages(document);
    const pageIndices = new Map<number, number>();
    for (const [index, { ref }] of pages.entries()) {
      if (ref && !pageIndices.has(ref.num)) pageIndices.set(ref.num, index);
    }
    const annotations = pages.map(({ dict }) =>
      document
        .array(dict.get("Annots"))
        .flatMap((annotation) => (annotation instanceof PdfRef ? [annotation.num] : [])),
    );
    this.#source = {
      document,
      pages,
      pageIndices,
      annotations,
      annotationNumbers: new Set(annotations.flat()),
      form: new FormFields(document),
      destinations: new Destinations(document, pageIndices),
      structure: new StructureTree(document),
      usesObjectStreams: document.usesObjectStreams,
    };
  }

  get pages(): readonly Page[] {
    return this.#source.pages;
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
