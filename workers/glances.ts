/** What is read in front of a place and behind it. */
const BEFORE = 1024;
const BEHIND = 15 * 1024;
/** What was read lately may still be asked for. */
const MOST_GLANCES = 64;

interface Glance {
  readonly position: number;
  readonly start: number;
  readonly end: number;
  /** Absent until they have arrived, or when they could not be read. */
  bytes: Uint8Array | undefined;
  /** Absent when they have arrived. Never rejects: what could not be read is read when it is asked for, and fails there. */
  arrival: Promise<void> | undefined;
}

/** Reads what stands around places of a file that are far apart, ahead of those who go from one to the next. */
export class Glances {
  readonly #file: Blob;
  /** One behind the other in the file. */
  #glances: Glance[] = [];

  constructor(file: Blob) {
    this.#file = file;
  }

  /** Begins to read what stands around `position`. */
  begin(position: number): void {
    const start = Math.max(0, position - BEFORE);
    const end = Math.min(position + BEHIND, this.#file.size);
    const glance: Glance = { position, start, end, bytes: undefined, arrival: undefined };
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

  /** The next one of those who have come to `position`. */
  next(position: number): { readonly arrival: Promise<void> | undefined } | undefined {
    return this.#glances.find((glance) => glance.position > position);
  }

  /** These bytes, when they are here. */
  find(from: number, to: number): Uint8Array | undefined {
    for (const { start, end, bytes } of this.#glances) {
      if (from >= start && to <= end) return bytes?.subarray(from - start, to - start);
    }
    return undefined;
  }
}
