import { uint32 } from "../../../../io/big-endian.ts";

const LENGTH_BYTES = 4;
const HEAD_BYTES = 8;
const CHECK_SUM_BYTES = 4;

/**
 * The compressed pixels of a PNG, as its file is read: for each stretch that is read the pieces that are in it.
 *
 * @param start where its first chunk of pixels begins
 * @throws {Error} where not all that follows are chunks of pixels, and the end
 */
export async function* compressedPixels(file: Blob, start: number): AsyncGenerator<Iterable<Uint8Array>> {
  const chunks = new PixelChunks();
  for await (const bytes of stretchesOf(file.slice(start))) yield chunks.piecesIn(bytes);
  if (!chunks.areComplete) throw unusual();
}

/** What chunks of pixels hold. Their check sums are not looked at: there is one of what is unpacked. */
class PixelChunks {
  readonly #head = new Uint8Array(HEAD_BYTES);
  #headLength = 0;
  /** How many bytes of the chunk, and of what is to be skipped behind it, have not come. */
  #left = 0;
  #skipped = 0;
  #hasEnd = false;

  /** Whether the end has come, and nothing behind it. */
  get areComplete(): boolean {
    return this.#hasEnd && this.#skipped === 0;
  }

  *piecesIn(bytes: Uint8Array): Generator<Uint8Array, void> {
    for (let at = 0; at < bytes.length; ) {
      const rest = bytes.length - at;
      if (this.#left > 0) {
        const length = Math.min(this.#left, rest);
        this.#left -= length;
        yield bytes.subarray(at, at + length);
        at += length;
      } else if (this.#skipped > 0) {
        const length = Math.min(this.#skipped, rest);
        this.#skipped -= length;
        at += length;
      } else {
        if (this.#hasEnd) throw unusual();
        const some = bytes.subarray(at, at + HEAD_BYTES - this.#headLength);
        this.#head.set(some, this.#headLength);
        this.#headLength += some.length;
        at += some.length;
        if (this.#headLength === HEAD_BYTES) this.#begin();
      }
    }
  }

  #begin(): void {
    const name = String.fromCharCode(...this.#head.subarray(LENGTH_BYTES));
    this.#left = uint32(this.#head, 0);
    this.#skipped = CHECK_SUM_BYTES;
    this.#headLength = 0;
    this.#hasEnd = name === "IEND" && this.#left === 0;
    if (name !== "IDAT" && !this.#hasEnd) throw unusual();
  }
}

/**
 * Into memory of its own each: to read into memory that is given (a reader in the mode "byob") takes less time, but now
 * and then never ends in Chromium 156.
 */
async function* stretchesOf(part: Blob): AsyncGenerator<Uint8Array> {
  const reader = part.stream().getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    // Whoever ends early wants no more.
    reader.cancel().catch(() => {});
  }
}

function unusual(): Error {
  return new Error("there is something else between a PNG's pixels, or behind them");
}
