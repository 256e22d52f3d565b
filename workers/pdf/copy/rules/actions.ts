import type { PdfDict } from "../../syntax/objects.ts";
import { type Change, withChanges, without } from "../changes.ts";
import type { CopiedPart } from "./copied-part.ts";

/** Actions that lead to article threads and document parts. */
const DROPPED_ACTIONS = ["Thread", "GoToDp"];

/**
 * Returns an action (ISO 32000-2, 12.6). Returns undefined when it leads to an article thread, to a document part or to a
 * page that is not copied.
 */
export function copiedAction(dict: PdfDict, part: CopiedPart): PdfDict | undefined {
  const type = dict.name("S") ?? "";
  if (DROPPED_ACTIONS.includes(type)) return undefined;
  const changes: Change[] = [...withoutStructureTarget(dict), ...part.renaming.fieldsOfAction(dict, type)];
  if (type === "GoTo") {
    const destination = part.objects.copiedDestination(dict.get("D"));
    if (destination === undefined) return undefined;
    changes.push(["D", destination]);
  }
  if (type === "URI") changes.push(...part.renaming.address(dict));
  return withChanges(dict, changes);
}

/** Returns an outline item with its destination, if that is copied. */
export function copiedOutlineItem(dict: PdfDict, part: CopiedPart): PdfDict {
  if (!dict.has("Dest")) return dict;
  return withChanges(dict, [["Dest", part.objects.copiedDestination(dict.get("Dest"))]]);
}

/** Returns a destination that is a dictionary. */
export function copiedDestinationDict(dict: PdfDict): PdfDict {
  return withChanges(dict, withoutStructureTarget(dict));
}

/** Removes a target in the structure tree (ISO 32000-2, 12.3.2.3). It may be on another page. */
function withoutStructureTarget(dict: PdfDict): Change[] {
  return without(dict, ["SD"]);
}
