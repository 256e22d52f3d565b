import { ContentReader } from "../content/content-reader.ts";
import { StreamDeflater } from "../copy/stream-deflater.ts";
import { NumberSet } from "../file/cross-reference.ts";
import type { PdfDocument } from "../file/document.ts";
import { Annotations } from "../pages/annotations.ts";
import { type Page, pageIndicesOf, readPages } from "../pages/page-tree.ts";
import { PdfRef } from "../syntax/objects.ts";
import { Destinations } from "./destinations.ts";
import { FormFields } from "./form/form-fields.ts";
import { PageLabels } from "./labels.ts";
import { Layers } from "./layers/layers.ts";
import { Metadata } from "./metadata/metadata.ts";
import { Outline } from "./outline/outline.ts";
import { StructureTree } from "./tags/structure-tree.ts";

/** The data of a document that all extractions share. */
export interface ExtractionSource {
  readonly document: PdfDocument;
  readonly pages: readonly Page[];
  /** The index of each page object in the document. */
  readonly pageIndices: ReadonlyMap<number, number>;
  /** The object numbers of contents that pages name directly. */
  readonly pageContents: NumberSet;
  readonly annotations: Annotations;
  readonly form: FormFields;
  readonly destinations: Destinations;
  readonly structure: StructureTree;
  readonly outline: Outline;
  readonly labels: PageLabels;
  readonly layers: Layers;
  readonly metadata: Metadata;
  readonly contents: ContentReader;
  readonly deflater: StreamDeflater;
}

/**
 * Reads the data for extractions.
 *
 * @throws {ServiceError} `damaged_file` when the document has no pages
 */
export function extractionSource(document: PdfDocument): ExtractionSource {
  const annotations = new Annotations(document);
  const pageContents = new NumberSet();
  const pages = readPages(document, (page) => {
    annotations.add(page);
    const contents = page.get("Contents");
    for (const content of Array.isArray(contents) ? contents : [contents]) {
      if (content instanceof PdfRef) pageContents.add(content.num);
    }
  });
  const pageIndices = pageIndicesOf(pages);
  const form = new FormFields(document);
  const destinations = new Destinations(document, pageIndices);
  return {
    document,
    pages,
    pageIndices,
    pageContents,
    annotations,
    form,
    destinations,
    structure: new StructureTree(
      document,
      pageIndices,
      (num) => pageIndices.has(num) || annotations.numbers.has(num) || form.has(num),
    ),
    outline: new Outline(document, destinations),
    labels: new PageLabels(document),
    layers: new Layers(document),
    metadata: new Metadata(document),
    contents: new ContentReader(document),
    deflater: new StreamDeflater(document),
  };
}
