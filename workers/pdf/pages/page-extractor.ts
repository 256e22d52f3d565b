import type { ByteSink } from "../bytes/sink.ts";
import type { PdfDocument } from "../file/document.ts";
import { FileWriter, laterVersion } from "../file/file-writer.ts";
import { PdfDict, PdfName, type PdfObject, PdfRef, PdfStream } from "../syntax/objects.ts";
import { FormFields } from "./form-fields.ts";
import { layerProperties } from "./layers.ts";
import { ObjectCopier } from "./object-copier.ts";
import { completePage, type Page, readPages } from "./page-tree.ts";
import { drawsWithOwnResources, usedResources } from "./resources.ts";
import { pageTreeNode } from "./whole-document.ts";

/**
 * What of a page does not travel: its place in the old tree, article threads, which lead to other pages, structure
 * parents without a structure tree, and private data of editing programs, which may hold the whole document.
 */
const DROPPED_FROM_PAGE = ["Parent", "B", "StructParents", "PieceInfo", "TemplateInstantiated"];
/** What of the catalog travels as it is. */
const KEPT_IN_CATALOG = [
  "Version",
  "Extensions",
  "Lang",
  "PageLayout",
  "ViewerPreferences",
  "OutputIntents",
  "Metadata",
];

/** Takes pages out of a document into documents of their own. */
export class PageExtractor {
  readonly pages: readonly Page[];
  readonly #document: PdfDocument;
  readonly #form: FormFields;
  /** The annotations that each page lists, as far as they are objects. */
  readonly #annotations: readonly (readonly number[])[];
  readonly #annotationNumbers: ReadonlySet<number>;
  readonly #pageNumbers: ReadonlySet<number>;
  readonly #usesObjectStreams: boolean;

  /** @throws ServiceError `damaged_file` when the document has no pages */
  constructor(document: PdfDocument) {
    this.#document = document;
    this.pages = readPages(document);
    this.#form = new FormFields(document);
    this.#annotations = this.pages.map(({ dict }) =>
      document
        .array(dict.get("Annots"))
        .flatMap((annotation) => (annotation instanceof PdfRef ? [annotation.num] : [])),
    );
    this.#annotationNumbers = new Set(this.#annotations.flat());
    this.#pageNumbers = new Set(this.pages.flatMap(({ ref }) => (ref ? [ref.num] : [])));
    this.#usesObjectStreams = [...document.crossReference.entries()].some(
      ([, entry]) => entry.kind === "packed",
    );
  }

  /**
   * Writes a document of the pages given, in that order, with all that they reach and nothing of the others.
   *
   * @param numbers page numbers, counted from 1
   */
  async extract(numbers: readonly number[], sink: ByteSink): Promise<void> {
    const document = this.#document;
    const pack = this.#usesObjectStreams;
    const version = pack ? laterVersion(document.version, "1.5") : document.version;
    const writer = new FileWriter(document.source, sink, version, { pack });
    const chosen = numbers.flatMap((number) => {
      const page = this.pages[number - 1];
      return page ? [{ page, index: number - 1 }] : [];
    });
    const annotations = new Set(chosen.flatMap(({ index }) => this.#annotations[index] ?? []));
    const fields = this.#form.withAncestors(annotations);
    const copier = new ObjectCopier(document, writer, {
      // Other pages, annotations and fields must not come along through a reference.
      travels: (num) =>
        !this.#pageNumbers.has(num) &&
        (annotations.has(num) || !this.#annotationNumbers.has(num)) &&
        (fields.has(num) || !this.#form.has(num)),
      prepare: (object, num) => this.#prepare(object, num, fields),
    });

    const catalogNumber = writer.allocate();
    const treeNumber = writer.allocate();
    const kids = copier.assignPages(chosen.map(({ page }) => page));
    for (const [index, { page }] of chosen.entries()) {
      const num = kids[index]?.num;
      if (num !== undefined) writer.object(num, 0, this.#pageObject(page, copier, treeNumber));
    }
    await copier.copyReached();

    writer.object(treeNumber, 0, pageTreeNode(kids));
    const catalog = this.#catalog(copier, fields);
    catalog.set("Pages", new PdfRef(treeNumber, 0));
    writer.object(catalogNumber, 0, catalog);
    const trailer = new PdfDict(new Map([["Root", new PdfRef(catalogNumber, 0)]]));
    const info = document.trailer.get("Info");
    if (info !== undefined && document.dict(info)) trailer.set("Info", copier.map(info));
    await copier.copyReached();
    await writer.end(trailer);
  }

  #pageObject(page: Page, copier: ObjectCopier, treeNumber: number): PdfDict {
    const document = this.#document;
    const own = completePage(document, page);
    for (const key of DROPPED_FROM_PAGE) own.delete(key);
    const resources = document.dict(own.get("Resources"));
    if (resources) own.set("Resources", usedResources(document, resources, [own.get("Contents") ?? null]));
    const mapped = copier.map(own);
    if (!(mapped instanceof PdfDict)) return own;
    mapped.set("Parent", new PdfRef(treeNumber, 0));
    return mapped;
  }

  /** What is done to objects on their way: other pages stay behind, fields and resources are pruned. */
  #prepare(object: PdfObject, num: number, fields: ReadonlySet<number>): PdfObject | undefined {
    if (object instanceof PdfStream && drawsWithOwnResources(object)) {
      const resources = this.#document.dict(object.dict.get("Resources"));
      if (!resources) return object;
      const dict = object.dict.clone();
      dict.set("Resources", usedResources(this.#document, resources, [object]));
      return new PdfStream(dict, object.data);
    }
    if (!(object instanceof PdfDict)) return object;
    if (object.is("Type", "Page") || object.is("Type", "Pages") || object.is("Type", "Catalog"))
      return undefined;
    return fields.has(num) ? this.#form.fieldOf(object, fields) : object;
  }

  #catalog(copier: ObjectCopier, fields: ReadonlySet<number>): PdfDict {
    const document = this.#document;
    const old = document.dict(document.trailer.get("Root")) ?? new PdfDict();
    const catalog = new PdfDict(new Map([["Type", PdfName.of("Catalog")]]));
    const set = (key: string, value: PdfObject | undefined) => {
      const mapped = value === undefined ? null : copier.map(value);
      if (mapped !== null) catalog.set(key, mapped);
    };
    for (const key of KEPT_IN_CATALOG) set(key, old.get(key));
    set("AcroForm", this.#form.formOf(fields));
    // Last, for only now is it known which layers travel.
    set(
      "OCProperties",
      layerProperties(document, (layer) => copier.numberOf(layer) !== undefined),
    );
    return catalog;
  }
}
