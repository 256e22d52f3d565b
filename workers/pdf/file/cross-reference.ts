/** Where an indirect object is. */
export type Entry =
  | { readonly kind: "file"; readonly offset: number; readonly gen: number }
  | { readonly kind: "packed"; readonly container: number; readonly index: number }
  | { readonly kind: "free" };

/** No object of a real file has a higher number: readers stop at it (ISO 32000-1, Annex C). */
export const OBJECT_NUMBER_LIMIT = 8_388_607;

const KINDS = ["absent", "free", "file", "packed"] as const;

/**
 * Which objects a file has and where: its cross-reference sections taken together. Thirteen bytes an object, for a
 * file may have millions.
 */
export class CrossReference {
  #kinds = new Uint8Array(1024);
  /** An offset, or a container's number. */
  #places = new Float64Array(1024);
  /** A generation, or an index in a container. */
  #details = new Uint32Array(1024);
  #highest = 0;

  get(num: number): Entry | undefined {
    const kind = KINDS[this.#kinds[num] ?? 0];
    const place = this.#places[num] ?? 0;
    const detail = this.#details[num] ?? 0;
    if (kind === "file") return { kind, offset: place, gen: detail };
    if (kind === "packed") return { kind, container: place, index: detail };
    return kind === "free" ? { kind } : undefined;
  }

  /** Sets an entry unless a newer section has said something about the object already. */
  add(num: number, entry: Entry): void {
    if (!this.#kinds[num]) this.replace(num, entry);
  }

  /** Sets an entry whatever was said before. */
  replace(num: number, entry: Entry): void {
    if (num <= 0 || num > OBJECT_NUMBER_LIMIT) return;
    if (num >= this.#kinds.length) this.#grow(num + 1);
    this.#kinds[num] = KINDS.indexOf(entry.kind);
    this.#highest = Math.max(this.#highest, num);
    if (entry.kind === "file") this.#set(num, entry.offset, entry.gen);
    else if (entry.kind === "packed") this.#set(num, entry.container, entry.index);
  }

  /** All entries, in the order of their numbers. */
  *entries(): Generator<[number, Entry]> {
    for (let num = 1; num <= this.#highest; num++) {
      const entry = this.get(num);
      if (entry) yield [num, entry];
    }
  }

  /** The highest object number. */
  get highest(): number {
    return this.#highest;
  }

  #set(num: number, place: number, detail: number): void {
    this.#places[num] = place;
    this.#details[num] = detail;
  }

  #grow(length: number): void {
    const size = Math.max(length, this.#kinds.length * 2);
    const [kinds, places, details] = [new Uint8Array(size), new Float64Array(size), new Uint32Array(size)];
    kinds.set(this.#kinds);
    places.set(this.#places);
    details.set(this.#details);
    this.#kinds = kinds;
    this.#places = places;
    this.#details = details;
  }
}

/** A cross-reference or an object that is not where or what the file says: the file needs a rebuild. */
export class BrokenStructure extends Error {
  override readonly name = "BrokenStructure";
}
