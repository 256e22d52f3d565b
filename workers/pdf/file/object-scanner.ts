import { integerOf, PdfDict, PdfStream } from "../syntax/objects.ts";
import { BrokenStructure } from "./cross-reference.ts";
import type { PdfDocument } from "./document.ts";
import type { IndirectObject } from "./object-reader.ts";

/** An object in the file, and how references name it. */
interface PlacedObject extends IndirectObject {
  /** The generation number of valid references. The object may say another one. */
  readonly namedGen: number;
}

/**
 * Generates the uncompressed objects of a document in file order, with strings and streams unchanged. Leaves out what
 * only the old file needs: cross-reference streams, the encryption dictionary, linearization dictionaries and hint
 * streams, unused object streams, superseded objects.
 *
 * @throws BrokenStructure when an object is not in its place
 */
export function* objectsInFileOrder(document: PdfDocument): Generator<PlacedObject> {
  const { trailer, source, crossReference } = document;
  // A reference that leads nowhere may name the number of an object of another generation.
  const encryptObject = trailer.dict("Encrypt") ? trailer.reference("Encrypt")?.num : undefined;
  const numbers: number[] = [];
  const objectStreams = new Set<number>();
  for (const [num, entry] of crossReference.entries()) {
    if (entry.kind === "packed") objectStreams.add(entry.objectStream);
    else if (entry.kind === "file" && num !== encryptObject && isObject(document, num, entry.offset)) {
      numbers.push(num);
    }
  }
  numbers.sort((one, other) => crossReference.offsetOf(one) - crossReference.offsetOf(other));
  let hintStream = -1;
  for (const [index, num] of numbers.entries()) {
    const offset = crossReference.offsetOf(num);
    const next = numbers[index + 1];
    const end = next === undefined ? source.size : crossReference.offsetOf(next);
    const object = document.objects.readAt(num, offset, end);
    if (!object) continue;
    const { value } = object;
    if (value instanceof PdfStream) {
      const { dict } = value;
      if (dict.is("Type", "XRef") || (dict.is("Type", "ObjStm") && !objectStreams.has(num))) continue;
      // `H` may be wrong after an update. Another object at its offset is unlikely to look like a hint stream.
      if (offset === hintStream && isHintStream(dict)) continue;
    } else if (value instanceof PdfDict && value.has("Linearized") && value.has("L")) {
      hintStream = integerOf(value.array("H")[0]) ?? -1;
      continue;
    }
    const entry = crossReference.get(num);
    yield { ...object, namedGen: entry?.kind === "file" ? entry.gen : object.gen };
  }
}

/** Hint streams have no type (ISO 32000-2, Table F.2). `S` is the offset of the shared objects in it. */
function isHintStream(dict: PdfDict): boolean {
  return dict.integer("S") !== undefined && !dict.has("Type") && !dict.has("Subtype");
}

/** Returns whether an object is at an offset. Offset 0 may mean a deleted object, or an object that begins there. */
function isObject(document: PdfDocument, num: number, offset: number): boolean {
  if (offset > 0) return true;
  try {
    return document.objects.readAt(num, offset) !== undefined;
  } catch (error) {
    if (error instanceof BrokenStructure) return false;
    throw error;
  }
}
