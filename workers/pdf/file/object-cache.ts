import { countParts, PART_BYTES, type PdfObject } from "../syntax/objects.ts";

/** So many objects are kept, and as much of them: bytes in the file, and what each of their parts takes in memory. */
const OBJECTS_KEPT = 4096;
const KEPT_BYTES = 32 * 1024 * 1024;
/** No single object may take more of it than this. */
const KEPT_OBJECT_BYTES = KEPT_BYTES / 2;
/** No part is shorter than two bytes: those of an object up to this length need not be counted. */
const SHORT_OBJECT = 256;

/** Objects that were read lately, by their numbers: what pages share is asked for again and again. */
export class ObjectCache {
  readonly #objects = new Map<number, PdfObject>();
  #bytes = 0;

  get(num: number): PdfObject | undefined {
    return this.#objects.get(num);
  }

  /** @param length how many bytes of the file the object was read from */
  keep(num: number, value: PdfObject, length: number): void {
    const most = Math.max(0, Math.floor((KEPT_OBJECT_BYTES - length) / PART_BYTES));
    const parts = length <= SHORT_OBJECT ? length / 2 : countParts(value, most);
    const bytes = length + PART_BYTES * parts;
    if (bytes > KEPT_OBJECT_BYTES) return;
    if (this.#objects.size >= OBJECTS_KEPT || this.#bytes + bytes > KEPT_BYTES) this.clear();
    this.#objects.set(num, value);
    this.#bytes += bytes;
  }

  clear(): void {
    this.#objects.clear();
    this.#bytes = 0;
  }
}
