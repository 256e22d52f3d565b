/** The bytes to read before and after the end of an object. */
const BEFORE = 1024;
const AFTER = 15 * 1024;
/** Recent reads stay, because they may be needed again. */
const MOST_PREFETCHES = 64;

/** If the reader is farther away from the object than this, it reads the file in order. */
const NEAR = 8 * 1024 * 1024;

interface Prefetch {
  /** The object whose end the bytes surround. */
  readonly object: { readonly start: number; readonly end: number };
  readonly start: number;
  readonly end: number;
  /** Undefined until they are read, and when they cannot be read. */
  bytes: Uint8Array | undefined;
  /**
   * Undefined when the read has ended. Never rejects: bytes that could not be prefetched are read again on request, and
   * that request fails.
   */
  pending: Promise<void> | undefined;
}

/** Reads the bytes around the ends of a file's long objects, ahead of a reader that skips their content. */
export class Prefetcher {
  readonly #file: Blob;
  /** In file order. */
  #prefetches: Prefetch[] = [];

  constructor(file: Blob) {
    this.#file = file;
  }

  /** Begins to read the bytes around the end of an object. */
  begin(object: Prefetch["object"]): void {
    const start = Math.max(0, object.end - BEFORE);
    const end = Math.min(object.end + AFTER, this.#file.size);
    const prefetch: Prefetch = { object, start, end, bytes: undefined, pending: undefined };
    prefetch.pending = this.#file
      .slice(start, end)
      .arrayBuffer()
      .then((buffer) => {
        if (buffer.byteLength === end - start) prefetch.bytes = new Uint8Array(buffer);
      })
      .catch(() => {})
      .then(() => {
        prefetch.pending = undefined;
      });
    this.#prefetches.push(prefetch);
    if (this.#prefetches.length > MOST_PREFETCHES) this.#prefetches.shift();
  }

  /** Returns the next prefetch for a reader at `position`, if it is near. */
  next(position: number): { readonly pending: Promise<void> | undefined } | undefined {
    return this.#prefetches.find(({ object }) => object.end > position && object.start - position < NEAR);
  }

  /** Returns these bytes if they were read. */
  find(from: number, to: number): Uint8Array | undefined {
    for (const { start, end, bytes } of this.#prefetches) {
      if (from >= start && to <= end) return bytes?.subarray(from - start, to - start);
    }
    return undefined;
  }
}
