import { type BytePart, lengthOf } from "../../io/byte-ranges.ts";
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
    const parts = this.#pieces.map((piece) =>
      piece.kind === "bytes" ? piece.bytes : this.#source.read(piece.start, piece.end),
    );
    return concatBytes(parts).subarray(start, end);
  }

  /** Appends all of it to an output, piece by piece. */
  copyTo(output: ByteSink): void {
    for (const piece of this.#pieces) {
      if (piece.kind === "bytes") output.write(piece.bytes);
      else output.copy(this.#source, piece.start, piece.end);
    }
  }
}

/** Returns a sink that takes the pieces of each {@link SplicedStream} one by one. Streams are always copied whole. */
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
      if (source instanceof SplicedStream) source.copyTo(output);
      else output.copy(source, start, end);
    },
  };
}
