import type { ByteSource } from "../../io/source.ts";
import { latin1 } from "./characters.ts";

/**
 * The objects of ISO 32000-2, 7.3. Integers, booleans and null are JavaScript's own; an array is an array. The
 * rest are the classes below, so that `instanceof` shows what an object is.
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

/** Returns the object that a reference leads to, and any other object unchanged. */
export type Resolve = (object: PdfObject | undefined) => PdfObject;

/** A number that is not a plain integer (ISO 32000-2, 7.3.3). Keeps its text, so that writing loses no digit. */
export class PdfReal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The number; 0 when the text is not a number. */
  get value(): number {
    const value = Number.parseFloat(this.text);
    return Number.isFinite(value) ? value : 0;
  }
}

/** The size of the cache of names, which is indexed by a hash of their bytes. A file has few different names. */
const NAMES_KEPT = 4096;
const NAME_LENGTH_KEPT = 64;
const latestNames: (PdfName | undefined)[] = new Array(NAMES_KEPT).fill(undefined);

/** Adds a byte to the hash of a name. The hash of no bytes is 0. */
export function hashName(before: number, byte: number): number {
  return (Math.imul(before, 31) + byte) | 0;
}

/** A name (ISO 32000-2, 7.3.5). `value` holds its bytes with `#xx` resolved, one character for each byte. */
export class PdfName {
  readonly value: string;

  private constructor(value: string) {
    this.value = value;
  }

  /** Returns the name with these bytes, one character for each. */
  static of(value: string): PdfName {
    let hash = 0;
    for (let index = 0; index < value.length; index++) hash = hashName(hash, value.charCodeAt(index));
    const known = latestNames[hash & (NAMES_KEPT - 1)];
    return known?.value === value ? known : PdfName.#kept(value, hash);
  }

  /**
   * Returns the name with the bytes `from` to `to`. A known name needs no new string.
   *
   * @param hash the hash of these bytes: see {@link hashName}
   */
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

/** A string of bytes (ISO 32000-2, 7.3.4). `hex` is its form in the file. */
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

/** With more keys, a dictionary has a table of their positions. A search through few keys is faster. */
const FEW_KEYS = 12;

/**
 * A dictionary (ISO 32000-2, 7.3.7). Keeps the order of its keys. Uses a list: a file has hundreds of thousands of small
 * dictionaries, and a `Map` takes several times as long to make.
 */
export class PdfDict {
  /** Keys and values, alternating. */
  private readonly flat: (string | PdfObject)[];
  /** The position of each key, computed on first use. */
  private table: Map<string, number> | undefined;

  /** @param flat keys and values, alternating, no key twice; the dictionary keeps this list and changes it */
  constructor(flat: (string | PdfObject)[] = []) {
    this.flat = flat;
    this.table = undefined;
  }

  /** Makes a dictionary of entries. Of two entries with the same key, the later one counts. */
  static from(entries: Iterable<readonly [string, PdfObject]>): PdfDict {
    const dict = new PdfDict();
    for (const [key, value] of entries) dict.set(key, value);
    return dict;
  }

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

  /** Returns whether the entry `key` is the name `value`. */
  is(key: string, value: string): boolean {
    const entry = this.get(key);
    return entry instanceof PdfName && entry.value === value;
  }

  /** Returns a shallow copy. */
  clone(): PdfDict {
    return new PdfDict(this.flat.slice());
  }

  /** Replaces the value of the entry `index`. */
  setValueAt(index: number, value: PdfObject): void {
    this.flat[2 * index + 1] = value;
  }

  /** Removes the entries whose value is null. */
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
 * A stream's encoded bytes: a range of a file, perhaps encrypted with the key of the owner object, or bytes in memory,
 * never encrypted.
 */
export type StreamData =
  | {
      readonly kind: "file";
      readonly source: ByteSource;
      readonly start: number;
      readonly end: number;
      readonly owner: PdfRef;
    }
  | { readonly kind: "memory"; readonly bytes: Uint8Array };

/** Returns the length of a stream's encoded bytes. */
export function dataLength(data: StreamData): number {
  return data.kind === "memory" ? data.bytes.length : data.end - data.start;
}

/** Reads a range of a stream's encoded bytes. */
export function readData(data: StreamData, start: number, end: number): Uint8Array {
  if (data.kind === "memory") return data.bytes.subarray(start, end);
  return data.source.read(data.start + start, Math.min(data.start + end, data.end));
}

/** A stream: its dictionary and its encoded bytes (ISO 32000-2, 7.3.8). */
export class PdfStream {
  readonly dict: PdfDict;
  readonly data: StreamData;

  constructor(dict: PdfDict, data: StreamData) {
    this.dict = dict;
    this.data = data;
  }
}

/** Returns an object as an integer; a real without a fraction counts. */
export function integerOf(object: PdfObject | undefined): number | undefined {
  if (typeof object === "number") return object;
  if (object instanceof PdfReal && Number.isSafeInteger(object.value)) return object.value;
  return undefined;
}

/** Returns an object as a number. */
export function numberOf(object: PdfObject | undefined): number | undefined {
  if (typeof object === "number") return object;
  return object instanceof PdfReal ? object.value : undefined;
}

/** The approximate memory of an array, a dictionary or a string, in addition to its bytes. */
export const PART_BYTES = 160;

/** Counts the arrays, dictionaries and strings in an object. Stops shortly after `most`. */
export function countParts(object: PdfObject, most: number): number {
  return addParts(object, 0, most);
}

/** Adds to a count. The parser bounds the depth. */
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

/** Returns a dictionary or the dictionary of a stream. */
export function dictOf(object: PdfObject | undefined): PdfDict | undefined {
  if (object instanceof PdfDict) return object;
  return object instanceof PdfStream ? object.dict : undefined;
}

/**
 * Returns an object with every part that holds no other object replaced by `change`. Copies only what changes. The parser
 * bounds the depth.
 *
 * @param change gets the part, and its key and dictionary if it is an entry of one
 */
export function mapLeaves<Value extends PdfObject>(object: Value, change: LeafChange): Value;
export function mapLeaves(object: PdfObject, change: LeafChange): PdfObject {
  return mapped(object, change);
}

type LeafChange = (leaf: PdfObject, key?: string, owner?: PdfDict) => PdfObject;

function mapped(object: PdfObject, change: LeafChange, key?: string, owner?: PdfDict): PdfObject {
  if (object instanceof PdfStream) {
    const dict = mapLeaves(object.dict, change);
    return dict === object.dict ? object : new PdfStream(dict, object.data);
  }
  if (Array.isArray(object)) {
    let copy: PdfObject[] | undefined;
    for (let index = 0; index < object.length; index++) {
      const item = object[index] ?? null;
      const changed = mapped(item, change);
      if (changed === item) continue;
      copy ??= object.slice();
      copy[index] = changed;
    }
    return copy ?? object;
  }
  if (!(object instanceof PdfDict)) return change(object, key, owner);
  let copy: PdfDict | undefined;
  for (let index = 0; index < object.size; index++) {
    const value = object.valueAt(index);
    const changed = mapped(value, change, object.keyAt(index), object);
    if (changed === value) continue;
    copy ??= object.clone();
    copy.setValueAt(index, changed);
  }
  return copy ?? object;
}
