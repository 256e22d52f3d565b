type Bytes = Uint8Array<ArrayBuffer>;

const CHUNK = 256 * 1024;

/**
 * Deflates long data in chunks (RFC 1950), with the browser's zlib. For short data `zlibSync` of fflate is faster: a
 * `CompressionStream` costs some 0.1 ms before its first byte.
 */
export class Deflater {
  readonly #writer: WritableStreamDefaultWriter<Bytes>;
  readonly #output: Promise<ArrayBuffer>;
  #chunk: Bytes = new Uint8Array(CHUNK);
  #used = 0;
  #pending: Promise<void> | undefined;

  constructor() {
    const { readable, writable } = new CompressionStream("deflate");
    this.#writer = writable.getWriter();
    this.#output = new Response(readable).arrayBuffer();
  }

  /** Returns a buffer for the next bytes. The caller fills all of it before the next call. */
  next(length: number): Uint8Array {
    if (this.#used + length > this.#chunk.length) {
      this.#flush();
      this.#chunk = new Uint8Array(Math.max(CHUNK, length));
    }
    const buffer = this.#chunk.subarray(this.#used, this.#used + length);
    this.#used += length;
    return buffer;
  }

  /** Settles when the browser has compressed what it holds. Undefined when nothing waits. */
  get ready(): Promise<void> | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    return pending;
  }

  /** Returns all of the compressed data. */
  async end(): Promise<Bytes> {
    this.#flush();
    await this.#writer.close();
    return new Uint8Array(await this.#output);
  }

  #flush(): void {
    this.#pending = this.#writer.write(this.#chunk.subarray(0, this.#used));
    this.#used = 0;
  }
}
