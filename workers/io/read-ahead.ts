/** 2 MB at a time take twice as long as 8 MB. More gains little and takes memory. */
const CHUNK = 8 * 1024 * 1024;
/** Two chunks are read at the same time. While this worker is busy, the browser fills one pipe for each. */
const AHEAD = 2 * CHUNK;
/** Recent chunks stay, because they may be read again. */
const MOST_CHUNKS = 4;
/** In shorter files only the first chunk is read ahead. */
const WORTH_IT_FROM = 2 * CHUNK;

interface Chunk {
  readonly start: number;
  readonly end: number;
  /** Undefined until they are read. */
  bytes: Uint8Array | undefined;
  /** Never rejects: bytes that could not be read ahead are read again on request, and that request fails. */
  readonly arrived: Promise<void>;
}

/** Reads a file in long chunks, ahead of a reader that goes through it in order. */
export class ReadAhead {
  readonly #file: Blob;
  /** In file order, without gaps. */
  #chunks: Chunk[] = [];

  constructor(file: Blob) {
    this.#file = file;
  }

  /**
   * Begins to read the bytes after `position`.
   *
   * @returns a promise while the bytes at `position` are being read
   */
  readAhead(position: number): Promise<void> | undefined {
    const { size } = this.#file;
    if ((size < WORTH_IT_FROM && position > 0) || position >= size) return undefined;
    let here = this.#chunks.find(({ start, end }) => position >= start && position < end);
    if (here === undefined) {
      if (this.#chunks.at(-1)?.end !== position) this.#chunks = [];
      here = this.#begin(position);
    }
    for (let last = this.#chunks.at(-1); last && last.end < size; last = this.#chunks.at(-1)) {
      if (last.end - here.end >= AHEAD) break;
      this.#begin(last.end);
    }
    return here.bytes === undefined ? here.arrived : undefined;
  }

  /** Returns a promise while any of these bytes are being read. */
  pending(from: number, to: number): Promise<void> | undefined {
    const coming = this.#chunks.filter(
      ({ start, end, bytes }) => bytes === undefined && start < to && from < end,
    );
    if (coming.length === 0) return undefined;
    return Promise.all(coming.map(({ arrived }) => arrived)).then(() => undefined);
  }

  /** Returns these bytes if they were read. */
  find(from: number, to: number): Uint8Array | undefined {
    for (const [index, { start, end, bytes }] of this.#chunks.entries()) {
      if (from < start || from >= end) continue;
      if (bytes === undefined) return undefined;
      if (to <= end) return bytes.subarray(from - start, to - start);
      const more = this.#chunks[index + 1];
      if (more?.bytes === undefined || more.start !== end || to > more.end) return undefined;
      const joined = new Uint8Array(to - from);
      joined.set(bytes.subarray(from - start));
      joined.set(more.bytes.subarray(0, to - end), end - from);
      return joined;
    }
    return undefined;
  }

  /** Drops all bytes. */
  clear(): void {
    this.#chunks = [];
  }

  #begin(start: number): Chunk {
    const end = Math.min(start + CHUNK, this.#file.size);
    const chunk: Chunk = {
      start,
      end,
      bytes: undefined,
      arrived: this.#file
        .slice(start, end)
        .arrayBuffer()
        .then(
          (buffer) => {
            if (buffer.byteLength === end - start) chunk.bytes = new Uint8Array(buffer);
            else this.#drop(chunk);
          },
          () => this.#drop(chunk),
        ),
    };
    this.#chunks.push(chunk);
    if (this.#chunks.length > MOST_CHUNKS) this.#chunks.shift();
    return chunk;
  }

  #drop(chunk: Chunk): void {
    this.#chunks = this.#chunks.filter((one) => one !== chunk);
  }
}
