import { Zlib } from "fflate";
import type { Piece } from "../containers/pieces.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const CHUNK = 256 * 1024;
/** Of photographs, higher levels get 2 to 5 % less, in up to three times the time. */
const LEVEL = 1;

/** Compresses rows. */
export class Deflater {
  readonly #pieces: Piece[] = [];
  readonly #stream = new Zlib({ level: LEVEL }, (bytes) => this.#pieces.push({ kind: "bytes", bytes }));
  #chunk: Bytes = new Uint8Array(CHUNK);
  #used = 0;

  /** Room for the next bytes: all of it has to be filled before anything else is done here. */
  next(length: number): Uint8Array {
    if (this.#used + length > this.#chunk.length) {
      this.#stream.push(this.#chunk.subarray(0, this.#used));
      this.#used = 0;
      if (length > this.#chunk.length) this.#chunk = new Uint8Array(length);
    }
    const room = this.#chunk.subarray(this.#used, this.#used + length);
    this.#used += length;
    return room;
  }

  /** Everything, compressed. */
  end(): readonly Piece[] {
    this.#stream.push(this.#chunk.subarray(0, this.#used), true);
    return this.#pieces;
  }
}
