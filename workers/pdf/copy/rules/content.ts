import { type PdfDict, PdfRef } from "../../syntax/objects.ts";
import { withChanges, without } from "../changes.ts";
import type { CopiedPart } from "./copied-part.ts";

/** Private data of editing programs (ISO 32000-2, 14.5). It may hold a second copy of the whole document. */
export const PRIVATE_DATA = "PieceInfo";
/** The page entries that are not copied: its place in the page tree, and what leads to other pages. */
const DROPPED_FROM_PAGE = ["Parent", "B", "DPart", "TemplateInstantiated", PRIVATE_DATA];

/** Returns a page (ISO 32000-2, 7.7.3.3). The caller adds its place in the page tree of the output. */
export function copiedPage(dict: PdfDict, part: CopiedPart): PdfDict {
  noteStructureKey(dict, part);
  return withChanges(dict, [...without(dict, DROPPED_FROM_PAGE), ...part.renaming.structureKeys(dict)]);
}

/** Returns the dictionary of a form, an image or a pattern (ISO 32000-2, 8.7 to 8.10). */
export function copiedXObject(dict: PdfDict, part: CopiedPart): PdfDict {
  noteStructureKey(dict, part);
  noteLayer(dict, part);
  return withChanges(dict, [...without(dict, [PRIVATE_DATA]), ...part.renaming.structureKeys(dict)]);
}

/** Returns a font; undefined for a Type 3 font that is in the resources of no content. */
export function copiedFont(dict: PdfDict, { contents }: CopiedPart): PdfDict | undefined {
  return dict.is("Subtype", "Type3") && dict.has("CharProcs") && !contents.isReduced(dict) ? undefined : dict;
}

/** Records the layer that shows or hides an object, its entry `OC`. */
export function noteLayer(dict: PdfDict, { use }: CopiedPart): void {
  const layer = dict.reference("OC");
  if (layer) use.addLayer(layer.num);
}

/** Records the layer of a membership dictionary that has one layer: it stands for that layer. */
export function noteOnlyLayer(dict: PdfDict, { use }: CopiedPart): void {
  const layers = dict.value("OCGs");
  const only = Array.isArray(layers) && layers.length === 1 ? layers[0] : dict.get("OCGs");
  if (only instanceof PdfRef) use.addLayer(only.num);
}

/** Records the structure parent key of an object or of its marked content (ISO 32000-2, 14.7.5.4). */
export function noteStructureKey(dict: PdfDict, { structureKeys }: CopiedPart): void {
  const key = dict.integer("StructParents") ?? dict.integer("StructParent");
  if (key !== undefined) structureKeys.add(key);
}
