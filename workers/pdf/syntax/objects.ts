/**
 * The objects of ISO 32000-2, 7.3. Integers, booleans and null are JavaScript's own; an array is an array. The
 * rest are the classes below, so that `instanceof` tells what an object is.
 */
export type PdfObject =
  | null
  | boolean
  | number
  | PdfReal
  | PdfName
  | PdfString
  | PdfRef
  | PdfDict
  | PdfStream
  | PdfObject[];

/** A number that is not a plain integer. Its text is kept: writing it back loses no digit. */
export class PdfReal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get value(): number {
    const value = Number.parseFloat(this.text);
    return Number.isFinite(value) ? value : 0;
  }
}

const names = new Map<string, PdfName>();
const NAMES_KEPT = 4096;
const NAME_LENGTH_KEPT = 64;

/** A name; `value` holds its bytes after `#xx` is resolved, one byte a character. */
export class PdfName {
  readonly value: string;

  private constructor(value: string) {
    this.value = value;
  }

  static of(value: string): PdfName {
    const known = names.get(value);
    if (known) return known;
    const name = new PdfName(value);
    // The table outlives the document: a hostile one must not fill it.
    if (names.size < NAMES_KEPT && value.length <= NAME_LENGTH_KEPT) names.set(value, name);
    return name;
  }
}

/** A string of bytes; `hex` remembers the form it was written in. */
export class PdfString {
  readonly bytes: Uint8Array;
  readonly hex: boolean;

  constructor(bytes: Uint8Array, hex = false) {
    this.bytes = bytes;
    this.hex = hex;
  }
}

/** A reference to an indirect object. */
export class PdfRef {
  readonly num: number;
  readonly gen: number;

  constructor(num: number, gen: number) {
    this.num = num;
    this.gen = gen;
  }
}

/** A dictionary; the order of its keys is kept. */
export class PdfDict {
  readonly entries: Map<string, PdfObject>;

  constructor(entries: Map<string, PdfObject> = new Map()) {
    this.entries = entries;
  }

  get(key: string): PdfObject | undefined {
    return this.entries.get(key);
  }

  has(key: string): boolean {
    return this.entries.has(key);
  }

  set(key: string, value: PdfObject): void {
    this.entries.set(key, value);
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  /** Whether the entry `key` is the name `value`. */
  is(key: string, value: string): boolean {
    const entry = this.entries.get(key);
    return entry instanceof PdfName && entry.value === value;
  }

  /** A copy that can be changed without changing this one; the values are shared. */
  clone(): PdfDict {
    return new PdfDict(new Map(this.entries));
  }
}

/**
 * Where a stream's bytes are: a range of the file, as they stand there and perhaps encrypted under the number of
 * the object that they belong to, or bytes in memory, never encrypted.
 */
export type StreamData =
  | { readonly kind: "file"; readonly start: number; readonly end: number; readonly owner: PdfRef }
  | { readonly kind: "memory"; readonly bytes: Uint8Array };

/** A stream: its dictionary and its encoded bytes. */
export class PdfStream {
  readonly dict: PdfDict;
  readonly data: StreamData;

  constructor(dict: PdfDict, data: StreamData) {
    this.dict = dict;
    this.data = data;
  }
}

/** The integer that an object is; a real with no fraction counts. */
export function integerOf(object: PdfObject | undefined): number | undefined {
  if (typeof object === "number") return object;
  if (object instanceof PdfReal && Number.isSafeInteger(object.value)) return object.value;
  return undefined;
}

/** The number that an object is. */
export function numberOf(object: PdfObject | undefined): number | undefined {
  if (typeof object === "number") return object;
  return object instanceof PdfReal ? object.value : undefined;
}

/** About the memory that an array, a dictionary or a string takes, beside its bytes. */
export const PART_BYTES = 160;

/** How many arrays, dictionaries and strings an object consists of; `most + 1` when there are more than `most`. */
export function countParts(object: PdfObject, most: number): number {
  let parts = 0;
  const next: PdfObject[] = [object];
  for (let part = next.pop(); part !== undefined; part = next.pop()) {
    const dict = dictOf(part);
    if (!dict && !Array.isArray(part) && !(part instanceof PdfString)) continue;
    if (++parts > most) break;
    for (const item of dict ? dict.entries.values() : Array.isArray(part) ? part : []) next.push(item);
  }
  return parts;
}

/** The dictionary that an object is or, for a stream, carries. */
export function dictOf(object: PdfObject | undefined): PdfDict | undefined {
  if (object instanceof PdfDict) return object;
  return object instanceof PdfStream ? object.dict : undefined;
}
