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

/** The file that an object comes from. Follows references, and counts the work on lists and strings. */
export interface ObjectSource {
  /** Returns the object that a reference names; null when there is none. */
  read(ref: PdfRef): PdfObject;
  readonly budget: { charge(kind: "entry" | "byte", count: number): void };
}

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
  readonly #source: ObjectSource | undefined;

  /** @param source the file that it is read from; absent for a reference in a new file, which cannot be followed */
  constructor(num: number, gen: number, source?: ObjectSource) {
    this.num = num;
    this.gen = gen;
    this.#source = source;
  }

  /**
   * Returns the object that it leads to; null when there is none. Charges for an array or a string, because other objects
   * may share it.
   */
  resolve(): PdfObject {
    const source = this.#source;
    const found = source ? source.read(this) : null;
    if (source) chargeFor(source, found);
    return found;
  }
}

/** Charges for the items of an array, of the arrays in it, and for the bytes of strings. The parser bounds the depth. */
function chargeFor(source: ObjectSource, object: PdfObject | undefined): void {
  const { budget } = source;
  if (object instanceof PdfString) budget.charge("byte", object.bytes.length);
  if (!Array.isArray(object)) return;
  budget.charge("entry", object.length);
  for (const item of object) chargeFor(source, item);
}

/** With more keys, a dictionary has a table of their positions. A search through few keys is faster. */
const FEW_KEYS = 12;

/**
 * A dictionary (ISO 32000-2, 7.3.7). Keeps the order of its keys. Uses a list: a file has hundreds of thousands of small
 * dictionaries, and a `Map` takes several times as long to make.
 *
 * `get` returns an entry as it is. The readers with the name of a type ({@link PdfDict.name}, {@link PdfDict.array} and the
 * others) follow a reference and return undefined, or an empty array, for an object of another type. A dictionary from a
 * file charges for the arrays and strings that are read from it, and for all its entries when they are walked or copied: very
 * many objects may lead to one dictionary.
 */
export class PdfDict {
  /** Keys and values, alternating. */
  private readonly flat: (string | PdfObject)[];
  /** The position of each key, computed on first use. */
  private table: Map<string, number> | undefined;
  readonly #source: ObjectSource | undefined;

  /**
   * @param flat keys and values, alternating, no key twice; the dictionary keeps this list and changes it
   * @param source the file that it is read from
   */
  constructor(flat: (string | PdfObject)[] = [], source?: ObjectSource) {
    this.flat = flat;
    this.table = undefined;
    this.#source = source;
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
    this.#source?.budget.charge("entry", this.size);
    for (let index = 0; index < this.size; index++) yield [this.keyAt(index), this.valueAt(index)];
  }

  /** The values of all entries, in order. */
  *values(): Generator<PdfObject> {
    this.#source?.budget.charge("entry", this.size);
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

  /** Returns the object of an entry, of any type; null when there is none. */
  value(key: string): PdfObject {
    const entry = this.get(key);
    if (entry instanceof PdfRef) return entry.resolve();
    if (this.#source) chargeFor(this.#source, entry);
    return entry ?? null;
  }

  name(key: string): string | undefined {
    return nameOf(this.get(key));
  }

  integer(key: string): number | undefined {
    return integerOf(this.get(key));
  }

  number(key: string): number | undefined {
    return numberOf(this.get(key));
  }

  string(key: string): PdfString | undefined {
    return stringOf(this.value(key));
  }

  /** Returns the items of an array, which may be references. */
  array(key: string): readonly PdfObject[] {
    return arrayOf(this.value(key));
  }

  /** Returns the items of an entry that is an array or, where the standard allows it, a single item. */
  list(key: string): readonly PdfObject[] {
    const found = this.value(key);
    if (found === null) return [];
    return Array.isArray(found) ? found : [this.get(key) ?? null];
  }

  dict(key: string): PdfDict | undefined {
    return dictOf(this.get(key));
  }

  stream(key: string): PdfStream | undefined {
    return streamOf(this.get(key));
  }

  /** Returns an entry that is a reference, without following it. */
  reference(key: string): PdfRef | undefined {
    const entry = this.get(key);
    return entry instanceof PdfRef ? entry : undefined;
  }

  /** Returns whether the entry `key` is the name `value`. */
  is(key: string, value: string): boolean {
    return this.name(key) === value;
  }

  /** Returns a shallow copy. */
  clone(): PdfDict {
    this.#source?.budget.charge("entry", this.size);
    return new PdfDict(this.flat.slice(), this.#source);
  }

  /** Replaces the value of the entry `index`. */
  setValueAt(index: number, value: PdfObject): void {
    this.flat[2 * index + 1] = value;
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

/**
 * Returns the object that a reference leads to, or null when it dangles, and any other object unchanged. The functions for
 * one type, such as {@link nameOf}, do the same and return undefined for an object of another type.
 */
export function resolved(object: PdfObject | undefined): PdfObject {
  return object instanceof PdfRef ? object.resolve() : (object ?? null);
}

/** Returns the bytes of a name. */
export function nameOf(object: PdfObject | undefined): string | undefined {
  const found = resolved(object);
  return found instanceof PdfName ? found.value : undefined;
}

/** Returns an integer. A real without a fraction counts. */
export function integerOf(object: PdfObject | undefined): number | undefined {
  const found = resolved(object);
  if (typeof found === "number") return found;
  return found instanceof PdfReal && Number.isSafeInteger(found.value) ? found.value : undefined;
}

/** Returns a number, an integer or not. */
export function numberOf(object: PdfObject | undefined): number | undefined {
  const found = resolved(object);
  if (typeof found === "number") return found;
  return found instanceof PdfReal ? found.value : undefined;
}

/** Returns so many numbers of an array; undefined when it has fewer. */
export function numbersOf(object: PdfObject | undefined, count: number): readonly number[] | undefined {
  const numbers = arrayOf(object)
    .slice(0, count)
    .map(numberOf)
    .filter((value) => value !== undefined);
  return numbers.length === count ? numbers : undefined;
}

/** Returns a string. */
export function stringOf(object: PdfObject | undefined): PdfString | undefined {
  const found = resolved(object);
  return found instanceof PdfString ? found : undefined;
}

/** Returns the items of an array, which may be references; none for another object. */
export function arrayOf(object: PdfObject | undefined): readonly PdfObject[] {
  const found = resolved(object);
  return Array.isArray(found) ? found : [];
}

/** Returns a dictionary, or the dictionary of a stream. */
export function dictOf(object: PdfObject | undefined): PdfDict | undefined {
  const found = resolved(object);
  if (found instanceof PdfDict) return found;
  return found instanceof PdfStream ? found.dict : undefined;
}

/** Returns a stream. */
export function streamOf(object: PdfObject | undefined): PdfStream | undefined {
  const found = resolved(object);
  return found instanceof PdfStream ? found : undefined;
}
