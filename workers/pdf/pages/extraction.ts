import { ServiceError } from "../../../src/shared/errors.ts";
import type { ByteSink } from "../../io/sink.ts";
import { FileWriter, laterVersion } from "../file/file-writer.ts";
import { PdfDict, PdfName, type PdfObject, PdfRef, PdfStream } from "../syntax/objects.ts";
import type { NamedDestination } from "./destinations.ts";
import { ExtractionRules } from "./extraction-rules.ts";
import type { ExtractionSource } from "./extraction-source.ts";
import { namelessLayer } from "./layers.ts";
import { ObjectCopier } from "./object-copier.ts";
import { writeOutline } from "./outlines.ts";
import { aboutPage, completePage, type Page } from "./page-tree.ts";
import { hasResources } from "./resources/drawing.ts";
import { nameTree } from "./sorted-trees.ts";
import { writeStructure } from "./structure.ts";
import { pageTreeNode } from "./whole-document.ts";

/** The page entries that are not copied: the place in the page tree, and what leads to other pages. */
const DROPPED_FROM_PAGE = ["Parent", "B", "DPart", "TemplateInstantiated"];
/** The entries of the catalog that are copied unchanged. */
const KEPT_IN_CATALOG = ["Version", "Extensions", "Lang", "URI", "PageLayout", "OutputIntents"];

/** Writes one document of some pages of another. */
export class Extraction {
  readonly #source: ExtractionSource;
  readonly #indices: readonly number[];
  readonly #rules: ExtractionRules;
  readonly #writer: FileWriter;
  readonly #copier: ObjectCopier;

  /** @param numbers page numbers, counted from 1 */
  constructor(source: ExtractionSource, numbers: readonly number[], sink: ByteSink) {
    const { document, usesObjectStreams } = source;
    this.#source = source;
    this.#indices = numbers.map((number) => number - 1);
    this.#rules = new ExtractionRules(source, this.#indices);
    const version = usesObjectStreams ? laterVersion(document.version, "1.5") : document.version;
    const repeated = this.#countRepeatedPages();
    const isRepeated = repeated === this.#indices.length;
    document.budget.replenish();
    document.budget.charge("repeatedPage", repeated);
    if (isRepeated) document.budget.charge("repeatedOutput");
    this.#writer = new FileWriter(document.source, sink, version, {
      pack: usesObjectStreams,
      account: (bytes) => document.budget.charge(isRepeated ? "repeatedByte" : "writtenByte", bytes),
    });
    this.#copier = new ObjectCopier(document, this.#writer, this.#rules);
  }

  async write(): Promise<void> {
    const { pages } = this.#source;
    const writer = this.#writer;
    const copier = this.#copier;
    const root = new PdfRef(writer.allocate(), 0);
    const tree = new PdfRef(writer.allocate(), 0);
    const chosen = this.#indices.flatMap((index) => pages[index] ?? []);
    const kids = copier.assignPages(chosen);
    for (const [index, page] of chosen.entries()) {
      const num = kids[index]?.num;
      if (num === undefined) continue;
      try {
        writer.object(num, 0, this.#pageObject(page, tree));
      } catch (error) {
        throw error instanceof ServiceError ? aboutPage((this.#indices[index] ?? 0) + 1, error) : error;
      }
    }
    await copier.copyReached();
    this.#rules.contentsTravel = false;
    writer.object(tree.num, 0, pageTreeNode(kids));
    const catalog = this.#catalog(tree);
    await this.#writeFonts();
    this.#setStructure(catalog);
    await this.#writeLayers(catalog);
    writer.object(root.num, 0, catalog);
    const trailer = PdfDict.from([["Root", root]]);
    const info = this.#source.metadata.information;
    if (info.size > 0) trailer.set("Info", copier.add(info));
    await copier.copyReached();
    await writer.end(trailer);
  }

  /** Returns how many of the chosen pages are repetitions of a page that the document lists earlier. */
  #countRepeatedPages(): number {
    const { pages, pageIndices } = this.#source;
    return this.#indices.filter((index) => {
      const ref = pages[index]?.ref;
      return ref && pageIndices.get(ref.num) !== index;
    }).length;
  }

  #pageObject(page: Page, tree: PdfRef): PdfObject {
    const { document, contents } = this.#source;
    const own = completePage(document, page);
    for (const key of DROPPED_FROM_PAGE) own.delete(key);
    const appearances = this.#source.appearances.drawnOn(own);
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

  #catalog(tree: PdfRef): PdfDict {
    const { document, form } = this.#source;
    const copier = this.#copier;
    const old = document.catalog ?? new PdfDict();
    const catalog = PdfDict.from([
      ["Type", PdfName.of("Catalog")],
      ["Pages", tree],
    ]);
    const set = (key: string, value: PdfObject | undefined) => {
      const mapped = value === undefined ? null : copier.map(value);
      if (mapped !== null) catalog.set(key, mapped);
    };
    for (const key of KEPT_IN_CATALOG) set(key, old.get(key));
    const preferences = document.dict(old.get("ViewerPreferences"))?.clone();
    // It holds page numbers of the input.
    preferences?.delete("PrintPageRange");
    set("ViewerPreferences", preferences);
    const metadata = this.#source.metadata.ofDocument;
    if (metadata) catalog.set("Metadata", copier.add(metadata));
    const ownForm = form.formOf(this.#rules.fields, this.#rules.annotations);
    this.#rules.addFormText(ownForm?.get("DR"));
    set("AcroForm", ownForm);
    set("PageLabels", this.#source.labels.labelsOf(this.#indices));
    this.#setNavigation(catalog, old);
    return catalog;
  }

  #setNavigation(catalog: PdfDict, old: PdfDict): void {
    const { document, destinations } = this.#source;
    const copier = this.#copier;
    const { strings, names } = destinations.namesOf(this.#rules.keptIndices);
    const mapped = (entries: NamedDestination[]) =>
      entries.map(
        ([name, destination]): NamedDestination => [name, copier.map(this.#rules.withPageNamed(destination))],
      );
    if (names.length > 0) catalog.set("Dests", PdfDict.from(mapped(names)));
    if (strings.length > 0) catalog.set("Names", PdfDict.from([["Dests", nameTree(mapped(strings))]]));

    const outline = this.#source.outline.keptFor(this.#rules.keptIndices);
    if (outline.length > 0) {
      const write = (num: number, object: PdfObject) => this.#writer.object(num, 0, object);
      const root = writeOutline(
        outline,
        () => this.#writer.allocate(),
        write,
        (object) => {
          // All outputs may get the same entries, and each entry becomes an object.
          document.budget.charge("keptEntry", 4);
          return copier.map(object);
        },
      );
      catalog.set("Outlines", root);
    }
    const mode = document.resolve(old.get("PageMode"));
    const shows = mode instanceof PdfName ? mode.value : "";
    // The panel of attachments would be empty. The panel of the outline may be.
    if (shows !== "" && shows !== "UseAttachments" && (shows !== "UseOutlines" || outline.length > 0)) {
      catalog.set("PageMode", PdfName.of(shows));
    }
  }

  #setStructure(catalog: PdfDict): void {
    const { document, structure, pages, pageIndices } = this.#source;
    const part = {
      keys: this.#rules.structureKeys,
      pages: this.#indices.flatMap((index) => pages[index]?.ref?.num ?? []),
      annotations: this.#rules.annotations,
    };
    const root = writeStructure(document, structure, part, {
      copier: this.#copier,
      allocate: () => this.#writer.allocate(),
      write: (num, object) => this.#writer.object(num, 0, object),
      pages: this.#rules.keptIndices,
      keepsPage: (num) => this.#rules.keptIndices.has(pageIndices.get(num) ?? -1),
    });
    if (!root) return;
    catalog.set("StructTreeRoot", root);
    const marks = document.dict(document.catalog?.get("MarkInfo"));
    if (marks) catalog.set("MarkInfo", this.#copier.map(marks));
  }

  /**
   * Writes the Type 3 fonts with the glyphs in use. A glyph may show text in any Type 3 font, even in its
   * own. The loop ends when no more glyphs come into use.
   */
  async #writeFonts(): Promise<void> {
    const { document, contents } = this.#source;
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
    this.#rules.fontsTravel = false;
  }

  /**
   * Writes the copied layers and their states. Call it last, when all copied layers are known. A layer loses
   * its name when copied objects refer to it only through membership dictionaries.
   */
  async #writeLayers(catalog: PdfDict): Promise<void> {
    const { document, layers } = this.#source;
    const copier = this.#copier;
    await copier.copyReached();
    for (const num of this.#rules.layers) {
      const layer = document.dict(document.referenceTo(num)) ?? new PdfDict();
      const own = this.#rules.use.namesLayer(num) ? layer : namelessLayer(document, layer);
      this.#writer.object(copier.numberOf(num) ?? 0, 0, copier.map(own));
      await copier.copyReached();
    }
    const properties = layers.propertiesOf(this.#rules.layers, (num) => this.#rules.use.namesLayer(num));
    if (properties) catalog.set("OCProperties", copier.map(properties));
  }
}
