import { integerOf, PdfDict, PdfRef, PdfStream } from "../syntax/objects.ts";
import { BrokenStructure } from "./cross-reference.ts";
import type { PdfDocument } from "./document.ts";
import type { IndirectObject } from "./object-reader.ts";

/** How far ahead of the walk objects are foreseen. */
const FORESIGHT = 16 * 1024 * 1024;

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
 * @param prefetchFrom of objects from this length on, only beginning and end will be read
 * @throws BrokenStructure when an object is not in its place, or the cross-reference was rebuilt since the walk began
 */
export function* objectsInFileOrder(
  document: PdfDocument,
  prefetchFrom = Number.POSITIVE_INFINITY,
): Generator<PlacedObject> {
  const { trailer, source, crossReference } = document;
  const encrypt = trailer.get("Encrypt");
  // A reference that leads nowhere may name the number of an object of another generation.
  const isResolved = document.resolve(encrypt) instanceof PdfDict;
  const encryptObject = encrypt instanceof PdfRef && isResolved ? encrypt.num : 0;
  const places = new Places(crossReference.size);
  const containers = new Set<number>();
  for (const [num, entry] of crossReference.entries()) {
    if (entry.kind === "packed") containers.add(entry.container);
    else if (entry.kind === "file" && num !== encryptObject && isObject(document, num, entry.offset)) {
      places.add(num, entry.offset);
    }
  }
  let hintStream = -1;
  const prefetch = (start: number, end: number) => {
    // Behind the last one, there is more than its end.
    if (end - start >= prefetchFrom && end < source.size) source.prefetch?.(start, end);
  };
  for (const { num, offset, end } of places.inFileOrder(source.size, prefetch)) {
    const object = document.readAt(num, offset, end);
    // To look for a stream's length may be what finds the damage.
    if (document.recovered) throw new BrokenStructure("objects are not where the walk expects them");
    if (!object) continue;
    const { value } = object;
    if (value instanceof PdfStream) {
      const { dict } = value;
      if (dict.is("Type", "XRef") || (dict.is("Type", "ObjStm") && !containers.has(num))) continue;
      // What has come to stand there since is hardly like one; and where only an update follows, it is of no use, either.
      if (offset === hintStream && isHintStream(dict)) continue;
    } else if (value instanceof PdfDict && value.has("Linearized") && value.has("L")) {
      const [first] = document.array(value.get("H"));
      hintStream = integerOf(first) ?? -1;
      continue;
    }
    const entry = crossReference.get(num);
    yield { ...object, namedGen: entry?.kind === "file" ? entry.gen : object.gen };
  }
}

/** Where objects stand; a file may have millions. */
class Places {
  readonly #numbers: Uint32Array;
  readonly #offsets: Float64Array;
  #count = 0;
  #isInOrder = true;

  constructor(most: number) {
    this.#numbers = new Uint32Array(most);
    this.#offsets = new Float64Array(most);
  }

  add(num: number, offset: number): void {
    if (this.#count > 0 && offset < (this.#offsets[this.#count - 1] ?? 0)) this.#isInOrder = false;
    this.#numbers[this.#count] = num;
    this.#offsets[this.#count++] = offset;
  }

  /**
   * All of them in the order of their offsets, each with the next one's, or the file's end.
   *
   * @param foresee is told of each, some time before its turn, where it begins and ends
   */
  *inFileOrder(
    size: number,
    foresee: (start: number, end: number) => void,
  ): Generator<{ num: number; offset: number; end: number }> {
    const order = Uint32Array.from({ length: this.#count }, (_, index) => index);
    const offsetOf = (index: number | undefined) => this.#offsets[index ?? 0] ?? 0;
    if (!this.#isInOrder) order.sort((one, other) => offsetOf(one) - offsetOf(other));
    const endOf = (at: number) => (at + 1 < order.length ? offsetOf(order[at + 1]) : size);
    let foreseen = 0;
    for (const [at, index] of order.entries()) {
      const offset = offsetOf(index);
      for (; foreseen < order.length; foreseen++) {
        const from = offsetOf(order[foreseen]);
        if (from >= offset + FORESIGHT) break;
        foresee(from, endOf(foreseen));
      }
      yield { num: this.#numbers[index] ?? 0, offset, end: endOf(at) };
    }
  }
}

/** A hint stream says where in it the shared objects begin, and not what it is (ISO 32000-2, Table F.2). */
function isHintStream(dict: PdfDict): boolean {
  return integerOf(dict.get("S")) !== undefined && !dict.has("Type") && !dict.has("Subtype");
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
