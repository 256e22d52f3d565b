import { ServiceError } from "../../../src/shared/errors.ts";
import type { ByteSink } from "../../io/sink.ts";
import { FileWriter, laterVersion } from "../file/file-writer.ts";
import { isSignature } from "../security/handler.ts";
import { PdfDict, PdfName, type PdfObject, PdfRef, PdfStream } from "../syntax/objects.ts";
import { annotationsOn, lastNumber } from "./annotations.ts";
import type { CodeSet } from "./content-use.ts";
import type { NamedDestination } from "./destinations.ts";
import { hasResources } from "./drawing.ts";
import type { ExtractionSource } from "./extraction-source.ts";
import { textOf } from "./form-resources.ts";
import { namelessLayer } from "./layers.ts";
import { isMetadata } from "./metadata.ts";
import { LATER, ObjectCopier } from "./object-copier.ts";
import { writeOutline } from "./outlines.ts";
import { aboutPage, completePage, type Page } from "./page-tree.ts";
import { PartUse } from "./part-use.ts";
import { nameTree } from "./sorted-trees.ts";
import { structureKeyOf, writeStructure } from "./structure.ts";
import { pageTreeNode } from "./whole-document.ts";

/**
 * What of a page does not travel: its place in the old tree, and article threads and document parts, which lead to
 * other pages and to what is said of them.
 */
const DROPPED_FROM_PAGE = ["Parent", "B", "DPart", "TemplateInstantiated"];
/** Objects that lead to other pages, by their types; the new file has its own of what of them it has. */
const DROPPED_TYPES = ["Page", "Pages", "Catalog", "StructElem", "DPart", "DPartRoot", "Thread", "Bead"];
/** Actions that lead to article threads and document parts. */
const DROPPED_ACTIONS = ["Thread", "GoToDp"];
/**
 * The work of one page that the document lists again. A list of a million such pages takes a few bytes for
 * each.
 */
const REPEATED_PAGE = 512;
/** The work of one output that has only such pages. */
const REPEATED_FILE = 65_536;
/**
 * The work of one written byte. Objects that many outputs share are read once and written for each output,
 * which takes less time than reading. Outputs with repeated pages only are of no use, so they cost more.
 */
const WRITTEN_BYTE = { usual: 1 / 4, repeated: 2 };
/** The work of visiting one font, and of visiting one appearance. */
const FONT_WORK = 64;
const APPEARANCE_WORK = 64;
/** The entries of the catalog that are copied unchanged. */
const KEPT_IN_CATALOG = ["Version", "Extensions", "Lang", "URI", "PageLayout", "OutputIntents"];

/** One document that is made of pages of another. */
export class Extraction {
  readonly #source: ExtractionSource;
  readonly #indices: readonly number[];
  /** The first position of each page index, computed on first use. */
  #positions: ReadonlyMap<number, number> | undefined;
  /** With the first index of each page that the document lists again: that is where targets are. */
  readonly #keptIndices: ReadonlySet<number>;
  readonly #annotations: ReadonlySet<number>;
  /** The same with what is there behind references to references, once it is asked for. */
  #behindReferences: ReadonlySet<number> | undefined;
  /** The form fields that have a widget on a kept page, and those above them. */
  readonly #fields: ReadonlySet<number>;
  #formText: CodeSet | undefined;
  readonly #structureKeys = new Set<number>();
  /** Not once the pages have theirs: tags name fonts, too, and a font tells which letters a page has. */
  #fontsTravel = true;
  /** Not once the pages have theirs: what else leads to another's does so in a damaged or hostile file. */
  #contentsTravel = true;
  /** The glyphs and layers that copied content uses. */
  readonly #use = new PartUse();
  /** Type 3 fonts and layers to copy. They are written after all content that may use them has been read. */
  readonly #fonts = new Set<number>();
  readonly #layers = new Set<number>();
  /** The work of the pages, in addition to the work of reading and writing them. */
  readonly #costOfPages: number;
  readonly #writer: FileWriter;
  readonly #copier: ObjectCopier;

  /** @param numbers page numbers, counted from 1 */
  constructor(source: ExtractionSource, numbers: readonly number[], sink: ByteSink) {
    const { document, pages, pageIndices, usesObjectStreams } = source;
    this.#source = source;
    this.#indices = numbers.map((number) => number - 1);
    const chosen = this.#indices.flatMap((index) => pages[index] ?? []);
    const firstIndices = chosen.flatMap(({ ref }) => (ref ? (pageIndices.get(ref.num) ?? []) : []));
    this.#keptIndices = new Set([...firstIndices, ...this.#indices]);
    this.#annotations = annotationsOn(document, chosen);
    this.#fields = source.form.withAncestors(this.#annotations);
    const version = usesObjectStreams ? laterVersion(document.version, "1.5") : document.version;
    const repeated = this.#countRepeatedPages();
    const isRepeated = repeated === this.#indices.length;
    this.#costOfPages = REPEATED_PAGE * repeated + (isRepeated ? REPEATED_FILE : 0);
    const byteCost = isRepeated ? WRITTEN_BYTE.repeated : WRITTEN_BYTE.usual;
    this.#writer = new FileWriter(document.source, sink, version, {
      pack: usesObjectStreams,
      account: (bytes) => document.budget.spend(byteCost * bytes),
    });
    this.#copier = new ObjectCopier(document, this.#writer, {
      keepsNumbers: false,
      travels: (num) => this.#travels(num),
      prepare: (object, num) => this.#prepare(object, num),
      prepareDict: (dict) => this.#prepareDict(dict),
      deflater: source.deflater,
    });
  }

  async write(): Promise<void> {
    const { document, pages } = this.#source;
    document.budget.replenish();
    document.budget.spend(this.#costOfPages);
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
    this.#contentsTravel = false;
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

  /** Other pages, their annotations, other fields and the old structure must not come along through a reference. */
  #travels(num: number): boolean {
    const { pageIndices, annotations, form, structure } = this.#source;
    return (
      !pageIndices.has(num) &&
      (this.#annotations.has(num) || !annotations.has(num)) &&
      (this.#fields.has(num) || !form.has(num)) &&
      !structure.isRoot(num) &&
      !structure.isElement(num)
    );
  }

  /** Returns whether a kept page lists the annotation `num`, directly or by a reference to a reference. */
  #isKeptAnnotation(num: number): boolean {
    if (this.#annotations.has(num)) return true;
    const { document } = this.#source;
    this.#behindReferences ??= new Set([...this.#annotations].map((own) => lastNumber(document, own)));
    return this.#behindReferences.has(num);
  }

  #leadsToKeptAnnotation(object: PdfObject | undefined): boolean {
    return (
      object instanceof PdfRef && this.#isKeptAnnotation(this.#source.document.lastReference(object).num)
    );
  }

  /** Returns whether a dictionary is the popup of a kept annotation. Some pages do not list popups. */
  #isKeptPopup(dict: PdfDict | undefined): boolean {
    if (!dict?.is("Subtype", "Popup")) return false;
    return !dict.has("Parent") || this.#leadsToKeptAnnotation(dict.get("Parent"));
  }

  #prepare(object: PdfObject, num: number): PdfObject | typeof LATER | undefined {
    const { contents, form, layers, metadata, pageContents } = this.#source;
    if (object instanceof PdfStream) {
      if (!this.#contentsTravel && pageContents.has(num)) return undefined;
      return isMetadata(object) ? metadata.kept(object) : contents.withUsedResources(object, this.#use);
    }
    if (!(object instanceof PdfDict)) return object;
    if (object.is("Type", "Font") && !this.#fontsTravel) return undefined;
    if (object.is("Subtype", "Type3")) return this.#later(this.#fonts, num, this.#fontsTravel);
    if (layers.isLayer(object, num)) return this.#later(this.#layers, num, true);
    const type = object.get("Type");
    if (type instanceof PdfName && DROPPED_TYPES.includes(type.value)) return undefined;
    if (this.#fields.has(num)) {
      const field = form.fieldOf(object, num, this.#fields);
      this.#addFormText(field.get("DR"));
      return field;
    }
    const isAnnotation = object.has("Rect") && object.has("Subtype");
    return !isAnnotation || this.#isKeptAnnotation(num) || this.#isKeptPopup(object) ? object : undefined;
  }

  /** Records the text of fields and annotations. A reader may set it anew in the fonts of the form. */
  #addFormText(resources: PdfObject | undefined): void {
    const { document, contents } = this.#source;
    if (!document.dict(document.dict(resources)?.get("Font"))) return;
    this.#formText ??= textOf(document, new Set([...this.#fields, ...this.#annotations]));
    contents.addText(resources, this.#formText, this.#use);
  }

  #later(waiting: Set<number>, num: number, travels: boolean): typeof LATER | undefined {
    if (!travels) return undefined;
    waiting.add(num);
    return LATER;
  }

  /** Targets that stay behind are taken from what leads there; signatures are void in another file. */
  #prepareDict(dict: PdfDict): PdfDict | undefined {
    const { document, contents } = this.#source;
    const key = structureKeyOf(document, dict);
    if (key !== undefined) this.#structureKeys.add(key);
    const layer = dict.get("OC");
    if (layer instanceof PdfRef) this.#use.addLayer(document.lastReference(layer).num);
    if (dict.is("Type", "OCMD")) this.#addOnlyLayer(dict.get("OCGs"));
    const action = dict.get("S");
    const actionType = action instanceof PdfName ? action.value : "";
    if (DROPPED_ACTIONS.includes(actionType) || isSignature(dict)) return undefined;
    // A Type 3 font that no content has in its resources.
    if (dict.is("Subtype", "Type3") && dict.has("CharProcs") && !contents.isReduced(dict)) return undefined;
    const entry = actionType === "GoTo" ? "D" : "Dest";
    const target = dict.has(entry) ? this.#keptTarget(dict.get(entry)) : undefined;
    if (actionType === "GoTo" && target === undefined) return undefined;
    const dropped = this.#droppedFrom(dict, actionType);
    if (dropped.length === 0 && !dict.has(entry)) return dict;
    const own = dict.clone();
    for (const dropping of dropped) own.delete(dropping);
    if (target !== undefined) own.set(entry, target);
    else if (entry === "Dest") own.delete(entry);
    return own;
  }

  /** Records the layer of a membership dictionary that has one layer: it stands for that layer. */
  #addOnlyLayer(layers: PdfObject | undefined): void {
    const { document } = this.#source;
    const found = document.resolve(layers);
    const only = Array.isArray(found) && found.length === 1 ? found[0] : layers;
    if (only instanceof PdfRef) this.#use.addLayer(document.lastReference(only).num);
  }

  /** Returns the keys of a dictionary that lead to objects that are not copied. */
  #droppedFrom(dict: PdfDict, actionType: string): string[] {
    // Private data of editing programs. It may hold a second copy of the whole document.
    const keys = ["PieceInfo"];
    // A target in the structure tree. It may be on another page.
    if (dict.has("D") || actionType === "GoTo") keys.push("SD");
    if (dict.has("Metadata") && !isMetadata(this.#source.document.resolve(dict.get("Metadata")))) {
      keys.push("Metadata");
    }
    if (dict.has("IRT") && !this.#leadsToKeptAnnotation(dict.get("IRT"))) keys.push("IRT", "RT");
    if (dict.is("Subtype", "Popup") && !this.#leadsToKeptAnnotation(dict.get("Parent"))) keys.push("Parent");
    const popup = dict.get("Popup");
    const isKept = this.#leadsToKeptAnnotation(popup) || this.#isKeptPopup(this.#source.document.dict(popup));
    if (popup !== undefined && !isKept) keys.push("Popup");
    return keys.filter((key) => dict.has(key));
  }

  /** A destination if its page is kept. */
  #keptTarget(destination: PdfObject | undefined): PdfObject | undefined {
    const index = this.#source.destinations.pageOf(destination);
    if (destination === undefined || index === undefined || !this.#keptIndices.has(index)) return undefined;
    return this.#withPageNamed(destination);
  }

  /** A destination that counts pages names the page instead, for pages are renumbered. */
  #withPageNamed(destination: PdfObject): PdfObject {
    const { document, pages } = this.#source;
    const found = document.resolve(destination);
    if (found instanceof PdfDict) {
      const target = found.get("D") ?? null;
      const named = this.#withPageNamed(target);
      if (named === target) return destination;
      const own = found.clone();
      own.set("D", named);
      return own;
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

  #pageObject(page: Page, tree: PdfRef): PdfObject {
    const { document, contents } = this.#source;
    const own = completePage(document, page);
    for (const key of DROPPED_FROM_PAGE) own.delete(key);
    const appearances = this.#source.appearances.drawnOn(own);
    // Appearances without resources. Readers look their names up in the resources of the page.
    const borrowing = appearances.filter((drawn) => !hasResources(document, document.dict(drawn) ?? own));
    const resources = document.dict(own.get("Resources"));
    const drawn = [own.get("Contents") ?? null, ...borrowing];
    if (resources) own.set("Resources", contents.usedResources(resources, drawn, this.#use));
    else own.delete("Resources");
    // The appearances are read now, so that an error can name the page.
    document.budget.spend(APPEARANCE_WORK * appearances.length);
    for (const object of appearances) {
      const appearance = document.resolve(object);
      if (appearance instanceof PdfStream) contents.withUsedResources(appearance, this.#use);
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
    // It counts the old file's pages.
    preferences?.delete("PrintPageRange");
    set("ViewerPreferences", preferences);
    const metadata = this.#source.metadata.ofDocument;
    if (metadata) catalog.set("Metadata", copier.add(metadata));
    const ownForm = form.formOf(this.#fields, this.#annotations);
    this.#addFormText(ownForm?.get("DR"));
    set("AcroForm", ownForm);
    set("PageLabels", this.#source.labels.labelsOf(this.#indices));
    this.#setNavigation(catalog, old);
    return catalog;
  }

  #setNavigation(catalog: PdfDict, old: PdfDict): void {
    const { document, destinations } = this.#source;
    const copier = this.#copier;
    const { strings, names } = destinations.namesOf(this.#keptIndices);
    const mapped = (entries: NamedDestination[]) =>
      entries.map(
        ([name, destination]): NamedDestination => [name, copier.map(this.#withPageNamed(destination))],
      );
    if (names.length > 0) catalog.set("Dests", PdfDict.from(mapped(names)));
    if (strings.length > 0) catalog.set("Names", PdfDict.from([["Dests", nameTree(mapped(strings))]]));

    const outline = this.#source.outline.keptFor(this.#keptIndices);
    if (outline.length > 0) {
      const write = (num: number, object: PdfObject) => this.#writer.object(num, 0, object);
      const root = writeOutline(
        outline,
        () => this.#writer.allocate(),
        write,
        (object) => {
          // Every part may get the same entries, and each entry becomes an object.
          document.budget.keepEntries(4);
          return copier.map(object);
        },
      );
      catalog.set("Outlines", root);
    }
    const mode = document.resolve(old.get("PageMode"));
    const shows = mode instanceof PdfName ? mode.value : "";
    // The panel of attachments would be empty, that of an outline may be.
    if (shows !== "" && shows !== "UseAttachments" && (shows !== "UseOutlines" || outline.length > 0)) {
      catalog.set("PageMode", PdfName.of(shows));
    }
  }

  #setStructure(catalog: PdfDict): void {
    const { document, structure, pages, pageIndices } = this.#source;
    const part = {
      keys: this.#structureKeys,
      pages: this.#indices.flatMap((index) => pages[index]?.ref?.num ?? []),
      annotations: this.#annotations,
    };
    const root = writeStructure(document, structure, part, {
      copier: this.#copier,
      allocate: () => this.#writer.allocate(),
      write: (num, object) => this.#writer.object(num, 0, object),
      pages: this.#keptIndices,
      keepsPage: (num) => this.#keptIndices.has(pageIndices.get(num) ?? -1),
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
      return copier.map(contents.type3For(font, this.#use.codesOf(num), this.#use));
    };
    await copier.copyReached();
    const known = new Map<number, number>();
    for (let grew = true; grew; ) {
      grew = false;
      for (const num of this.#fonts) {
        document.budget.spend(FONT_WORK);
        const { size } = this.#use.codesOf(num);
        if (known.get(num) === size) continue;
        known.set(num, size);
        reduced(num);
        grew = true;
      }
      await copier.copyReached();
    }
    for (const num of this.#fonts) this.#writer.object(copier.numberOf(num) ?? 0, 0, reduced(num));
    this.#fontsTravel = false;
  }

  /**
   * Writes the copied layers and their states. Call it last, when all copied layers are known. A layer loses
   * its name when copied objects refer to it only through membership dictionaries.
   */
  async #writeLayers(catalog: PdfDict): Promise<void> {
    const { document, layers } = this.#source;
    const copier = this.#copier;
    await copier.copyReached();
    for (const num of this.#layers) {
      const layer = document.dict(document.referenceTo(num)) ?? new PdfDict();
      const own = this.#use.namesLayer(num) ? layer : namelessLayer(document, layer);
      this.#writer.object(copier.numberOf(num) ?? 0, 0, copier.map(own));
      await copier.copyReached();
    }
    const properties = layers.propertiesOf(this.#layers, (num) => this.#use.namesLayer(num));
    if (properties) catalog.set("OCProperties", copier.map(properties));
  }
}
