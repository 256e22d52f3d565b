import type { Renaming } from "../copy/renaming.ts";
import type { PartObjects } from "../copy/rules/copied-part.ts";
import { Annotations } from "../pages/annotations.ts";
import { PdfDict, type PdfObject, type PdfStream } from "../syntax/objects.ts";
import type { ExtractionSource } from "./extraction-source.ts";
import { FieldAppearances } from "./form/field-appearances.ts";

/** The objects that belong to some pages of a document. */
export class ObjectsOfPages implements PartObjects {
  /**
   * The indices of the pages. For a page that the document lists again, also the first index: destinations lead there.
   */
  readonly pages: ReadonlySet<number>;
  readonly annotations: ReadonlySet<number>;
  readonly fields: ReadonlySet<number>;
  readonly #source: ExtractionSource;
  readonly #indices: readonly number[];
  readonly #renaming: Renaming;
  readonly #appearances: FieldAppearances | undefined;
  /** The first position of each page index, computed on first use. */
  #positions: ReadonlyMap<number, number> | undefined;

  /** @param indices the indices of the pages in the document, in the order of the output */
  constructor(source: ExtractionSource, indices: readonly number[], renaming: Renaming, isMerge: boolean) {
    const { document, pages, pageIndices } = source;
    this.#source = source;
    this.#indices = indices;
    this.#renaming = renaming;
    const chosen = indices.flatMap((index) => pages[index] ?? []);
    const firstIndices = chosen.flatMap(({ ref }) => (ref ? (pageIndices.get(ref.num) ?? []) : []));
    this.pages = new Set([...firstIndices, ...indices]);
    const annotations = new Annotations(document);
    for (const { dict } of chosen) annotations.add(dict);
    this.annotations = annotations.numbers;
    this.fields = source.form.withAncestors(this.annotations);
    const drawsFields = isMerge && source.form.needsAppearances;
    this.#appearances = drawsFields
      ? new FieldAppearances(document, source.form, source.contents)
      : undefined;
  }

  /** Returns true for other pages and their annotations, fields without a widget on the pages, and the structure tree. */
  isForeign(num: number): boolean {
    const { pageIndices, annotations, form, structure } = this.#source;
    return (
      pageIndices.has(num) ||
      (annotations.numbers.has(num) && !this.annotations.has(num)) ||
      (form.has(num) && !this.fields.has(num)) ||
      structure.isRoot(num) ||
      structure.isElement(num)
    );
  }

  isPageContent(num: number): boolean {
    return this.#source.pageContents.has(num);
  }

  isLayer(dict: PdfDict, num: number): boolean {
    return this.#source.layers.isLayer(dict, num);
  }

  reducedMetadata(stream: PdfStream): PdfStream | undefined {
    return this.#source.metadata.kept(stream);
  }

  reducedField(field: PdfDict, num: number): PdfDict {
    const drawn = this.#appearances?.complete(field, num) ?? field;
    return this.#source.form.fieldOf(drawn, num, this.fields);
  }

  copiedDestination(destination: PdfObject | undefined): PdfObject | undefined {
    const { destinations } = this.#source;
    const index = destinations.pageOf(destination);
    if (destination === undefined || index === undefined || !this.pages.has(index)) return undefined;
    return this.#renaming.destination(destinations.inItsTable(this.withPageNamed(destination)));
  }

  /** Returns a destination with a reference in place of a page number, because pages are renumbered. */
  withPageNamed(destination: PdfObject): PdfObject {
    const { document, pages } = this.#source;
    const found = document.resolve(destination);
    if (found instanceof PdfDict) {
      const target = found.get("D") ?? null;
      const named = this.withPageNamed(target);
      if (named === target) return destination;
      const copy = found.clone();
      copy.set("D", named);
      return copy;
    }
    const index = Array.isArray(found) ? found[0] : undefined;
    if (!Array.isArray(found) || typeof index !== "number") return destination;
    return [pages[index]?.ref ?? this.#positionOf(index), ...found.slice(1)];
  }

  /** Returns the first position of the page `index` in the output, or -1. */
  #positionOf(index: number): number {
    this.#positions ??= new Map(this.#indices.map((own, position) => [own, position] as const).reverse());
    return this.#positions.get(index) ?? -1;
  }
}
