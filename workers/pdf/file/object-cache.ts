import type { PdfObject } from "../syntax/objects.ts";
import { countParts, PART_BYTES } from "../syntax/parts.ts";
import { RecentValues } from "./recent-values.ts";

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

/** Caches recent objects by number, because pages share objects. */
export class ObjectCache {
  readonly #recent = new RecentValues<PdfObject>(KEPT_BYTES);
  /** The latest object that is too large for the others, such as an array of 200,000 names. */
  readonly #large = new RecentValues<PdfObject>(0);

  get(num: number): PdfObject | undefined {
    const recent = this.#recent.get(num);
    return recent === undefined ? this.#large.get(num) : recent;
  }

  /** @param length the object's length in the file, in bytes */
  keep(num: number, value: PdfObject, length: number): void {
    const most = Math.max(0, Math.floor((KEPT_OBJECT_BYTES - length) / PART_BYTES));
    const parts = length <= SHORT_OBJECT ? length / 2 : countParts(value, most);
    const bytes = length + PART_BYTES * parts;
    if (bytes > KEPT_OBJECT_BYTES) this.#large.add(num, value, bytes);
    else this.#recent.add(num, value, Math.max(bytes, KEPT_BYTES / OBJECTS_KEPT));
  }

  clear(): void {
    this.#recent.clear();
    this.#large.clear();
  }
}
