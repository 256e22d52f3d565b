import type { ByteSink } from "../../io/sink.ts";
import { FileWriter, laterVersion } from "../file/file-writer.ts";
import { PdfDict, PdfName, type PdfObject, PdfRef } from "../syntax/objects.ts";
import { DocumentPart } from "./document-part.ts";
import type { ExtractionSource } from "./extraction-source.ts";
import { writeOutline } from "./outlines.ts";
import { nameTree } from "./sorted-trees.ts";
import { pageTreeNode } from "./whole-document.ts";

/**
 * Writes a document of some pages of another, in the given order, with all objects that they need and nothing of other
 * pages. The order of the phases counts: each may copy only what {@link DocumentPart} has not ruled out before.
 *
 * 1. Pages, with contents, annotations and the resources in use.
 * 2. The catalog: form, labels, destinations, outline. No contents of other pages from here on.
 * 3. Type 3 fonts. All text is known now.
 * 4. The structure tree. No fonts from here on: a font reveals the letters of the pages that use it.
 * 5. Layers. All objects that name them are known now.
 *
 * @param numbers page numbers, counted from 1
 * @throws {ServiceError} with `details.page` when the content of a page cannot be copied
 */
export async function extractPages(
  source: ExtractionSource,
  numbers: readonly number[],
  sink: ByteSink,
): Promise<void> {
  const indices = numbers.map((number) => number - 1);
  const writer = writerFor(source, indices, sink);
  const part = new DocumentPart(source, indices, writer);
  const root = new PdfRef(writer.allocate(), 0);
  const tree = new PdfRef(writer.allocate(), 0);

  const kids = await part.writePages(tree);
  writer.object(tree.num, 0, pageTreeNode(kids));
  const catalog = catalogOf(part, tree, writer);
  await part.writeFonts();
  setStructure(catalog, part);
  set(catalog, "OCProperties", await part.writeLayers());

  writer.object(root.num, 0, catalog);
  const trailer = PdfDict.from([["Root", root]]);
  const info = source.metadata.information;
  if (info.size > 0) trailer.set("Info", part.add(info));
  await part.copyReached();
  await writer.end(trailer);
}

/** Returns the writer of an output, which charges the budget for what it writes. */
function writerFor(source: ExtractionSource, indices: readonly number[], sink: ByteSink): FileWriter {
  const { document, pages, pageIndices, usesObjectStreams: pack } = source;
  const { budget, version } = document;
  const repeated = indices.filter((index) => {
    const ref = pages[index]?.ref;
    return ref && pageIndices.get(ref.num) !== index;
  }).length;
  const isRepeated = repeated === indices.length;
  budget.replenish();
  budget.charge("repeatedPage", repeated);
  if (isRepeated) budget.charge("repeatedOutput");
  return new FileWriter(sink, pack ? laterVersion(version, "1.5") : version, {
    pack,
    account: (bytes) => budget.charge(isRepeated ? "repeatedByte" : "writtenByte", bytes),
  });
}

function catalogOf(part: DocumentPart, tree: PdfRef, writer: FileWriter): PdfDict {
  const catalog = PdfDict.from([
    ["Type", PdfName.of("Catalog")],
    ["Pages", tree],
    ...part.copiedEntries().entries(),
  ]);
  set(catalog, "AcroForm", part.form());
  set(catalog, "PageLabels", part.labels());
  const { strings, names } = part.destinations();
  if (names.length > 0) catalog.set("Dests", PdfDict.from(names));
  if (strings.length > 0) catalog.set("Names", PdfDict.from([["Dests", nameTree(strings)]]));
  const outline = part.outline();
  if (outline.length > 0) {
    const map = (object: PdfObject) => {
      // All outputs may get the same entries, and each entry becomes an object.
      part.source.document.budget.charge("keptEntry", 4);
      return part.map(object);
    };
    catalog.set("Outlines", writeOutline(outline, writer, map));
  }
  const mode = pageModeOf(part, outline.length > 0);
  if (mode !== undefined) catalog.set("PageMode", mode);
  return catalog;
}

/** Returns the panel to show. The panel of attachments would be empty. The panel of the outline may be. */
function pageModeOf({ source: { document } }: DocumentPart, hasOutline: boolean): PdfName | undefined {
  const mode = document.resolve(document.catalog?.get("PageMode"));
  if (!(mode instanceof PdfName) || mode.value === "" || mode.value === "UseAttachments") return undefined;
  return mode.value === "UseOutlines" && !hasOutline ? undefined : mode;
}

function setStructure(catalog: PdfDict, part: DocumentPart): void {
  const root = part.writeStructure();
  if (!root) return;
  catalog.set("StructTreeRoot", root);
  const { document } = part.source;
  const marks = document.dict(document.catalog?.get("MarkInfo"));
  if (marks) catalog.set("MarkInfo", part.map(marks));
}

/** Sets an entry, unless its value is undefined or null. */
function set(dict: PdfDict, key: string, value: PdfObject | undefined): void {
  if (value !== undefined && value !== null) dict.set(key, value);
}
