import type { Kind } from "../copy/kinds.ts";
import { NumberSet } from "../file/cross-reference.ts";
import type { PdfDocument } from "../file/document.ts";
import { PdfDict, type PdfObject, PdfRef, PdfStream } from "../syntax/objects.ts";
import { entryKindsOfWhole, isListOfNames } from "./kinds.ts";
import type { PlaceFinder } from "./place-finder.ts";
import type { Category } from "./places.ts";

/** Something that is to be removed: its category, and what holds it, such as `catalog/Names`. */
export interface Found {
  readonly category: Category;
  readonly place: string;
}

/** An object to visit, and the kind of object that leads to it. */
interface Visit {
  readonly object: PdfObject;
  readonly place: Kind;
  readonly path: string;
}

/** The objects that a walk has met. */
export interface WalkedObjects {
  /** What each indirect object is, by all places that lead to it. A place whose keys have a meaning counts most. */
  readonly kinds: ReadonlyMap<number, readonly Kind[]>;
  /** Whether places disagree about what an object is. This happens in damaged and hostile files. */
  readonly hasOddObjects: boolean;
  /** The numbers of all objects. */
  readonly reached: NumberSet;
}

/**
 * Walks through all objects that the trailer reaches, except those in what is to be removed, and finds what is to be removed.
 * An object that several places lead to is visited as each of them says that it is.
 *
 * @param onFound called with each place
 */
export function walkDocument(
  document: PdfDocument,
  finder: PlaceFinder,
  onFound: (found: Found) => void,
): WalkedObjects {
  const reached = new NumberSet();
  let hasOddObjects = false;
  const kinds = new Map<number, readonly Kind[]>();
  const visited = new Map<Kind, Set<number>>();
  const stack: Visit[] = [{ object: document.trailer, place: "trailer", path: "trailer" }];

  function isNew(num: number, kind: Kind): boolean {
    const known = visited.get(kind) ?? new Set();
    visited.set(kind, known);
    if (known.has(num)) return false;
    document.budget.charge("keptEntry");
    known.add(num);
    return true;
  }

  function visit(object: PdfDict | PdfStream, place: Kind, path: string, num?: number): void {
    const kind = finder.kindOf(object, place, num);
    if (num !== undefined) {
      if (!isNew(num, kind)) return;
      const others = kinds.get(num) ?? [];
      hasOddObjects ||= rankOf(kind) > 1 && rankOf(others[0]) > 1;
      const isFirst = rankOf(kind) > rankOf(others[0]);
      kinds.set(num, isFirst ? [kind, ...others] : [...others, kind]);
    }
    const whole = finder.categoryOf(object, kind, num);
    if (whole !== undefined) {
      onFound({ category: whole, place: path });
      return;
    }
    if (object instanceof PdfStream && finder.hasMetadataInData(object))
      onFound({ category: "metadata", place: path });
    const dict = object instanceof PdfStream ? object.dict : object;
    const removed = new Set<string>();
    for (const [key, category] of finder.entriesOf(dict, kind, num)) {
      removed.add(key);
      onFound({ category, place: `${kind}/${key}` });
    }
    const { byKey, rest } = entryKindsOfWhole(kind);
    const entries = [...dict.entries()].reverse();
    for (const [key, value] of entries) {
      if (removed.has(key) || typeof value !== "object") continue;
      stack.push({ object: value, place: byKey.get(key) ?? rest, path: `${kind}/${key}` });
    }
  }

  for (let next = stack.pop(); next; next = stack.pop()) {
    const { object, place, path } = next;
    const num = object instanceof PdfRef ? object.num : undefined;
    if (num !== undefined) reached.add(num);
    const found = object instanceof PdfRef ? document.read(object) : object;
    if (found instanceof PdfDict || found instanceof PdfStream) visit(found, place, path, num);
    else if (Array.isArray(found) && (num === undefined || isNew(num, place))) {
      document.budget.charge("entry", found.length);
      for (let index = found.length - 1; index >= 0; index--) {
        const item = found[index] ?? null;
        if (typeof item === "object" && item !== null) stack.push({ object: item, place, path });
      }
    }
  }
  return { kinds, hasOddObjects, reached };
}

/** Of two kinds that an object has, the one with the higher rank counts. */
function rankOf(kind: Kind | undefined): number {
  if (kind === undefined) return 0;
  if (kind === "other" || kind === "description") return 1;
  return isListOfNames(kind) ? 2 : 3;
}
