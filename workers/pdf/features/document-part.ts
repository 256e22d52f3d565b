import { ServiceError } from "../../../src/shared/errors.ts";
import { hasResources } from "../content/resource-scope.ts";
import { ObjectCopier } from "../copy/copier.ts";
import type { Kind } from "../copy/kinds.ts";
import { OutputNames } from "../copy/output-names.ts";
import { Renaming } from "../copy/renaming.ts";
import { PartRules } from "../copy/rules/part-rules.ts";
import type { FileWriter } from "../file/file-writer.ts";
import { appearancesOn } from "../pages/appearances.ts";
import { aboutPage, completePage, type Page } from "../pages/page-tree.ts";
import { PdfDict, type PdfObject, type PdfRef, PdfStream, type PdfString } from "../syntax/objects.ts";
import type { NamedDestination, NamedDestinations } from "./destinations.ts";
import type { ExtractionSource } from "./extraction-source.ts";
import type { LabelEntry } from "./labels.ts";
import { namelessLayer } from "./layers/layers.ts";
import type { LazyReference } from "./lazy-reference.ts";
import { type OutlineLevel, writeOutlineItems } from "./outline/outline.ts";
import { ObjectsOfPages } from "./part-objects.ts";
import { writeStructure } from "./tags/structure.ts";
import type { StructureEntries } from "./tags/structure-entries.ts";

/**
 * Some pages of one document, and what an output gets with them. The methods write objects to the output, and return what
 * its catalog needs, with references of the output. `extraction.ts` calls them phase by phase.
 */
export class DocumentPart {
  readonly source: ExtractionSource;
  readonly #indices: readonly number[];
  readonly #rules: PartRules;
  readonly #objects: ObjectsOfPages;
  readonly #writer: FileWriter;
  readonly #copier: ObjectCopier;
  readonly #names: OutputNames;

  /**
   * @param indices the indices of the pages in the document, in the order of the output
   * @param names the names in the output
   */
  constructor(
    source: ExtractionSource,
    indices: readonly number[],
    writer: FileWriter,
    names = new OutputNames(),
  ) {
    this.source = source;
    this.#indices = indices;
    this.#writer = writer;
    this.#names = names;
    const { document, contents, deflater } = source;
    const renaming = new Renaming(document, source.form.dict, names);
    this.#objects = new ObjectsOfPages(source, indices, renaming, names.isMerge);
    this.#rules = new PartRules({ document, contents, objects: this.#objects, renaming }, deflater);
    this.#copier = new ObjectCopier(source.document, writer, this.#rules);
  }

  /**
   * Writes the pages and what they reach. Type 3 fonts and layers are written later, when all content that may use them
   * has been read.
   *
   * @param tree the page tree of the output
   * @returns the pages
   * @throws {ServiceError} with `details.page` when the content of a page cannot be copied
   */
  async writePages(tree: PdfRef): Promise<PdfRef[]> {
    const { pages } = this.source;
    const chosen = this.#indices.flatMap((index) => pages[index] ?? []);
    const kids = this.#copier.assignPages(chosen);
    for (const [index, page] of chosen.entries()) {
      const num = kids[index]?.num;
      if (num === undefined) continue;
      try {
        this.#writer.object(num, 0, this.#pageObject(page, tree));
      } catch (error) {
        throw error instanceof ServiceError ? aboutPage((this.#indices[index] ?? 0) + 1, error) : error;
      }
    }
    await this.#copier.copyReached();
    return kids;
  }

  #pageObject(page: Page, tree: PdfRef): PdfObject {
    const { document, contents } = this.source;
    const own = completePage(document, page);
    const appearances = appearancesOn(document, own);
    // Appearances without resources. Readers look their names up in the resources of the page.
    const borrowing = appearances.filter((drawn) => !hasResources(document.dict(drawn) ?? own));
    const resources = document.dict(own.get("Resources"));
    const drawn = [own.get("Contents") ?? null, ...borrowing];
    if (resources) own.set("Resources", contents.usedResources(resources, drawn, this.#rules.part.use));
    else own.delete("Resources");
    // The appearances are read now, so that an error can name the page.
    document.budget.charge("object", appearances.length);
    for (const object of appearances) {
      const appearance = document.resolve(object);
      if (appearance instanceof PdfStream) contents.withUsedResources(appearance, this.#rules.part.use);
    }
    const mapped = this.#copier.map(own, "page");
    if (mapped instanceof PdfDict) mapped.set("Parent", tree);
    return mapped;
  }

  /** Returns entries of the catalog as they are. */
  copied(keys: readonly string[]): PdfDict {
    const { document } = this.source;
    const copied = new PdfDict();
    for (const key of keys) {
      let value = document.catalog?.get(key);
      if (key === "ViewerPreferences") {
        value = document.dict(value)?.clone();
        // It holds page numbers of the input.
        if (value instanceof PdfDict) value.delete("PrintPageRange");
      }
      const mapped = value === undefined ? null : this.map(value);
      if (mapped !== null) copied.set(key, mapped);
    }
    return copied;
  }

  /** Returns the reduced metadata of the document; undefined when there is none. */
  metadata(): PdfRef | undefined {
    const kept = this.source.metadata.ofDocument;
    return kept && this.#copier.add(kept, "metadata");
  }

  /** The structure parent keys of copied objects, as in the document. */
  get structureKeys(): ReadonlySet<number> {
    return this.#rules.part.structureKeys;
  }

  /** Returns the form with the fields that have a widget on a page; undefined when there are none. */
  form(): PdfDict | undefined {
    const { document } = this.source;
    const form = this.source.form.formOf(this.#objects.fields, this.#objects.annotations);
    this.#rules.addFormText(form?.get("DR"));
    // The default resources of several documents become one dictionary.
    const resources = document.dict(form?.get("DR"))?.clone();
    const fonts = document.dict(resources?.get("Font"));
    if (fonts) resources?.set("Font", this.#rules.part.renaming.fonts(fonts));
    if (resources) form?.set("DR", resources);
    const mapped = form && this.map(form, "form");
    return mapped instanceof PdfDict ? mapped : undefined;
  }

  /** Returns the labels of the pages; none when the document has none. */
  labels(): readonly LabelEntry[] {
    return this.source.labels.labelsOf(this.#indices);
  }

  /** Returns the named destinations on the pages. */
  destinations(): NamedDestinations {
    const { strings, names } = this.source.destinations.namesOf(this.#objects.pages);
    const mapped = ([name, destination]: NamedDestination): NamedDestination => [
      this.#names.of("destination", name),
      this.map(this.#objects.withPageNamed(destination), "destination"),
    ];
    return { strings: strings.map(mapped), names: names.map(mapped) };
  }

  /**
   * Writes the outline items that lead to the pages.
   *
   * @param parent the item above them, or the outline dictionary
   * @returns undefined when there are none
   */
  writeOutline(parent: Pick<LazyReference, "ref">): OutlineLevel | undefined {
    const items = this.source.outline.keptFor(this.#objects.pages);
    if (items.length === 0) return undefined;
    return writeOutlineItems(items, parent.ref, this.#writer, (object) => {
      // All outputs may get the same entries, and each entry becomes an object.
      this.source.document.budget.charge("keptEntry", 4);
      return this.map(object, "outline item");
    });
  }

  /** Returns an object of the document with references to the output. What it reaches is copied. */
  map(object: PdfObject, kind: Kind = "other"): PdfObject {
    return this.#copier.map(object, kind);
  }

  /** Adds an object to the output. */
  add(object: PdfObject): PdfRef {
    return this.#copier.add(object, "other");
  }

  /** Writes all objects that were referred to, and all that they reach. */
  copyReached(): Promise<void> {
    return this.#copier.copyReached();
  }

  /**
   * Writes the Type 3 fonts with the glyphs in use. A glyph may show text in any Type 3 font, even in its
   * own. The loop ends when no more glyphs come into use.
   */
  async writeFonts(): Promise<void> {
    const { document, contents } = this.source;
    const copier = this.#copier;
    const reduced = (num: number) => {
      const font = document.dict(document.referenceTo(num)) ?? new PdfDict();
      return copier.map(
        contents.type3For(font, this.#rules.part.use.codesOf(num), this.#rules.part.use),
        "font",
      );
    };
    await copier.copyReached();
    const known = new Map<number, number>();
    for (let grew = true; grew; ) {
      grew = false;
      for (const num of this.#rules.fonts) {
        document.budget.charge("object");
        const { size } = this.#rules.part.use.codesOf(num);
        if (known.get(num) === size) continue;
        known.set(num, size);
        reduced(num);
        grew = true;
      }
      await copier.copyReached();
    }
    for (const num of this.#rules.fonts) this.#writer.object(copier.numberOf(num) ?? 0, 0, reduced(num));
  }

  /**
   * Writes the elements of the structure tree.
   *
   * @param root the root of the output's tree
   * @param language the language of elements that name none
   * @returns what the root needs; undefined when no element has content on the pages
   */
  writeStructure(root: LazyReference, language?: PdfString): StructureEntries | undefined {
    const { document, structure, pageIndices } = this.source;
    const { pages, annotations } = this.#objects;
    const part = { keys: this.structureKeys, pages, annotations };
    return writeStructure(document, structure, part, {
      copier: this.#copier,
      writer: this.#writer,
      names: this.#names,
      root,
      language,
      pages,
      keepsPage: (num) => pages.has(pageIndices.get(num) ?? -1),
    });
  }

  /** Returns the catalog's `MarkInfo` (ISO 32000-2, 14.7.1). */
  marks(): PdfObject | undefined {
    const { document } = this.source;
    const marks = document.dict(document.catalog?.get("MarkInfo"));
    return marks && this.map(marks);
  }

  /**
   * Writes the copied layers. Call it when all copied layers are known. A layer loses its name when copied objects refer
   * to it only through membership dictionaries.
   *
   * @returns the catalog's `OCProperties`; undefined when no layer is copied
   */
  async writeLayers(): Promise<PdfDict | undefined> {
    const { document, layers } = this.source;
    const { use } = this.#rules.part;
    await this.copyReached();
    for (const num of this.#rules.layers) {
      const layer = document.dict(document.referenceTo(num)) ?? new PdfDict();
      const own = use.namesLayer(num) ? layer : namelessLayer(document, layer);
      this.#writer.object(this.#copier.numberOf(num) ?? 0, 0, this.map(own, "layer"));
      await this.copyReached();
    }
    const properties = layers.propertiesOf(this.#rules.layers, (num) => use.namesLayer(num));
    const mapped = properties && this.map(properties, "description");
    return mapped instanceof PdfDict ? mapped : undefined;
  }
}
