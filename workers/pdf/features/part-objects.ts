import { Renaming } from "../copy/renaming.ts";
import type { PartObjects } from "../copy/rules/copied-part.ts";
import type { PdfDict, PdfObject, PdfStream } from "../syntax/objects.ts";
import type { ChosenPages } from "./chosen-pages.ts";
import { destinations, withPageNamed } from "./destinations.ts";
import { DocumentPart } from "./document-part.ts";
import { FieldAppearances } from "./form/field-appearances.ts";
import { form } from "./form/form.ts";
import { layers } from "./layers/layers.ts";
import { metadata } from "./metadata/metadata.ts";
import type { OutputDocument } from "./output-document.ts";
import { tags } from "./tags/tags.ts";

/** Returns the part of a document that is copied into an output with some of its pages. */
export function partOf(pages: ChosenPages, output: OutputDocument): DocumentPart {
  const { document } = pages.source;
  const renaming = new Renaming(document, pages.source.of(form).dict, output.names);
  return new DocumentPart(pages, new ObjectsOfPages(pages, renaming, output), renaming, output);
}

/** Which objects belong to some pages, as the features of the document say. */
class ObjectsOfPages implements PartObjects {
  readonly annotations: ReadonlySet<number>;
  readonly fields: ReadonlySet<number>;
  readonly #pages: ChosenPages;
  readonly #renaming: Renaming;
  readonly #appearances: FieldAppearances | undefined;

  constructor(pages: ChosenPages, renaming: Renaming, { names }: OutputDocument) {
    const { contents } = pages.source;
    const fields = pages.source.of(form);
    this.#pages = pages;
    this.#renaming = renaming;
    this.annotations = pages.annotations;
    this.fields = fields.withAncestors(this.annotations);
    if (names.isMerge && fields.needsAppearances) this.#appearances = new FieldAppearances(fields, contents);
  }

  /** Returns true for other pages and their annotations, fields without a widget on the pages, and the structure tree. */
  isForeign(num: number): boolean {
    const { source } = this.#pages;
    const structure = source.of(tags);
    return (
      source.pageIndices.has(num) ||
      (source.annotations.numbers.has(num) && !this.annotations.has(num)) ||
      (source.of(form).has(num) && !this.fields.has(num)) ||
      structure.isRoot(num) ||
      structure.isElement(num)
    );
  }

  isPageContent(num: number): boolean {
    return this.#pages.source.pageContents.has(num);
  }

  isLayer(dict: PdfDict, num: number): boolean {
    return this.#pages.source.of(layers).isLayer(dict, num);
  }

  reducedMetadata(stream: PdfStream): PdfStream | undefined {
    return this.#pages.source.of(metadata).reduced(stream);
  }

  reducedField(field: PdfDict, num: number): PdfDict {
    const drawn = this.#appearances?.complete(field, num) ?? field;
    return this.#pages.source.of(form).fieldOf(drawn, num, this.fields);
  }

  copiedDestination(destination: PdfObject | undefined): PdfObject | undefined {
    const found = this.#pages.source.of(destinations);
    const index = found.pageOf(destination);
    const { all, earlier, isRepeat } = this.#pages;
    if (destination === undefined || index === undefined) return undefined;
    if (!all.has(index) && !earlier.has(index)) return undefined;
    // Names lead to the first copy of a page.
    const named = isRepeat ? found.explicit(destination) : found.inItsTable(destination);
    return this.#renaming.destination(withPageNamed(named, this.#pages));
  }
}
