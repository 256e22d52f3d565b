/** Where an indirect object is. */
export type Entry =
  | { readonly kind: "file"; readonly offset: number; readonly gen: number }
  | { readonly kind: "packed"; readonly container: number; readonly index: number }
  | { readonly kind: "free" };

/** No object of a real file has a higher number: readers stop at it (ISO 32000-1, Annex C). */
export const OBJECT_NUMBER_LIMIT = 8_388_607;

/** Which objects a file has and where: its cross-reference sections taken together. */
export class CrossReference {
  readonly #entries = new Map<number, Entry>();

  get(num: number): Entry | undefined {
    return this.#entries.get(num);
  }

  /** Sets an entry unless a newer section has said something about the object already. */
  add(num: number, entry: Entry): void {
    if (num > 0 && num <= OBJECT_NUMBER_LIMIT && !this.#entries.has(num)) this.#entries.set(num, entry);
  }

  /** Sets an entry whatever was said before. */
  replace(num: number, entry: Entry): void {
    if (num > 0 && num <= OBJECT_NUMBER_LIMIT) this.#entries.set(num, entry);
  }

  entries(): IterableIterator<[number, Entry]> {
    return this.#entries.entries();
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The highest object number. */
  get highest(): number {
    let highest = 0;
    for (const num of this.#entries.keys()) if (num > highest) highest = num;
    return highest;
  }
}

/** A cross-reference or an object that is not where or what the file says: the file needs a rebuild. */
export class BrokenStructure extends Error {
  override readonly name = "BrokenStructure";
}
