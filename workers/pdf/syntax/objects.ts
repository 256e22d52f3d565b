import { latin1 } from "./characters.ts";

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

/** A number that is not a plain integer (ISO 32000-2, 7.3.3). Its text is kept: writing it back loses no digit. */
export class PdfReal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The number; 0 for a text that is none. */
  get value(): number {
    const value = Number.parseFloat(this.text);
    return Number.isFinite(value) ? value : 0;
  }
}

/** Names that were met lately, by a hash of their bytes: a file has few, and has them again and again. */
const NAMES_KEPT = 4096;
const NAME_LENGTH_KEPT = 64;
const latestNames: (PdfName | undefined)[] = new Array(NAMES_KEPT).fill(undefined);

/** The hash of a name's bytes up to `byte`, given that of those before it; it begins with 0. */
export function hashName(before: number, byte: number): number {
  return (Math.imul(before, 31) + byte) | 0;
}

/** A name (ISO 32000-2, 7.3.5); `value` holds its bytes after `#xx` is resolved, one byte a character. */
export class PdfName {
  readonly value: string;

  private constructor(value: string) {
    this.value = value;
  }

  /** The name of these bytes, one character each. */
  static of(value: string): PdfName {
    let hash = 0;
    for (let index = 0; index < value.length; index++) hash = hashName(hash, value.charCodeAt(index));
    const known = latestNames[hash & (NAMES_KEPT - 1)];
    return known?.value === value ? known : PdfName.#kept(value, hash);
  }

  /** The name that has the bytes `from` to `to`, without a text made of them where it is known. */
  static spelled(bytes: Uint8Array, from: number, to: number, hash: number): PdfName {
    const known = latestNames[hash & (NAMES_KEPT - 1)];
    return known && isSpelled(known.value, bytes, from, to)
      ? known
      : PdfName.#kept(latin1(bytes, from, to), hash);
  }

  static #kept(value: string, hash: number): PdfName {
    const name = new PdfName(value);
    if (value.length <= NAME_LENGTH_KEPT) latestNames[hash & (NAMES_KEPT - 1)] = name;
    return name;
  }
}

function isSpelled(text: string, bytes: Uint8Array, from: number, to: number): boolean {
  if (text.length !== to - from) return false;
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) !== bytes[from + index]) return false;
  }
  return true;
}

/** A string of bytes (ISO 32000-2, 7.3.4); `hex` remembers the form it was written in. */
export class PdfString {
  readonly bytes: Uint8Array;
  readonly hex: boolean;

  constructor(bytes: Uint8Array, hex = false) {
    this.bytes = bytes;
    this.hex = hex;
  }
}

/** A reference to an indirect object (ISO 32000-2, 7.3.10). */
export class PdfRef {
  readonly num: number;
  readonly gen: number;

  constructor(num: number, gen: number) {
    this.num = num;
    this.gen = gen;
  }
}

/** With more keys than this a dictionary has a table of where they are; few are found sooner one by one. */
const FEW_KEYS = 12;

/**
 * A dictionary (ISO 32000-2, 7.3.7); the order of its keys is kept. It is a list and no `Map`: most have a handful of
 * keys, there are hundreds of thousands in a file, and a `Map` takes several times as long to make.
 */
export class PdfDict {
  /** Keys and values by turns. */
  private readonly flat: (string | PdfObject)[];
  /** Where each key is, made when it is first asked for. */
  private table: Map<string, number> | undefined;

  /** @param flat keys and values by turns, no key twice; the list becomes the dictionary's own */
  constructor(flat: (string | PdfObject)[] = []) {
    this.flat = flat;
    this.table = undefined;
  }

  /** The dictionary of these entries; of two with the same key, the later. */
  static from(entries: Iterable<readonly [string, PdfObject]>): PdfDict {
    const dict = new PdfDict();
    for (const [key, value] of entries) dict.set(key, value);
    return dict;
  }

  /** How many entries it has. */
  get size(): number {
    return this.flat.length >> 1;
  }

  /** The key of the entry `index`, counted from 0. */
  keyAt(index: number): string {
    return this.flat[2 * index] as string;
  }

  /** The value of the entry `index`, counted from 0. */
  valueAt(index: number): PdfObject {
    return this.flat[2 * index + 1] as PdfObject;
  }

  /** All entries, in order. */
  *entries(): Generator<[string, PdfObject]> {
    for (let index = 0; index < this.size; index++) yield [this.keyAt(index), this.valueAt(index)];
  }

  /** The values of all entries, in order. */
  *values(): Generator<PdfObject> {
    for (let index = 0; index < this.size; index++) yield this.valueAt(index);
  }

  get(key: string): PdfObject | undefined {
    const at = this.placeOf(key);
    return at < 0 ? undefined : (this.flat[at + 1] as PdfObject);
  }

  has(key: string): boolean {
    return this.placeOf(key) >= 0;
  }

  set(key: string, value: PdfObject): void {
    const at = this.placeOf(key);
    if (at >= 0) this.flat[at + 1] = value;
    else {
      this.table?.set(key, this.flat.length);
      this.flat.push(key, value);
    }
  }

  delete(key: string): void {
    const at = this.placeOf(key);
    if (at < 0) return;
    this.flat.splice(at, 2);
    this.table = undefined;
  }

  /** Whether the entry `key` is the name `value`. */
  is(key: string, value: string): boolean {
    const entry = this.get(key);
    return entry instanceof PdfName && entry.value === value;
  }

  /** A copy that can be changed without changing this one; the values are shared. */
  clone(): PdfDict {
    return new PdfDict(this.flat.slice());
  }

  /** Puts another value into the entry `index`. */
  setValueAt(index: number, value: PdfObject): void {
    this.flat[2 * index + 1] = value;
  }

  /** Leaves entries out whose value is null. */
  dropNulls(): void {
    const { flat } = this;
    let kept = 0;
    for (let at = 0; at < flat.length; at += 2) {
      if (flat[at + 1] === null) continue;
      flat[kept++] = flat[at] as string;
      flat[kept++] = flat[at + 1] as PdfObject;
    }
    flat.length = kept;
    this.table = undefined;
  }

  private placeOf(key: string): number {
    const { flat } = this;
    if (flat.length > 2 * FEW_KEYS) {
      this.table ??= tableOf(flat);
      return this.table.get(key) ?? -1;
    }
    for (let at = 0; at < flat.length; at += 2) if (flat[at] === key) return at;
    return -1;
  }
}

function tableOf(flat: readonly (string | PdfObject)[]): Map<string, number> {
  const table = new Map<string, number>();
  for (let at = 0; at < flat.length; at += 2) table.set(flat[at] as string, at);
  return table;
}

/**
 * Where a stream's bytes are: a range of the file, as they stand there and perhaps encrypted under the number of
 * the object that they belong to, or bytes in memory, never encrypted.
 */
export type StreamData =
  | { readonly kind: "file"; readonly start: number; readonly end: number; readonly owner: PdfRef }
  | { readonly kind: "memory"; readonly bytes: Uint8Array };

/** A stream: its dictionary and its encoded bytes (ISO 32000-2, 7.3.8). */
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
  return addParts(object, 0, most);
}

/** Adds to a count. Depth is bounded by what the parser lets in. */
function addParts(object: PdfObject, before: number, most: number): number {
  if (typeof object !== "object" || object === null || before > most) return before;
  const dict = dictOf(object);
  let parts = before;
  if (dict) {
    parts++;
    const { size } = dict;
    for (let index = 0; index < size; index++) parts = addParts(dict.valueAt(index), parts, most);
  } else if (Array.isArray(object)) {
    parts++;
    for (const item of object) parts = addParts(item, parts, most);
  } else if (object instanceof PdfString) parts++;
  return parts;
}

/** The dictionary that an object is or, for a stream, carries. */
export function dictOf(object: PdfObject | undefined): PdfDict | undefined {
  if (object instanceof PdfDict) return object;
  return object instanceof PdfStream ? object.dict : undefined;
}
