interface Kept<Value> {
  readonly value: Value;
  readonly bytes: number;
}

/** Caches the most recently used values, up to a number of bytes. The latest value is kept whatever its size. */
export class LruCache<Value> {
  readonly #mostBytes: number;
  /** The most recently used last. */
  readonly #kept = new Map<number, Kept<Value>>();
  #latest: number | undefined;
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get(num: number): Value | undefined {
    const kept = this.#kept.get(num);
    if (kept !== undefined && num !== this.#latest) {
      this.#kept.delete(num);
      this.#kept.set(num, kept);
      this.#latest = num;
    }
    return kept?.value;
  }

  add(num: number, value: Value, bytes: number): void {
    this.#bytes += bytes - (this.#kept.get(num)?.bytes ?? 0);
    this.#kept.delete(num);
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= this.#mostBytes) break;
      this.#kept.delete(oldest);
      this.#bytes -= kept.bytes;
    }
    this.#kept.set(num, { value, bytes });
    this.#latest = num;
  }

  clear(): void {
    this.#kept.clear();
    this.#latest = undefined;
    this.#bytes = 0;
  }
}
