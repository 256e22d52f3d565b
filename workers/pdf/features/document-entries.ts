import type { FileWriter } from "../file/file-writer.ts";
import { PdfDict, type PdfObject, type PdfRef, type PdfString } from "../syntax/objects.ts";
import type { NamedDestinations } from "./destinations.ts";
import type { DocumentPart } from "./document-part.ts";
import type { LabelEntry } from "./labels.ts";
import { LazyReference } from "./lazy-reference.ts";
import type { OutlineLevel } from "./outline/outline.ts";
import { nameTree, numberTree } from "./sorted-trees.ts";
import { type StructureEntries, structureRoot } from "./tags/structure-entries.ts";

/** The entries of the catalog for a part of a document. The references are those of the output. */
export interface DocumentEntries {
  readonly form: PdfDict | undefined;
  readonly labels: readonly LabelEntry[];
  readonly destinations: NamedDestinations;
  readonly outline: OutlineLevel | undefined;
  readonly structure: StructureEntries | undefined;
  readonly layers: PdfDict | undefined;
}

/** The roots of an output, which its parts refer to. */
export class OutputRoots {
  readonly catalog: PdfRef;
  readonly pages: PdfRef;
  readonly outline: LazyReference;
  readonly structure: LazyReference;

  constructor(writer: FileWriter) {
    this.catalog = new LazyReference(writer).ref;
    this.pages = new LazyReference(writer).ref;
    this.outline = new LazyReference(writer);
    this.structure = new LazyReference(writer);
  }
}

/**
 * Writes what a part has besides its pages, which are written already.
 *
 * @param outline the outline item above those of the part, or the outline dictionary
 * @param language the language of structure elements that name none
 */
export async function writeEntries(
  part: DocumentPart,
  outline: Pick<LazyReference, "ref">,
  structure: LazyReference,
  language?: PdfString,
): Promise<DocumentEntries> {
  const form = part.form();
  const labels = part.labels();
  const destinations = part.destinations();
  const level = part.writeOutline(outline);
  await part.writeFonts();
  const elements = part.writeStructure(structure, language);
  const layers = await part.writeLayers();
  return { form, labels, destinations, outline: level, structure: elements, layers };
}

/** Writes the roots of the entries and adds the entries to the catalog. */
export function addToCatalog(
  catalog: PdfDict,
  { form, labels, destinations, outline, structure, layers }: DocumentEntries,
  roots: OutputRoots,
  writer: FileWriter,
): void {
  if (form) catalog.set("AcroForm", form);
  if (labels.length > 0) catalog.set("PageLabels", numberTree(labels));
  const { strings, names } = destinations;
  if (names.length > 0) catalog.set("Dests", PdfDict.from(names));
  if (strings.length > 0) catalog.set("Names", PdfDict.from([["Dests", nameTree(strings)]]));
  if (outline) {
    const { ref } = roots.outline;
    writer.object(ref.num, 0, outlineRoot(outline));
    catalog.set("Outlines", ref);
  }
  if (structure) {
    const { ref } = roots.structure;
    writer.object(ref.num, 0, structureRoot(structure));
    catalog.set("StructTreeRoot", ref);
  }
  if (layers) catalog.set("OCProperties", layers);
}

function outlineRoot({ ends, showing }: OutlineLevel): PdfDict {
  return PdfDict.from([...ends.entries(), ["Count", showing] as [string, PdfObject]]);
}
