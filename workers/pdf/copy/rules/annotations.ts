import { type PdfDict, type PdfObject, PdfRef } from "../../syntax/objects.ts";
import { type Change, withChanges, without } from "../changes.ts";
import { noteLayer, noteStructureKey, PRIVATE_DATA } from "./content.ts";
import type { CopiedPart } from "./copied-part.ts";

/**
 * Returns an annotation (ISO 32000-2, 12.5.2), a widget or a form field without the entries that lead to annotations and
 * pages that are not copied: the annotation that it answers, its popup, its destination.
 */
export function copiedAnnotation(dict: PdfDict, part: CopiedPart): PdfDict {
  noteStructureKey(dict, part);
  noteLayer(dict, part);
  const changes: Change[] = [
    ...without(dict, [PRIVATE_DATA]),
    ...part.renaming.structureKeys(dict),
    ...part.renaming.defaultAppearance(dict),
  ];
  if (dict.has("Dest")) changes.push(["Dest", part.objects.copiedDestination(dict.get("Dest"))]);
  if (!isCopiedOrAbsent(dict.get("IRT"), part)) changes.push(...without(dict, ["IRT", "RT"]));
  if (!isCopiedOrAbsent(dict.get("Popup"), part) && !isCopiedPopup(dict.dict("Popup"), part)) {
    changes.push(["Popup", undefined]);
  }
  if (dict.is("Subtype", "Popup") && !isCopiedOrAbsent(dict.get("Parent"), part)) {
    changes.push(["Parent", undefined]);
  }
  return withChanges(dict, changes);
}

/** Returns whether a dictionary is the popup of a copied annotation. Some pages do not list popups. */
export function isCopiedPopup(dict: PdfDict | undefined, part: CopiedPart): boolean {
  if (!dict?.is("Subtype", "Popup")) return false;
  return isCopiedOrAbsent(dict.get("Parent"), part);
}

function isCopiedOrAbsent(annotation: PdfObject | undefined, { objects }: CopiedPart): boolean {
  if (annotation === undefined) return true;
  return annotation instanceof PdfRef && objects.annotations.has(annotation.num);
}
