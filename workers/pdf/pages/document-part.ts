import { ServiceError } from "../../../src/shared/errors.ts";
import type { FileWriter } from "../file/file-writer.ts";
import { PdfDict, type PdfObject, type PdfRef, PdfStream } from "../syntax/objects.ts";
import type { NamedDestination, NamedDestinations } from "./destinations.ts";
import { ExtractionRules } from "./extraction-rules.ts";
import type { ExtractionSource } from "./extraction-source.ts";
import type { Branch } from "./keyed-tree.ts";
import { namelessLayer } from "./layers.ts";
import { ObjectCopier } from "./object-copier.ts";
import type { OutlineItem } from "./outlines.ts";
import { aboutPage, completePage, type Page } from "./page-tree.ts";
import { hasResources } from "./resources/drawing.ts";
import { writeStructure } from "./structure.ts";

/** The page entries that are not copied: the place in the page tree, and what leads to other pages. */
const DROPPED_FROM_PAGE = ["Parent", "B", "DPart", "TemplateInstantiated"];
/** The entries of the catalog that are copied unchanged. */
const KEPT_IN_CATALOG = ["Version", "Extensions", "Lang", "URI", "PageLayout", "OutputIntents"];

/**
 * Some pages of one document, and what an output gets with them. The methods write objects to the output, and return what
 * its catalog needs, with references of the output. `extraction.ts` calls them phase by phase.
 */
export class DocumentPart {
  readonly source: ExtractionSource;
  readonly #indices: readonly number[];
  readonly #rules: ExtractionRules;
  readonly #writer: FileWriter;
  readonly #copier: ObjectCopier;

  /** @param indices the indices of the pages in the document, in the order of the output */
  constructor(source: ExtractionSource, indices: readonly number[], writer: FileWriter) {
    this.source = source;
    this.#indices = indices;
    this.#writer = writer;
    this.#rules = new ExtractionRules(source, indices);
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
    this.#rules.phase = "catalog";
    return kids;
  }

  #pageObject(page: Page, tree: PdfRef): PdfObject {
    const { document, contents } = this.source;
    const own = completePage(document, page);
    for (const key of DROPPED_FROM_PAGE) own.delete(key);
    const appearances = this.source.appearances.drawnOn(own);
    // Appearances without resources. Readers look their names up in the resources of the page.
    const borrowing = appearances.filter((drawn) => !hasResources(document, document.dict(drawn) ?? own));
    const resources = document.dict(own.get("Resources"));
    const drawn = [own.get("Contents") ?? null, ...borrowing];
    if (resources) own.set("Resources", contents.usedResources(resources, drawn, this.#rules.use));
    else own.delete("Resources");
    // The appearances are read now, so that an error can name the page.
    document.budget.charge("object", appearances.length);
    for (const object of appearances) {
      const appearance = document.resolve(object);
      if (appearance instanceof PdfStream) contents.withUsedResources(appearance, this.#rules.use);
    }
    const mapped = this.#copier.map(own);
    if (mapped instanceof PdfDict) mapped.set("Parent", tree);
    return mapped;
  }

  /** Returns the entries of the catalog that are copied as they are, and the reduced metadata. */
  copiedEntries(): PdfDict {
    const { document, metadata } = this.source;
    const old = document.catalog ?? new PdfDict();
    const copied = new PdfDict();
    const set = (key: string, value: PdfObject | undefined) => {
      const mapped = value === undefined ? null : this.map(value);
      if (mapped !== null) copied.set(key, mapped);
    };
    for (const key of KEPT_IN_CATALOG) set(key, old.get(key));
    const preferences = document.dict(old.get("ViewerPreferences"))?.clone();
    // It holds page numbers of the input.
    preferences?.delete("PrintPageRange");
    set("ViewerPreferences", preferences);
    const kept = metadata.ofDocument;
    if (kept) copied.set("Metadata", this.#copier.add(kept));
    return copied;
  }

  /** Returns the form with the fields that have a widget on a page; undefined when there are none. */
  form(): PdfObject | undefined {
    const form = this.source.form.formOf(this.#rules.fields, this.#rules.annotations);
    this.#rules.addFormText(form?.get("DR"));
    return form && this.map(form);
  }

  /** Returns the page labels; undefined when the document has none. */
  labels(): PdfObject | undefined {
    const labels = this.source.labels.labelsOf(this.#indices);
    return labels && this.map(labels);
  }

  /** Returns the named destinations on the pages. */
  destinations(): NamedDestinations {
    const { strings, names } = this.source.destinations.namesOf(this.#rules.keptIndices);
    const mapped = ([name, destination]: NamedDestination): NamedDestination => [
      name,
      this.map(this.#rules.withPageNamed(destination)),
    ];
    return { names: names.map(mapped), strings: strings.map(mapped) };
  }

  /** Returns the outline items that lead to the pages. Their references are those of the input: see {@link map}. */
  outline(): readonly Branch<OutlineItem>[] {
    return this.source.outline.keptFor(this.#rules.keptIndices);
  }

  /** Returns an object of the document with references to the output. What it reaches is copied. */
  map(object: PdfObject): PdfObject {
    return this.#copier.map(object);
  }

  /** Adds an object to the output. */
  add(object: PdfObject): PdfRef {
    return this.#copier.add(object);
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
      return copier.map(contents.type3For(font, this.#rules.use.codesOf(num), this.#rules.use));
    };
    await copier.copyReached();
    const known = new Map<number, number>();
    for (let grew = true; grew; ) {
      grew = false;
      for (const num of this.#rules.fonts) {
        document.budget.charge("object");
        const { size } = this.#rules.use.codesOf(num);
        if (known.get(num) === size) continue;
        known.set(num, size);
        reduced(num);
        grew = true;
      }
      await copier.copyReached();
    }
    for (const num of this.#rules.fonts) this.#writer.object(copier.numberOf(num) ?? 0, 0, reduced(num));
    this.#rules.phase = "structure";
  }

  /** Writes the structure tree. Returns its root; undefined when no element has content on the pages. */
  writeStructure(): PdfRef | undefined {
    const { document, structure, pages, pageIndices } = this.source;
    const { structureKeys: keys, annotations, keptIndices } = this.#rules;
    const part = {
      keys,
      pages: this.#indices.flatMap((index) => pages[index]?.ref?.num ?? []),
      annotations,
    };
    return writeStructure(document, structure, part, {
      copier: this.#copier,
      writer: this.#writer,
      pages: keptIndices,
      keepsPage: (num) => keptIndices.has(pageIndices.get(num) ?? -1),
    });
  }

  /**
   * Writes the copied layers. Call it when all copied layers are known. A layer loses its name when copied objects refer
   * to it only through membership dictionaries.
   *
   * @returns the catalog's `OCProperties`; undefined when no layer is copied
   */
  async writeLayers(): Promise<PdfObject | undefined> {
    const { document, layers } = this.source;
    const { use } = this.#rules;
    await this.copyReached();
    for (const num of this.#rules.layers) {
      const layer = document.dict(document.referenceTo(num)) ?? new PdfDict();
      const own = use.namesLayer(num) ? layer : namelessLayer(document, layer);
      this.#writer.object(this.#copier.numberOf(num) ?? 0, 0, this.map(own));
      await this.copyReached();
    }
    const properties = layers.propertiesOf(this.#rules.layers, (num) => use.namesLayer(num));
    return properties && this.map(properties);
  }
}
