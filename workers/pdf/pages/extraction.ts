import type { ByteSink } from "../bytes/sink.ts";
import type { PdfDocument } from "../file/document.ts";
import { FileWriter, laterVersion } from "../file/file-writer.ts";
import { isSignature } from "../security/handler.ts";
import { PdfDict, PdfName, type PdfObject, PdfRef, PdfStream, PdfString } from "../syntax/objects.ts";
import { annotationsOn, lastNumber } from "./annotations.ts";
import type { NamedDestination } from "./destinations.ts";
import type { ExtractionSource } from "./extraction-source.ts";
import { ObjectCopier } from "./object-copier.ts";
import { writeOutline } from "./outlines.ts";
import { completePage, type Page } from "./page-tree.ts";
import { nameTree } from "./sorted-trees.ts";
import { structureKeyOf, writeStructure } from "./structure.ts";
import { pageTreeNode } from "./whole-document.ts";

/**
 * What of a page does not travel: its place in the old tree, and article threads and document parts, which lead to
 * other pages and to what is said of them.
 */
const DROPPED_FROM_PAGE = ["Parent", "B", "DPart", "TemplateInstantiated"];
/** Objects that lead to other pages, by their types; the new file has its own of what of them it has. */
const DROPPED_TYPES = ["Page", "Pages", "Catalog", "StructElem", "DPart", "DPartRoot"];
/** Actions that lead to article threads and document parts. */
const DROPPED_ACTIONS = ["Thread", "GoToDp"];
/**
 * What a page costs of the budget that the document lists again, and a file that consists of such: a list of a million
 * takes a few bytes for each.
 */
const REPEATED_PAGE = 512;
const REPEATED_FILE = 8192;
/** What of the catalog travels as it is. */
const KEPT_IN_CATALOG = ["Version", "Extensions", "Lang", "URI", "PageLayout", "OutputIntents"];

/**
 * What of the document's information is texts and the like, as it should be (ISO 32000-2, 14.3.3): anything else may lead
 * to other pages.
 */
function plainEntries(document: PdfDocument, info: PdfObject | undefined): PdfDict {
  const found = document.resolve(info);
  const plain = new PdfDict();
  if (!(found instanceof PdfDict)) return plain;
  for (const [key, value] of found.entries()) {
    const entry = document.resolve(value);
    const leadsOn = entry instanceof PdfDict || entry instanceof PdfStream || Array.isArray(entry);
    if (leadsOn || entry === null) continue;
    // Entries may share a long text, which each of them has written out.
    if (entry instanceof PdfString) document.budget.spend(entry.bytes.length);
    plain.set(key, entry);
  }
  return plain;
}

/** One document that is made of pages of another. */
export class Extraction {
  readonly #source: ExtractionSource;
  readonly #indices: readonly number[];
  /** The reverse, once it is asked for. */
  #positions: ReadonlyMap<number, number> | undefined;
  /** With the first index of each page that the document lists again: that is where targets are. */
  readonly #keptIndices: ReadonlySet<number>;
  readonly #annotations: ReadonlySet<number>;
  /** The same with what is there behind references to references, once it is asked for. */
  #behindReferences: ReadonlySet<number> | undefined;
  /** The form fields that have a widget on a kept page, and those above them. */
  readonly #fields: ReadonlySet<number>;
  readonly #structureKeys = new Set<number>();
  /** Not once the pages have theirs: tags name fonts, too, and a font tells which letters a page has. */
  #fontsTravel = true;
  /** Not once the pages have theirs: what else leads to another's does so in a damaged or hostile file. */
  #contentsTravel = true;
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
    this.#writer = new FileWriter(document.source, sink, version, {
      pack: usesObjectStreams,
      // What many parts repeat is read once only, but written by each, which takes less time than reading it would.
      account: (bytes) => document.budget.spend(bytes / 4),
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
    document.budget.spend(this.#costOfRepeatedPages());
    const writer = this.#writer;
    const copier = this.#copier;
    const root = new PdfRef(writer.allocate(), 0);
    const tree = new PdfRef(writer.allocate(), 0);
    const chosen = this.#indices.flatMap((index) => pages[index] ?? []);
    const kids = copier.assignPages(chosen);
    for (const [index, page] of chosen.entries()) {
      const num = kids[index]?.num;
      if (num !== undefined) writer.object(num, 0, this.#pageObject(page, tree));
    }
    await copier.copyReached();
    this.#contentsTravel = false;
    writer.object(tree.num, 0, pageTreeNode(kids));
    const catalog = this.#catalog(tree);
    await copier.copyReached();
    this.#setStructure(catalog);
    this.#setLayers(catalog);
    writer.object(root.num, 0, catalog);
    const trailer = PdfDict.from([["Root", root]]);
    const info = plainEntries(document, document.trailer.get("Info"));
    if (info.size > 0) trailer.set("Info", copier.add(info));
    await copier.copyReached();
    await writer.end(trailer);
  }

  /** What of the pages chosen the document lists again costs. */
  #costOfRepeatedPages(): number {
    const { pages, pageIndices } = this.#source;
    const repeated = this.#indices.filter((index) => {
      const ref = pages[index]?.ref;
      return ref && pageIndices.get(ref.num) !== index;
    }).length;
    return REPEATED_PAGE * repeated + (repeated === this.#indices.length ? REPEATED_FILE : 0);
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

  /** Whether another page lists, by a reference to a reference, what no page lists by itself. */
  #isHiddenAnnotation(num: number): boolean {
    const { document, annotations } = this.#source;
    if (this.#annotations.has(num) || !annotations.isBehindReference(num)) return false;
    this.#behindReferences ??= new Set([...this.#annotations].map((own) => lastNumber(document, own)));
    return !this.#behindReferences.has(num);
  }

  #prepare(object: PdfObject, num: number): PdfObject | undefined {
    const { contents, form, pageContents } = this.#source;
    if (object instanceof PdfStream) {
      return this.#contentsTravel || !pageContents.has(num) ? contents.withUsedResources(object) : undefined;
    }
    if (!(object instanceof PdfDict)) return object;
    if (object.is("Type", "Font") && !this.#fontsTravel) return undefined;
    if (object.is("Subtype", "Type3")) return contents.type3WithUsedResources(object);
    const type = object.get("Type");
    if (type instanceof PdfName && DROPPED_TYPES.includes(type.value)) return undefined;
    if (object.has("Rect") && this.#isHiddenAnnotation(num)) return undefined;
    return this.#fields.has(num) ? form.fieldOf(object, num, this.#fields) : object;
  }

  /** Targets that stay behind are taken from what leads there; signatures are void in another file. */
  #prepareDict(dict: PdfDict): PdfDict | undefined {
    const key = structureKeyOf(this.#source.document, dict);
    if (key !== undefined) this.#structureKeys.add(key);
    const action = dict.get("S");
    const actionType = action instanceof PdfName ? action.value : "";
    if (actionType === "GoTo") {
      const target = this.#keptTarget(dict.get("D"));
      if (target === undefined) return undefined;
      const own = dict.clone();
      own.set("D", target);
      own.delete("SD");
      return own;
    }
    if (DROPPED_ACTIONS.includes(actionType) || isSignature(dict)) return undefined;
    if (!dict.has("Dest") && !dict.has("PieceInfo") && !dict.has("SD")) return dict;
    const own = dict.clone();
    // A target in the structure tree, which may be another page's.
    if (own.has("D")) own.delete("SD");
    // Private data of editing programs, which may be the whole document once more.
    own.delete("PieceInfo");
    if (!dict.has("Dest")) return own;
    const target = this.#keptTarget(dict.get("Dest"));
    if (target === undefined) own.delete("Dest");
    else own.set("Dest", target);
    return own;
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

  /** Where among the pages taken out the page `index` comes first. */
  #positionOf(index: number): number {
    this.#positions ??= new Map(this.#indices.map((own, position) => [own, position] as const).reverse());
    return this.#positions.get(index) ?? -1;
  }

  #pageObject(page: Page, tree: PdfRef): PdfObject {
    const { document, contents } = this.#source;
    const own = completePage(document, page);
    for (const key of DROPPED_FROM_PAGE) own.delete(key);
    const resources = document.dict(own.get("Resources"));
    const drawn = [own.get("Contents") ?? null, ...this.#source.appearances.borrowingOn(own)];
    if (resources) own.set("Resources", contents.usedResources(resources, drawn));
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
    const named = old.get("Metadata");
    const isContent = named instanceof PdfRef && this.#source.pageContents.has(named.num);
    const metadata = isContent ? undefined : this.#source.metadata.withoutPagePictures;
    if (metadata) catalog.set("Metadata", copier.add(metadata));
    set("AcroForm", form.formOf(this.#fields, this.#annotations));
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
          // Of every part, they may be the same ones; each becomes an object.
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
    this.#fontsTravel = false;
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

  /** Comes last, for only then is it known which layers travel. */
  #setLayers(catalog: PdfDict): void {
    const layers = this.#source.layers.propertiesOf(this.#copier.travelled());
    if (layers) catalog.set("OCProperties", this.#copier.map(layers));
  }
}
