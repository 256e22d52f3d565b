import { ContentReader } from "../content/content-reader.ts";
import { StreamDeflater } from "../copy/stream-deflater.ts";
import { NumberSet } from "../file/cross-reference.ts";
import type { PdfDocument } from "../file/document.ts";
import { Annotations } from "../pages/annotation-numbers.ts";
import { type Page, pageIndicesOf, readPages } from "../pages/page-tree.ts";
import { PdfRef } from "../syntax/objects.ts";

/** A part of a document that is read once for all outputs. */
export interface Readable<Found> {
  read(source: SourceDocument): Found;
}

/** A document whose pages are copied, with the data that all outputs share. */
export class SourceDocument {
  readonly document: PdfDocument;
  readonly pages: readonly Page[];
  /** The index of each page object in the document. */
  readonly pageIndices: ReadonlyMap<number, number>;
  /** The object numbers of contents that pages name directly. */
  readonly pageContents = new NumberSet();
  readonly annotations = new Annotations();
  readonly contents: ContentReader;
  readonly deflater: StreamDeflater;
  readonly #found = new Map<Readable<unknown>, unknown>();

  /** @throws {ServiceError} `damaged_file` when the document has no pages */
  constructor(document: PdfDocument) {
    this.document = document;
    this.contents = new ContentReader(document);
    this.deflater = new StreamDeflater(document);
    this.pages = readPages(document, (page) => {
      this.annotations.add(page);
      const contents = page.get("Contents");
      for (const content of Array.isArray(contents) ? contents : [contents]) {
        if (content instanceof PdfRef) this.pageContents.add(content.num);
      }
    });
    this.pageIndices = pageIndicesOf(this.pages);
  }

  /** Returns what the document has of a feature. Reads it at the first call. */
  of<Found>(feature: Readable<Found>): Found {
    if (!this.#found.has(feature)) this.#found.set(feature, feature.read(this));
    // The entry of a feature is what its `read` has returned.
    return this.#found.get(feature) as Found;
  }
}
