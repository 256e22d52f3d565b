import { OBJECT_NUMBER_LIMIT } from "./cross-reference.ts";

/** A set of object numbers, of which there may be millions: a bit each. */
export class NumberSet {
  #bits = new Uint8Array(0);

  has(num: number): boolean {
    const byte = num >= 0 && num <= OBJECT_NUMBER_LIMIT ? this.#bits[num >> 3] : undefined;
    return byte !== undefined && (byte & (1 << (num & 7))) !== 0;
  }

  /** Numbers that no object has are left out. */
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
