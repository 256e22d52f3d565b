import { type BytePart, lengthOf, partLength } from "../../io/byte-ranges.ts";
import { concatBytes } from "../../io/concat-bytes.ts";
import type { ByteSink } from "../../io/sink.ts";
import type { ByteSource } from "../../io/source.ts";

/**
 * The data of a stream that is scattered over a file, or partly new. A sink of {@link splicing} takes it without joining
 * it in memory.
 */
export class SplicedStream implements ByteSource {
  readonly size: number;
  readonly #pieces: readonly BytePart[];
  readonly #source: ByteSource;

  /** @param source the file that ranges refer to */
  constructor(pieces: readonly BytePart[], source: ByteSource) {
    this.size = lengthOf(pieces);
    this.#pieces = pieces;
    this.#source = source;
  }

  read(start: number, end: number): Uint8Array {
    const parts: Uint8Array[] = [];
    for (const piece of this.#between(Math.max(0, start), Math.min(end, this.size))) {
      parts.push(piece.kind === "bytes" ? piece.bytes : this.#source.read(piece.start, piece.end));
    }
    const [only] = parts;
    return parts.length === 1 && only ? only : concatBytes(parts);
  }

  /** Appends a range to an output, piece by piece. */
  copyTo(output: ByteSink, start: number, end: number): void {
    for (const piece of this.#between(start, end)) {
      if (piece.kind === "bytes") output.write(piece.bytes);
      else output.copy(this.#source, piece.start, piece.end);
    }
  }

  /** Yields the pieces of a range, clipped to it. */
  *#between(start: number, end: number): Generator<BytePart> {
    let offset = 0;
    for (const piece of this.#pieces) {
      const from = Math.max(0, start - offset);
      const to = Math.min(partLength(piece), end - offset);
      offset += partLength(piece);
      if (to <= from) continue;
      if (piece.kind === "bytes") yield { kind: "bytes", bytes: piece.bytes.subarray(from, to) };
      else yield { kind: "range", start: piece.start + from, end: piece.start + to };
    }
  }
}

/** Returns a sink that takes the pieces of each {@link SplicedStream} one by one. */
export function splicing(output: ByteSink): ByteSink {
  return {
    get length() {
      return output.length;
    },
    get backpressure() {
      return output.backpressure ?? false;
    },
    drain: async () => output.drain?.(),
    write: (bytes) => output.write(bytes),
    restart: () => output.restart(),
    copy(source, start, end) {
      if (source instanceof SplicedStream) source.copyTo(output, start, end);
      else output.copy(source, start, end);
    },
  };
}
