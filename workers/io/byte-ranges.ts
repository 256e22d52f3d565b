/** A part of a file that is put together anew: a range of the input, which need not be read, or new bytes. */
export type BytePart =
  | { readonly kind: "range"; readonly start: number; readonly end: number }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array };

/** How many bytes a piece has. */
export function partLength(piece: BytePart): number {
  return piece.kind === "range" ? piece.end - piece.start : piece.bytes.length;
}

/** How many bytes pieces have together. */
export function lengthOf(pieces: readonly BytePart[]): number {
  return pieces.reduce((sum, piece) => sum + partLength(piece), 0);
}

/** New bytes as a piece. */
export function newBytes(bytes: Uint8Array): BytePart {
  return { kind: "bytes", bytes };
}

/** From this length on, a range becomes a slice of the file, which nobody reads. */
export const WORTH_A_SLICE = 256 * 1024;

/** The pieces with their short ranges as bytes, so that the file need not be read again for these. */
export function withShortRangesHeld(pieces: readonly BytePart[], held: Uint8Array): readonly BytePart[] {
  return pieces.map((piece) =>
    piece.kind === "range" && partLength(piece) < WORTH_A_SLICE
      ? { kind: "bytes", bytes: held.subarray(piece.start, piece.end) }
      : piece,
  );
}

/** The ranges of the input as pieces, those that continue each other joined, none empty. */
export class BytePartList {
  readonly #pieces: BytePart[] = [];

  /** Adds a range of the input. */
  range(start: number, end: number): void {
    if (end <= start) return;
    const last = this.#pieces.at(-1);
    if (last?.kind === "range" && last.end === start) {
      this.#pieces[this.#pieces.length - 1] = { kind: "range", start: last.start, end };
    } else {
      this.#pieces.push({ kind: "range", start, end });
    }
  }

  /** Adds new bytes. */
  bytes(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#pieces.push({ kind: "bytes", bytes });
  }

  /** What was added, in order. */
  get all(): readonly BytePart[] {
    return this.#pieces;
  }
}
