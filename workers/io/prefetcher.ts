/** What is read in front of a place and behind it. */
const BEFORE = 1024;
const BEHIND = 15 * 1024;
/** What was read lately may still be asked for. */
const MOST_GLANCES = 64;

/** Farther before a long object, the file is better read ahead. */
const NEAR = 8 * 1024 * 1024;

interface Prefetch {
  /** The object at whose end it is. */
  readonly object: { readonly start: number; readonly end: number };
  readonly start: number;
  readonly end: number;
  /** Absent until they have arrived, or when they could not be read. */
  bytes: Uint8Array | undefined;
  /**
   * Absent when they have arrived. Never rejects: what could not be read is read when it is asked for, and fails there.
   */
  arrival: Promise<void> | undefined;
}

/** Reads what stands around the ends of a file's long objects, ahead of those who go from one to the next. */
export class Prefetcher {
  readonly #file: Blob;
  /** One behind the other in the file. */
  #glances: Prefetch[] = [];

  constructor(file: Blob) {
    this.#file = file;
  }

  /** Begins to read what stands around the end of an object. */
  begin(object: Prefetch["object"]): void {
    const start = Math.max(0, object.end - BEFORE);
    const end = Math.min(object.end + BEHIND, this.#file.size);
    const glance: Prefetch = { object, start, end, bytes: undefined, arrival: undefined };
    glance.arrival = this.#file
      .slice(start, end)
      .arrayBuffer()
      .then((buffer) => {
        if (buffer.byteLength === end - start) glance.bytes = new Uint8Array(buffer);
      })
      .catch(() => {})
      .then(() => {
        glance.arrival = undefined;
      });
    this.#glances.push(glance);
    if (this.#glances.length > MOST_GLANCES) this.#glances.shift();
  }

  /** The next one of those who have come to `position`, when they will soon be there. */
  next(position: number): { readonly arrival: Promise<void> | undefined } | undefined {
    return this.#glances.find(({ object }) => object.end > position && object.start - position < NEAR);
  }

  /** These bytes, when they are here. */
  find(from: number, to: number): Uint8Array | undefined {
    for (const { start, end, bytes } of this.#glances) {
      if (from >= start && to <= end) return bytes?.subarray(from - start, to - start);
    }
    return undefined;
  }
}
