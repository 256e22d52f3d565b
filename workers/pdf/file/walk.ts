import { integerOf, PdfDict, PdfRef, PdfStream } from "../syntax/objects.ts";
import { BrokenStructure } from "./cross-reference.ts";
import type { PdfDocument } from "./document.ts";
import type { IndirectObject } from "./object-reader.ts";

/** An object as it stands in the file, and how it is named there. */
export interface PlacedObject extends IndirectObject {
  /** The generation that references have to say; the object's own may be another. */
  readonly namedGen: number;
}

/**
 * The objects that stand in the file by themselves, in file order, without those that only the old file needs:
 * cross-reference streams, the encryption dictionary, linearization, object streams that nothing is read from,
 * superseded objects. Strings and streams are as they stand.
 *
 * @throws BrokenStructure when an object is not in its place
 */
export function* objectsInFileOrder(document: PdfDocument): Generator<PlacedObject> {
  const { trailer, source, crossReference } = document;
  const encrypt = trailer.get("Encrypt");
  const encryptObject = encrypt instanceof PdfRef ? encrypt.num : 0;
  const places: { num: number; offset: number; gen: number }[] = [];
  const containers = new Set<number>();
  for (const [num, entry] of crossReference.entries()) {
    if (entry.kind === "packed") containers.add(entry.container);
    else if (entry.kind === "file" && num !== encryptObject && isObject(document, num, entry.offset)) {
      places.push({ num, offset: entry.offset, gen: entry.gen });
    }
  }
  places.sort((one, other) => one.offset - other.offset);
  let hintStream = -1;
  for (const [index, { num, offset, gen }] of places.entries()) {
    if (offset === hintStream) continue;
    const object = document.readAt(num, offset, places[index + 1]?.offset ?? source.size);
    if (!object) continue;
    const { value } = object;
    if (value instanceof PdfStream) {
      const { dict } = value;
      if (dict.is("Type", "XRef") || (dict.is("Type", "ObjStm") && !containers.has(num))) continue;
    } else if (value instanceof PdfDict && value.has("Linearized") && value.has("L")) {
      const [first] = document.array(value.get("H"));
      hintStream = integerOf(first) ?? -1;
      continue;
    }
    yield { ...object, namedGen: gen };
  }
}

/** Entries that lead to the header are what some writers leave of deleted objects, but an object may follow there. */
function isObject(document: PdfDocument, num: number, offset: number): boolean {
  if (offset > 0) return true;
  try {
    return document.readAt(num, offset) !== undefined;
  } catch (error) {
    if (error instanceof BrokenStructure) return false;
    throw error;
  }
}
