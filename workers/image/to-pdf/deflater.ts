import type { Piece } from "../containers/pieces.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const CHUNK = 256 * 1024;

/** Compresses rows with the platform's own zlib. */
export class Deflater {
  readonly #writer: WritableStreamDefaultWriter<BufferSource>;
  readonly #compressed: Promise<readonly Piece[]>;
  #waiting: Bytes[] = [];
  #chunk: Bytes = new Uint8Array(CHUNK);
  #used = 0;

  constructor() {
    const { readable, writable } = new CompressionStream("deflate");
    this.#writer = writable.getWriter();
    this.#compressed = gathered(readable);
    // Awaited at the end: until then a failure must not count as unhandled.
    this.#compressed.catch(() => undefined);
  }

  /** Room for the next bytes: all of it has to be filled before anything else is done here. */
  next(length: number): Uint8Array {
    if (this.#used + length > this.#chunk.length) {
      if (this.#used > 0) this.#waiting.push(this.#chunk.subarray(0, this.#used));
      this.#chunk = new Uint8Array(Math.max(CHUNK, length));
      this.#used = 0;
    }
    const room = this.#chunk.subarray(this.#used, this.#used + length);
    this.#used += length;
    return room;
  }

  /** Waits until what is full has been compressed. */
  async flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const chunk of waiting) await this.#writer.write(chunk);
  }

  /** Everything, compressed. */
  async end(): Promise<readonly Piece[]> {
    await this.flush();
    await this.#writer.write(this.#chunk.subarray(0, this.#used));
    await this.#writer.close();
    return this.#compressed;
  }

  /** Gives up: what was compressed is not wanted. */
  async discard(): Promise<void> {
    await this.#writer.abort().catch(() => undefined);
  }
}

async function gathered(readable: ReadableStream<Uint8Array>): Promise<readonly Piece[]> {
  const pieces: Piece[] = [];
  const reader = readable.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return pieces;
    pieces.push({ kind: "bytes", bytes: value });
  }
}
