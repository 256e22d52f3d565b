import { countParts, PART_BYTES, type PdfObject } from "../syntax/objects.ts";

/**
 * The most objects in the cache, and their size: their bytes in the file and the memory of their parts. With twice as
 * many, splitting 200,000 objects takes 30 MB more and is not faster.
 */
const OBJECTS_KEPT = 256;
const KEPT_BYTES = 32 * 1024 * 1024;
/** A larger object is kept by itself, until the next such object is read. */
const KEPT_OBJECT_BYTES = KEPT_BYTES / 2;
/** The parts of a shorter object are not counted: each takes at least two bytes. */
const SHORT_OBJECT = 256;

interface Kept {
  readonly value: PdfObject;
  readonly bytes: number;
}

/**
 * Caches recent objects by number, because pages share objects. Has two generations: when the recent one is full, it
 * replaces the earlier one.
 */
export class ObjectCache {
  #recent = new Map<number, Kept>();
  #recentBytes = 0;
  #earlier = new Map<number, Kept>();
  /** The latest object that is too large for the two generations, such as an array of 200,000 names. */
  #large: { readonly num: number; readonly value: PdfObject } | undefined;

  get(num: number): PdfObject | undefined {
    const recent = this.#recent.get(num);
    if (recent) return recent.value;
    const earlier = this.#earlier.get(num);
    if (earlier) this.#add(num, earlier);
    if (earlier === undefined && this.#large?.num === num) return this.#large.value;
    return earlier?.value;
  }

  /** @param length the object's length in the file, in bytes */
  keep(num: number, value: PdfObject, length: number): void {
    const most = Math.max(0, Math.floor((KEPT_OBJECT_BYTES - length) / PART_BYTES));
    const parts = length <= SHORT_OBJECT ? length / 2 : countParts(value, most);
    const bytes = length + PART_BYTES * parts;
    if (bytes <= KEPT_OBJECT_BYTES) this.#add(num, { value, bytes });
    else this.#large = { num, value };
  }

  clear(): void {
    this.#recent = new Map();
    this.#recentBytes = 0;
    this.#earlier = new Map();
    this.#large = undefined;
  }

  #add(num: number, kept: Kept): void {
    if (this.#recent.size >= OBJECTS_KEPT / 2 || this.#recentBytes + kept.bytes > KEPT_BYTES / 2) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
      this.#recentBytes = 0;
    }
    this.#recent.set(num, kept);
    this.#recentBytes += kept.bytes;
  }
}
