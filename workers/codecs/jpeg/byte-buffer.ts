/** In bytes. What a larger file was put together in is given back with the next. */
const LARGEST_KEPT = 8 * 2 ** 20;
const SMALLEST_ROOM = 64 * 1024;

/** What files are put together in, one after the other. */
export class Workbench {
  #room = new Uint8Array(0);
  #length = 0;

  /** Begins a file. */
  clear(): void {
    if (this.#room.length > LARGEST_KEPT) this.#room = new Uint8Array(0);
    this.#length = 0;
  }

  /** Puts more behind what there is. */
  add(bytes: ArrayLike<number>): void {
    const length = this.#length + bytes.length;
    if (length > this.#room.length) {
      const larger = new Uint8Array(Math.max(2 * length, SMALLEST_ROOM));
      larger.set(this.#room.subarray(0, this.#length));
      this.#room = larger;
    }
    this.#room.set(bytes, this.#length);
    this.#length = length;
  }

  /** The file. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#room.slice(0, this.#length);
  }
}
