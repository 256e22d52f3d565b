/** Larger memory is released before the next file, in bytes. */
const MAX_KEPT = 8 * 2 ** 20;
const MIN_CAPACITY = 64 * 1024;

/** A growing buffer that files are assembled in, one after the other. */
export class ByteBuffer {
  #memory = new Uint8Array(0);
  #length = 0;

  /** Removes all bytes. */
  clear(): void {
    if (this.#memory.length > MAX_KEPT) this.#memory = new Uint8Array(0);
    this.#length = 0;
  }

  /** Appends bytes. */
  append(bytes: ArrayLike<number>): void {
    const length = this.#length + bytes.length;
    if (length > this.#memory.length) {
      const larger = new Uint8Array(Math.max(2 * length, MIN_CAPACITY));
      larger.set(this.#memory.subarray(0, this.#length));
      this.#memory = larger;
    }
    this.#memory.set(bytes, this.#length);
    this.#length = length;
  }

  /** Returns a copy of all bytes. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#memory.slice(0, this.#length);
  }
}
