import type { ByteSink } from "../../io/sink.ts";
import { OutputNames } from "../copy/output-names.ts";
import { pageTreeNode } from "../copy/whole-document.ts";
import type { PdfDocument } from "../file/document.ts";
import { FileWriter, laterVersion } from "../file/file-writer.ts";
import type { WorkBudget } from "../file/work-budget.ts";
import { latin1 } from "../syntax/characters.ts";
import { PdfDict, PdfName, type PdfObject, PdfRef, PdfString } from "../syntax/objects.ts";
import { encodeText } from "../syntax/text-string.ts";
import {
  combinedDestinations,
  combinedForm,
  combinedLabels,
  combinedLayers,
  combinedStructure,
} from "./combined-entries.ts";
import { addToCatalog, type DocumentEntries, OutputRoots, writeEntries } from "./document-entries.ts";
import { DocumentPart } from "./document-part.ts";
import { pageModeOf } from "./extraction.ts";
import type { ExtractionSource } from "./extraction-source.ts";
import type { OutlineLevel } from "./outline/outline.ts";
import { OutputIntents } from "./output-intents.ts";
import { nameTree, nameTreeEntries } from "./sorted-trees.ts";
import { STANDARD_TYPES } from "./tags/structure-entries.ts";

/** The version of the output, unless a document has a later one. Objects are packed. */
const VERSION = "1.7";
/** The entries of the catalog that are the first document's: how a reader shows the output. */
const OF_FIRST_DOCUMENT = ["PageLayout", "ViewerPreferences"];

/** The parts of a written document that the end of the output needs. */
interface WrittenDocument {
  readonly entries: DocumentEntries;
  readonly pageCount: number;
  readonly attachments: readonly (readonly [name: string, file: PdfObject])[];
  readonly associated: readonly PdfObject[];
  readonly language: PdfString | undefined;
}

/**
 * Writes a document of pages of several documents. Each is written in the phases of {@link extractPages}, and may be
 * closed then. The outline has an item for each document, with the outline of the document below it.
 */
export class MergedDocument {
  readonly #writer: FileWriter;
  readonly #roots: OutputRoots;
  /** The outline items of the documents. */
  readonly #items: readonly PdfRef[];
  readonly #names = new OutputNames(true);
  readonly #pages: PdfRef[] = [];
  readonly #written: WrittenDocument[] = [];
  #budget: WorkBudget | undefined;
  #version = VERSION;
  #intents: OutputIntents | undefined;
  #hasEqualIntents = true;
  #shown = new PdfDict();

  /** @param count the number of documents that will be added */
  constructor(sink: ByteSink, count: number) {
    this.#writer = new FileWriter(sink, VERSION, {
      pack: true,
      account: (bytes) => this.#budget?.charge("writtenByte", bytes),
    });
    this.#roots = new OutputRoots(this.#writer);
    this.#names.reserve("structure type", STANDARD_TYPES);
    this.#items = Array.from({ length: count }, () => new PdfRef(this.#writer.allocate(), 0));
  }

  /**
   * Adds pages of a document.
   *
   * @param indices the indices of the pages, in the order of the output
   * @throws {ServiceError} with `details.page` when the content of a page cannot be copied
   */
  async add(title: string, source: ExtractionSource, indices: readonly number[]): Promise<void> {
    const { document, pages } = source;
    this.#budget = document.budget;
    document.budget.replenish();
    const position = this.#written.length;
    const part = new DocumentPart(source, indices, this.#writer, this.#names);
    const kids = await part.writePages(this.#roots.pages);
    if (position === 0) this.#shown = part.copied(OF_FIRST_DOCUMENT);
    const isWhole = new Set(indices).size === pages.length;
    const attachments = isWhole ? this.#attachmentsOf(part) : [];
    const associated = isWhole
      ? document.array(document.catalog?.get("AF")).map((file) => part.map(file))
      : [];
    const language = languageOf(document);
    const item = this.#items[position];
    if (item === undefined) throw new Error("more documents than announced");
    const entries = await writeEntries(part, { ref: item }, this.#roots.structure, language);
    await part.copyReached();

    if (position === 0) {
      const mode = pageModeOf(part, entries.outline !== undefined);
      if (mode) this.#shown.set("PageMode", mode);
    }
    this.#writer.object(item.num, 0, this.#outlineItem(title, position, kids[0], entries.outline));
    for (const kid of kids) this.#pages.push(kid);
    this.#written.push({ entries, pageCount: kids.length, attachments, associated, language });
    this.#compareIntents(OutputIntents.of(document));
    this.#version = laterVersion(this.#version, versionOf(document));
    this.#names.nextDocument(part.structureKeys);
  }

  /** Writes the catalog and the end of the file. */
  async end(): Promise<void> {
    const writer = this.#writer;
    const catalog = PdfDict.from([
      ["Type", PdfName.of("Catalog")],
      ["Pages", this.#roots.pages],
      ...this.#shown.entries(),
    ]);
    writer.object(this.#roots.pages.num, 0, pageTreeNode(this.#pages));
    const entries = this.#written.map((written) => written.entries);
    const isPresent = <Value>(value: Value | undefined): value is Value => value !== undefined;
    const structure = combinedStructure(entries.map((own) => own.structure).filter(isPresent));
    const combined: DocumentEntries = {
      form: combinedForm(entries.map(({ form }) => form).filter(isPresent)),
      labels: combinedLabels(
        this.#written.map(({ entries: { labels }, pageCount }) => ({ labels, pageCount })),
      ),
      destinations: combinedDestinations(entries.map(({ destinations }) => destinations)),
      outline: this.#outline(),
      structure,
      layers: combinedLayers(entries.map(({ layers }) => layers).filter(isPresent)),
    };
    addToCatalog(catalog, combined, this.#roots, writer);
    if (structure) catalog.set("MarkInfo", PdfDict.from([["Marked", true]]));
    this.#addAttachments(catalog);
    this.#addCommon(catalog);
    writer.object(this.#roots.catalog.num, 0, catalog);
    await writer.end(PdfDict.from([["Root", this.#roots.catalog]]));
  }

  #outlineItem(title: string, position: number, page: PdfRef | undefined, level?: OutlineLevel): PdfDict {
    const item = PdfDict.from([
      ["Title", encodeText(title)],
      ["Parent", this.#roots.outline.ref],
    ]);
    const [previous, next] = [this.#items[position - 1], this.#items[position + 1]];
    if (previous) item.set("Prev", previous);
    if (next) item.set("Next", next);
    if (page) item.set("Dest", [page, PdfName.of("XYZ"), null, null, null]);
    for (const [key, value] of level?.ends.entries() ?? []) item.set(key, value);
    // Closed, so that the list of documents is seen first.
    if (level) item.set("Count", -level.showing);
    return item;
  }

  #outline(): OutlineLevel | undefined {
    const [first, last] = [this.#items[0], this.#items.at(-1)];
    if (!first || !last) return undefined;
    const ends = PdfDict.from([
      ["First", first],
      ["Last", last],
    ]);
    return { ends, showing: this.#items.length };
  }

  /** Returns the attachments of the document (ISO 32000-2, 7.11.4). Those of its pages are annotations. */
  #attachmentsOf(part: DocumentPart): (readonly [name: string, file: PdfObject])[] {
    const { document } = part.source;
    const tree = document.dict(document.catalog?.get("Names"))?.get("EmbeddedFiles");
    const files = [...nameTreeEntries(document, tree)];
    document.budget.charge("keptEntry", 2 * files.length);
    return files.map(([name, file]) => [this.#names.of("attachment", name), part.map(file)] as const);
  }

  #addAttachments(catalog: PdfDict): void {
    const attachments = this.#written.flatMap((written) => written.attachments);
    const associated = this.#written.flatMap((written) => written.associated).filter((file) => file !== null);
    if (associated.length > 0) catalog.set("AF", associated);
    if (attachments.length === 0) return;
    const names = catalog.get("Names");
    const own = names instanceof PdfDict ? names : new PdfDict();
    own.set("EmbeddedFiles", nameTree(attachments));
    catalog.set("Names", own);
  }

  #compareIntents(intents: OutputIntents): void {
    this.#intents ??= intents;
    this.#hasEqualIntents &&= this.#intents.equals(intents);
  }

  /** Adds what all documents have in common. */
  #addCommon(catalog: PdfDict): void {
    if (this.#version !== VERSION) catalog.set("Version", PdfName.of(this.#version));
    const [first, ...others] = this.#written.map(({ language }) => language && latin1(language.bytes));
    const language = this.#written[0]?.language;
    if (language && others.every((other) => other === first)) catalog.set("Lang", language);
    const intents = this.#hasEqualIntents ? (this.#intents?.write(this.#writer) ?? []) : [];
    if (intents.length > 0) catalog.set("OutputIntents", intents);
  }
}

function languageOf(document: PdfDocument): PdfString | undefined {
  const language = document.resolve(document.catalog?.get("Lang"));
  return language instanceof PdfString ? language : undefined;
}

/** Returns the later of the versions in the header and in the catalog. */
function versionOf(document: PdfDocument): string {
  const declared = document.resolve(document.catalog?.get("Version"));
  const isVersion = declared instanceof PdfName && /^\d\.\d$/.test(declared.value);
  return isVersion ? laterVersion(document.version, declared.value) : document.version;
}
