import type { ByteSink } from "../../io/sink.ts";
import { pageTreeNode } from "../copy/whole-document.ts";
import { FileWriter, laterVersion } from "../file/file-writer.ts";
import { PdfDict, PdfName } from "../syntax/objects.ts";
import { addToCatalog, OutputRoots, writeEntries } from "./document-entries.ts";
import { DocumentPart } from "./document-part.ts";
import type { ExtractionSource } from "./extraction-source.ts";

/** The entries of the catalog that are copied. */
const KEPT_IN_CATALOG = [
  "Version",
  "Extensions",
  "Lang",
  "URI",
  "PageLayout",
  "OutputIntents",
  "ViewerPreferences",
];

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
  const { budget, version, usesObjectStreams: pack } = source.document;
  budget.replenish();
  const writer = new FileWriter(sink, pack ? laterVersion(version, "1.5") : version, {
    pack,
    account: (bytes) => budget.charge("writtenByte", bytes),
  });
  const part = new DocumentPart(source, indices, writer);
  const roots = new OutputRoots(writer);

  const kids = await part.writePages(roots.pages);
  writer.object(roots.pages.num, 0, pageTreeNode(kids));
  const catalog = PdfDict.from([
    ["Type", PdfName.of("Catalog")],
    ["Pages", roots.pages],
    ...part.copied(KEPT_IN_CATALOG).entries(),
  ]);
  const metadata = part.metadata();
  if (metadata) catalog.set("Metadata", metadata);
  const entries = await writeEntries(part, roots.outline, roots.structure);
  addToCatalog(catalog, entries, roots, writer);
  const mode = pageModeOf(part, entries.outline !== undefined);
  if (mode !== undefined) catalog.set("PageMode", mode);
  const marks = entries.structure && part.marks();
  if (marks) catalog.set("MarkInfo", marks);

  writer.object(roots.catalog.num, 0, catalog);
  const trailer = PdfDict.from([["Root", roots.catalog]]);
  const info = source.metadata.information;
  if (info.size > 0) trailer.set("Info", part.add(info));
  await part.copyReached();
  await writer.end(trailer);
}

/** Returns the panel to show. The panel of attachments would be empty. The panel of the outline may be. */
export function pageModeOf({ source: { document } }: DocumentPart, hasOutline: boolean): PdfName | undefined {
  const mode = document.resolve(document.catalog?.get("PageMode"));
  if (!(mode instanceof PdfName) || mode.value === "" || mode.value === "UseAttachments") return undefined;
  return mode.value === "UseOutlines" && !hasOutline ? undefined : mode;
}
