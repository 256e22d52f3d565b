/** Reading 2 MB at a time takes twice as long as 8; more gains little and takes memory. */
const STRETCH = 8 * 1024 * 1024;
/** More than one at a time: while this worker is busy, the browser fills one pipe for each. */
const AHEAD = 2 * STRETCH;
/** What was read lately may still be asked for. */
const MOST_STRETCHES = 4;
/** Files of a few stretches are read before anything could be won, but for their beginning. */
const WORTH_IT_FROM = 2 * STRETCH;

interface Stretch {
  readonly start: number;
  readonly end: number;
  /** Absent until they have arrived. */
  bytes: Uint8Array | undefined;
  /** Never rejects: what could not be read ahead is read when it is asked for, and fails there. */
  readonly arrived: Promise<void>;
}

/** Reads a file, in long stretches, ahead of those who go through it in order, while they work. */
export class ReadAhead {
  readonly #file: Blob;
  /** One behind the other in the file. */
  #stretches: Stretch[] = [];

  constructor(file: Blob) {
    this.#file = file;
  }

  /**
   * Begins to read what follows `position`.
   *
   * @returns what to wait for before going on, if anything
   */
  goOn(position: number): Promise<void> | undefined {
    const { size } = this.#file;
    if ((size < WORTH_IT_FROM && position > 0) || position >= size) return undefined;
    let here = this.#stretches.find(({ start, end }) => position >= start && position < end);
    if (here === undefined) {
      if (this.#stretches.at(-1)?.end !== position) this.#stretches = [];
      here = this.#readOn(position);
    }
    for (let last = this.#stretches.at(-1); last && last.end < size; last = this.#stretches.at(-1)) {
      if (last.end - here.end >= AHEAD) break;
      this.#readOn(last.end);
    }
    return here.bytes === undefined ? here.arrived : undefined;
  }

  /** What to wait for before these bytes are asked for, if any of them are on their way. */
  arrival(from: number, to: number): Promise<void> | undefined {
    const coming = this.#stretches.filter(
      ({ start, end, bytes }) => bytes === undefined && start < to && from < end,
    );
    if (coming.length === 0) return undefined;
    return Promise.all(coming.map(({ arrived }) => arrived)).then(() => undefined);
  }

  /** These bytes, when they are here. */
  find(from: number, to: number): Uint8Array | undefined {
    for (const [index, { start, end, bytes }] of this.#stretches.entries()) {
      if (from < start || from >= end) continue;
      if (bytes === undefined) return undefined;
      if (to <= end) return bytes.subarray(from - start, to - start);
      const more = this.#stretches[index + 1];
      if (more?.bytes === undefined || more.start !== end || to > more.end) return undefined;
      const joined = new Uint8Array(to - from);
      joined.set(bytes.subarray(from - start));
      joined.set(more.bytes.subarray(0, to - end), end - from);
      return joined;
    }
    return undefined;
  }

  #readOn(start: number): Stretch {
    const end = Math.min(start + STRETCH, this.#file.size);
    const stretch: Stretch = {
      start,
      end,
      bytes: undefined,
      arrived: this.#file
        .slice(start, end)
        .arrayBuffer()
        .then(
          (buffer) => {
            if (buffer.byteLength === end - start) stretch.bytes = new Uint8Array(buffer);
            else this.#drop(stretch);
          },
          () => this.#drop(stretch),
        ),
    };
    this.#stretches.push(stretch);
    if (this.#stretches.length > MOST_STRETCHES) this.#stretches.shift();
    return stretch;
  }

  #drop(stretch: Stretch): void {
    this.#stretches = this.#stretches.filter((one) => one !== stretch);
  }
}
