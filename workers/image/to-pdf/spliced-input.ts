import { type BytePart, partLength } from "../../io/byte-ranges.ts";
import { concatBytes } from "../../io/concat-bytes.ts";
import type { ByteSink } from "../../io/sink.ts";
import type { ByteSource } from "../../io/source.ts";

/**
 * Pieces of a file, one after the other, as the input of a PDF writer. A stream that is scattered over the file, or
 * partly new, goes into the output without being joined in memory.
 */
export class SplicedInput implements ByteSource {
  readonly #source: ByteSource;
  readonly #pieces: BytePart[] = [];
  /** The start of each piece in the whole. */
  readonly #starts: number[] = [];
  #size = 0;

  /** @param source the file that ranges refer to */
  constructor(source: ByteSource) {
    this.#source = source;
  }

  get size(): number {
    return this.#size;
  }

  /** Appends pieces and returns their range. */
  add(pieces: readonly BytePart[]): { readonly start: number; readonly end: number } {
    const start = this.#size;
    for (const piece of pieces) {
      this.#pieces.push(piece);
      this.#starts.push(this.#size);
      this.#size += partLength(piece);
    }
    return { start, end: this.#size };
  }

  /** Drops all pieces. They must not be read any more. The offsets of new pieces continue after theirs. */
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

  /** Returns the output for a writer that reads this input. */
  sinkTo(output: ByteSink): ByteSink {
    const source = this.#source;
    const between = (start: number, end: number) => this.#between(start, end);
    return {
      get length() {
        return output.length;
      },
      write: (bytes) => output.write(bytes),
      restart: () => output.restart(),
      copy(_, start, end) {
        for (const piece of between(start, end)) {
          if (piece.kind === "bytes") output.write(piece.bytes);
          else output.copy(source, piece.start, piece.end);
        }
      },
    };
  }

  /** Yields the pieces of a range, clipped to it. */
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

  /** Returns the last piece that starts at an offset or before. */
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
