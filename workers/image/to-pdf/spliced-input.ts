import { type BytePart, partLength } from "../../io/byte-ranges.ts";
import { concatBytes } from "../../io/concat-bytes.ts";
import type { ByteSink } from "../../io/sink.ts";
import type { ByteSource } from "../../io/source.ts";

/**
 * Pieces of a file, one behind the other, as the input of a PDF writer: a stream that is scattered over the file, or
 * partly new, then goes from the file into the output without being put together in memory.
 */
export class SplicedInput implements ByteSource {
  readonly #source: ByteSource;
  readonly #pieces: BytePart[] = [];
  /** Where each piece begins in the whole. */
  readonly #starts: number[] = [];
  #size = 0;

  /** @param source the file that the pieces' ranges are of */
  constructor(source: ByteSource) {
    this.#source = source;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds pieces at the end, and says where they are. */
  add(pieces: readonly BytePart[]): { readonly start: number; readonly end: number } {
    const start = this.#size;
    for (const piece of pieces) {
      this.#pieces.push(piece);
      this.#starts.push(this.#size);
      this.#size += partLength(piece);
    }
    return { start, end: this.#size };
  }

  /** Lets go of all pieces there are: nothing is copied or read of them any more. Others begin behind them. */
  forget(): void {
    this.#pieces.length = 0;
    this.#starts.length = 0;
  }

  read(start: number, end: number): Uint8Array {
    const parts: Uint8Array[] = [];
    for (const piece of this.#between(Math.max(0, start), Math.min(end, this.#size))) {
      parts.push(piece.kind === "bytes" ? piece.bytes : this.#source.read(piece.start, piece.end));
    }
    const [only] = parts;
    if (parts.length === 1 && only) return only;
    return concatBytes(parts);
  }

  /** The output, for a writer whose input this is. */
  sinkTo(output: ByteSink): ByteSink {
    const between = (start: number, end: number) => this.#between(start, end);
    return {
      get length() {
        return output.length;
      },
      write: (bytes) => output.write(bytes),
      restart: () => output.restart(),
      copy(start, end) {
        for (const piece of between(start, end)) {
          if (piece.kind === "bytes") output.write(piece.bytes);
          else output.copy(piece.start, piece.end);
        }
      },
    };
  }

  /** What is between two places, cut to it. */
  *#between(start: number, end: number): Generator<BytePart> {
    for (let index = this.#indexAt(start); index < this.#pieces.length; index++) {
      const piece = this.#pieces[index];
      const offset = this.#starts[index] ?? 0;
      if (piece === undefined || offset >= end) return;
      const from = Math.max(0, start - offset);
      const to = Math.min(partLength(piece), end - offset);
      if (to <= from) continue;
      if (piece.kind === "bytes") yield { kind: "bytes", bytes: piece.bytes.subarray(from, to) };
      else yield { kind: "range", start: piece.start + from, end: piece.start + to };
    }
  }

  /** The last piece that begins at a place or before. */
  #indexAt(place: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= place) low = middle;
      else high = middle;
    }
    return low;
  }
}
