interface Kept<Value> {
  readonly value: Value;
  readonly bytes: number;
}

/**
 * Caches recently used values, up to a number of bytes. The latest value is kept whatever its size.
 *
 * It has two maps: when the recent one is full, it takes the place of the earlier one. One map in the order of use needs
 * an iterator to find its oldest value, and in Firefox each deletion visits all iterators that are not collected yet.
 */
export class RecentValues<Value> {
  readonly #mostBytes: number;
  /** The values that were added or used most recently. They have at most half of the bytes, or there is one. */
  #recent = new Map<number, Kept<Value>>();
  /** The values before them. */
  #earlier = new Map<number, Kept<Value>>();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get(num: number): Value | undefined {
    const recent = this.#recent.get(num);
    if (recent !== undefined) return recent.value;
    const earlier = this.#earlier.get(num);
    if (earlier !== undefined) this.add(num, earlier.value, earlier.bytes);
    return earlier?.value;
  }

  add(num: number, value: Value, bytes: number): void {
    const most = this.#mostBytes / 2;
    if (this.#bytes + bytes > most) {
      this.#earlier = this.#bytes > most ? new Map() : this.#recent;
      this.#recent = new Map();
      this.#bytes = 0;
    }
    this.#recent.set(num, { value, bytes });
    this.#bytes += bytes;
  }

  clear(): void {
    this.#recent.clear();
    this.#earlier.clear();
    this.#bytes = 0;
  }
}
