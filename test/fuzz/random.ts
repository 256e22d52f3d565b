/** A pseudo-random sequence (sfc32) that a seed and an index determine: a case can be made again without those before it. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number, index = 0) {
    this.#a = seed | 0;
    this.#b = index | 0;
    this.#c = Math.floor(index / 2 ** 32) ^ 0x5ea1ed;
    for (let round = 0; round < 15; round++) this.#next();
  }

  #next(): number {
    const sum = (this.#a + this.#b + this.#counter++) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor((this.#next() / 2 ** 32) * limit);
  }

  /** An integer from `first` to `last`, both included. */
  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  /** A size up to `limit`, each order of magnitude as likely as the next. */
  size(limit: number): number {
    return Math.floor(limit ** (this.#next() / 2 ** 32));
  }

  chance(probability: number): boolean {
    return this.#next() / 2 ** 32 < probability;
  }

  /** One of a list that is not empty. */
  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  /** One of a list, undefined out of an empty one. */
  pickAny<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)];
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.below(256));
  }
}
