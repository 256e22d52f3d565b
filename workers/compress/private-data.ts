import { withChanges, without } from "../pdf/copy/changes.ts";
import type { Kind } from "../pdf/copy/kinds.ts";
import { hasChosenNames, kindOf, kindOfStream } from "../pdf/copy/kinds.ts";
import { PRIVATE_DATA } from "../pdf/copy/rules/content.ts";
import { type PdfDict, PdfStream } from "../pdf/syntax/objects.ts";

/** Where editing programs keep private data (ISO 32000-2, 14.5). */
const HOLDERS: ReadonlySet<Kind> = new Set<Kind>(["page", "XObject", "appearance", "state appearance"]);

/** Returns a dictionary without thumbnails and private data of editing programs. */
export function withoutPrivateData(dict: PdfDict, kind: Kind): PdfDict {
  if (kind === "page") return withChanges(dict, without(dict, [PRIVATE_DATA, "Thumb"]));
  return HOLDERS.has(kind) || dict.is("Type", "Catalog")
    ? withChanges(dict, without(dict, [PRIVATE_DATA]))
    : dict;
}

/** Returns what an object of a whole document is. Pages and fields are told by their type. */
export function kindInDocument(object: PdfDict | PdfStream, place: Kind): Kind {
  if (object instanceof PdfStream) return kindOfStream(object, place);
  if (hasChosenNames(place)) return kindOf(object, place);
  if (object.is("Type", "Page")) return "page";
  return object.is("Subtype", "Widget") ? "annotation" : kindOf(object, place);
}
