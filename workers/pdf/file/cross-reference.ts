/** Where an indirect object is. */
export type Entry =
  | { readonly kind: "file"; readonly offset: number; readonly gen: number }
  | { readonly kind: "packed"; readonly objectStream: number; readonly index: number }
  | { readonly kind: "free" };

/** The highest object number of ISO 32000-1, Annex C. Readers ignore higher ones. */
export const OBJECT_NUMBER_LIMIT = 8_388_607;

/** Kinds of entries as numbers. 0 means no entry. */
const FREE = 1;
const IN_FILE = 2;
const PACKED = 3;

const CHUNK_BITS = 8;
const CHUNK = 1 << CHUNK_BITS;

/** The entries of 256 successive object numbers, in 13 bytes each. */
class Chunk {
  readonly #buffer = new ArrayBuffer(CHUNK * 13);
  /** Offsets, or object numbers of object streams. */
  readonly places = new Float64Array(this.#buffer, 0, CHUNK);
  /** Generations, or indices in object streams. */
  readonly details = new Uint32Array(this.#buffer, CHUNK * 8, CHUNK);
  readonly kinds = new Uint8Array(this.#buffer, CHUNK * 12, CHUNK);
}

/**
 * The merged cross-reference sections of a file. A file may have millions of entries, and a small hostile file may claim
 * high numbers, so only chunks with entries take memory.
 */
export class CrossReference {
  readonly #chunks: (Chunk | undefined)[] = [];
  #highest = 0;
  #size = 0;
  #hasPacked = false;

  get(num: number): Entry | undefined {
    const chunk = num > this.#highest ? undefined : this.#chunks[num >> CHUNK_BITS];
    if (!chunk) return undefined;
    const at = num & (CHUNK - 1);
    const kind = chunk.kinds[at];
    const place = chunk.places[at] ?? 0;
    const detail = chunk.details[at] ?? 0;
    if (kind === IN_FILE) return { kind: "file", offset: place, gen: detail };
    if (kind === PACKED) return { kind: "packed", objectStream: place, index: detail };
    return kind === FREE ? { kind: "free" } : undefined;
  }

  has(num: number): boolean {
    const chunk = num > this.#highest ? undefined : this.#chunks[num >> CHUNK_BITS];
    return chunk !== undefined && chunk.kinds[num & (CHUNK - 1)] !== 0;
  }

  /** Returns the generation number of valid references to an object. */
  generationOf(num: number): number {
    const chunk = num > this.#highest ? undefined : this.#chunks[num >> CHUNK_BITS];
    const at = num & (CHUNK - 1);
    return chunk?.kinds[at] === IN_FILE ? (chunk.details[at] ?? 0) : 0;
  }

  /** Returns the offset of an uncompressed object; 0 for any other. */
  offsetOf(num: number): number {
    const chunk = num > this.#highest ? undefined : this.#chunks[num >> CHUNK_BITS];
    const at = num & (CHUNK - 1);
    return chunk?.kinds[at] === IN_FILE ? (chunk.places[at] ?? 0) : 0;
  }

  /** Adds an entry, unless a newer section has one. */
  add(num: number, entry: Entry): void {
    if (!this.has(num)) this.replace(num, entry);
  }

  /** Adds an uncompressed object, unless a newer section has an entry. */
  addPlace(num: number, offset: number, gen: number): void {
    if (!this.has(num)) this.#set(num, IN_FILE, offset, gen);
  }

  /** Sets an entry, even if there is one already. */
  replace(num: number, entry: Entry): void {
    if (entry.kind === "free") this.#set(num, FREE);
    else if (entry.kind === "file") this.#set(num, IN_FILE, entry.offset, entry.gen);
    else this.#set(num, PACKED, entry.objectStream, entry.index);
  }

  #set(num: number, kind: number, place = 0, detail = 0): void {
    if (num <= 0 || num > OBJECT_NUMBER_LIMIT) return;
    const chunk = this.#chunkOf(num);
    const at = num & (CHUNK - 1);
    if (chunk.kinds[at] === 0) this.#size++;
    if (kind === PACKED) this.#hasPacked = true;
    if (num > this.#highest) this.#highest = num;
    chunk.kinds[at] = kind;
    chunk.places[at] = place;
    chunk.details[at] = detail;
  }

  /** Whether any object was packed into an object stream. */
  get hasPacked(): boolean {
    return this.#hasPacked;
  }

  /** All entries, in the order of their numbers. */
  *entries(): Generator<[number, Entry]> {
    for (let index = 0; index < this.#chunks.length; index++) {
      if (!this.#chunks[index]) continue;
      for (let num = index << CHUNK_BITS; num < (index + 1) << CHUNK_BITS; num++) {
        const entry = this.get(num);
        if (entry) yield [num, entry];
      }
    }
  }

  get size(): number {
    return this.#size;
  }

  get highest(): number {
    return this.#highest;
  }

  #chunkOf(num: number): Chunk {
    const index = num >> CHUNK_BITS;
    while (this.#chunks.length < index) this.#chunks.push(undefined);
    const chunk = this.#chunks[index] ?? new Chunk();
    this.#chunks[index] = chunk;
    return chunk;
  }
}

/**
 * The error for an object or a cross-reference that is not where the file says. What was read before may be wrong, too, so
 * `withRebuild` begins the work again with the document that a scan of the file finds.
 */
export class BrokenStructure extends Error {
  override readonly name = "BrokenStructure";
}

/** A set of object numbers, with one bit for each. A file may have millions. */
export class NumberSet {
  #bits = new Uint8Array(0);

  has(num: number): boolean {
    const byte = num >= 0 && num <= OBJECT_NUMBER_LIMIT ? this.#bits[num >> 3] : undefined;
    return byte !== undefined && (byte & (1 << (num & 7))) !== 0;
  }

  /** Ignores invalid object numbers. */
  add(num: number): void {
    if (!(num >= 0 && num <= OBJECT_NUMBER_LIMIT)) return;
    const at = num >> 3;
    if (at >= this.#bits.length) this.#grow(at + 1);
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (num & 7));
  }

  #grow(length: number): void {
    const grown = new Uint8Array(Math.max(length, 2 * this.#bits.length));
    grown.set(this.#bits);
    this.#bits = grown;
  }
}
