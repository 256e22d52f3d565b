/** A part of an output file: a range of the input, which need not be read, or new bytes. */
export type BytePart =
  | { readonly kind: "range"; readonly start: number; readonly end: number }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array };

/** Returns the length of a part in bytes. */
export function partLength(part: BytePart): number {
  return part.kind === "range" ? part.end - part.start : part.bytes.length;
}

/** Returns the length of all parts in bytes. */
export function lengthOf(parts: readonly BytePart[]): number {
  return parts.reduce((sum, part) => sum + partLength(part), 0);
}

/** The shortest range that becomes a slice of the file without being read. Reading a shorter one is faster. */
export const WORTH_A_SLICE = 256 * 1024;

/** Replaces short ranges by copies of their bytes, so that neither the file is read again nor `held` is kept. */
export function withShortRangesHeld(parts: readonly BytePart[], held: Uint8Array): readonly BytePart[] {
  return parts.map((part) =>
    part.kind === "range" && partLength(part) < WORTH_A_SLICE
      ? { kind: "bytes", bytes: held.slice(part.start, part.end) }
      : part,
  );
}

/** Replaces all ranges by views of `held`. */
export function withRangesHeld(parts: readonly BytePart[], held: Uint8Array): readonly BytePart[] {
  return parts.map((part) =>
    part.kind === "range" ? { kind: "bytes", bytes: held.subarray(part.start, part.end) } : part,
  );
}

/** Collects the parts of an output. Joins adjacent ranges and leaves out empty parts. */
export class BytePartList {
  readonly #parts: BytePart[] = [];

  /** Adds a range of the input. */
  range(start: number, end: number): void {
    if (end <= start) return;
    const last = this.#parts.at(-1);
    if (last?.kind === "range" && last.end === start) {
      this.#parts[this.#parts.length - 1] = { kind: "range", start: last.start, end };
    } else {
      this.#parts.push({ kind: "range", start, end });
    }
  }

  /** Adds new bytes. */
  bytes(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#parts.push({ kind: "bytes", bytes });
  }

  /** All parts in order. */
  get all(): readonly BytePart[] {
    return this.#parts;
  }
}
