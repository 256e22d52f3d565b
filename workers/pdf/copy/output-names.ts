import { latin1, latin1Bytes } from "../syntax/characters.ts";
import type { PdfObject } from "../syntax/objects.ts";
import { PdfName, PdfString } from "../syntax/objects.ts";

/** The kind of a name. Names of different kinds may be the same. */
export type NameKind =
  | "destination"
  | "field"
  | "font"
  | "attachment"
  | "element"
  | "attribute class"
  | "structure type";

/** The sign between a name and its number. Readers compare font names in default appearances byte by byte. */
const MARKS: Partial<Record<NameKind, string>> = {
  font: "_",
  "attribute class": "_",
  "structure type": "_",
};

/** Honest structure parent keys are below. A document with higher ones loses its tags there. */
export const STRUCTURE_KEY_LIMIT = 2 ** 30;

interface Names {
  /** The meaning of each name in the output, undefined for a name that nothing else may have. */
  readonly taken: Map<string, string | undefined>;
  /** The names of the current document, and their names in the output. */
  readonly current: Map<string, string>;
  /** The last number that each name got. */
  readonly numbers: Map<string, number>;
}

/**
 * The names in an output that gets parts of several documents. A name that an earlier document has taken gets a number.
 * With one document, all names stay as they are.
 */
export class OutputNames {
  /** Whether the output gets parts of several documents. */
  readonly isMerge: boolean;
  readonly #kinds = new Map<NameKind, Names>();
  #nextStructureKey = 0;
  #hasEarlierDocuments = false;

  constructor(isMerge = false) {
    this.isMerge = isMerge;
  }

  /** Whether the output has parts of earlier documents. */
  get hasEarlierDocuments(): boolean {
    return this.#hasEarlierDocuments;
  }

  /** Is added to each structure parent key of the current document. */
  get nextStructureKey(): number {
    return this.#nextStructureKey;
  }

  /**
   * Forgets the names of the current document. They stay taken.
   *
   * @param structureKeys the structure parent keys of the current document
   */
  nextDocument(structureKeys: Iterable<number>): void {
    this.#hasEarlierDocuments = true;
    let highest = -1;
    for (const key of structureKeys) if (key < STRUCTURE_KEY_LIMIT) highest = Math.max(highest, key);
    this.#nextStructureKey += highest + 1;
    for (const { current } of this.#kinds.values()) current.clear();
  }

  /** Takes names that keep their meaning in every document. A document that gives one another meaning gets another name. */
  reserve(kind: NameKind, names: readonly string[]): void {
    const { taken } = this.#namesOf(kind);
    for (const name of names) taken.set(name, undefined);
  }

  /**
   * Returns the name in the output for a name of the current document.
   *
   * @param meaning what the name stands for. Documents share a name with the same meaning
   */
  of(kind: NameKind, name: string, meaning?: string): string {
    if (!this.isMerge) return name;
    const { taken, current, numbers } = this.#namesOf(kind);
    const known = current.get(name);
    if (known !== undefined) return known;
    const isFree = (wanted: string) =>
      !taken.has(wanted) || (meaning !== undefined && taken.get(wanted) === meaning);
    let free = name;
    // A name with a meaning may be one that an earlier document has got.
    let number = meaning === undefined ? (numbers.get(name) ?? 1) : 1;
    while (!isFree(free)) free = `${name}${MARKS[kind] ?? "#"}${++number}`;
    if (free !== name) numbers.set(name, number);
    taken.set(free, meaning);
    current.set(name, free);
    return free;
  }

  /** Returns a string or a name with the spelling that it has in the output. Returns other objects unchanged. */
  renamed(kind: NameKind, object: PdfObject): PdfObject {
    if (object instanceof PdfName) {
      const name = this.of(kind, object.value);
      return name === object.value ? object : PdfName.of(name);
    }
    if (!(object instanceof PdfString)) return object;
    const text = latin1(object.bytes);
    const name = this.of(kind, text);
    return name === text ? object : new PdfString(latin1Bytes(name), object.hex);
  }

  #namesOf(kind: NameKind): Names {
    const known = this.#kinds.get(kind) ?? { taken: new Map(), current: new Map(), numbers: new Map() };
    this.#kinds.set(kind, known);
    return known;
  }
}
