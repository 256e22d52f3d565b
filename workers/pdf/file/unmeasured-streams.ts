import type { ByteSource } from "../../io/source.ts";
import { latin1, latin1Bytes } from "../syntax/characters.ts";
import type { WorkMeter } from "./work-budget.ts";

const ENDSTREAM = latin1Bytes("endstream");
/** `endstream` may be this many bytes after the end of the data: ends of lines, and some writers miscount. */
const MISCOUNT = 6;
/** An attached file begins like this, after the end of line that follows `stream`. */
const FILE = /^\s*%[PF]DF-/;
const BEGINNING = 16;

/** The most streams and integers that are recorded. They are held in memory, and a file of 20 MB may have more. */
const MOST_RECORDED = 1_000_000;

/** The most objects with one number that may be a `Length`. Each file that is attached in another one may have its own. */
const MOST_OF_NUMBER = 64;

/** A stream whose end is not known while the file is scanned. */
interface UnmeasuredStream {
  readonly start: number;
  /** The number of the object that its `Length` refers to. */
  readonly length: number | undefined;
  /** The offset of the first object after its start: in its data, or after it. */
  next: number;
}

/**
 * The streams of a damaged file without a correct direct `Length`. Their data may be a whole file, such as an attached PDF,
 * with objects and `endstream`s of its own. After a scan of the file, {@link ends} tells where such data ends: by the
 * object that `Length` refers to, or else where an attached file says that it ends.
 */
export class UnmeasuredStreams {
  readonly #source: ByteSource;
  readonly #budget: WorkMeter;
  /** By the offset after the keyword `stream`, in file order. */
  readonly #streams = new Map<number, UnmeasuredStream>();
  #latest: UnmeasuredStream | undefined;
  /** The objects that are integers, by number: a number may be used again in an attached file. */
  readonly #integers = new Map<number, { readonly offset: number; readonly value: number }[]>();
  #integerCount = 0;
  /** The starts of attached files that have not ended, and the ends of the others by their start. */
  readonly #openFiles: number[] = [];
  readonly #fileEnds = new Map<number, number>();
  #latestFileEnd = 0;

  constructor(source: ByteSource, budget: WorkMeter) {
    this.#source = source;
    this.#budget = budget;
  }

  /**
   * Records a stream.
   *
   * @param start the offset after the keyword `stream`
   * @param length the number of the object that its `Length` refers to
   */
  add(start: number, length: number | undefined): void {
    if (this.#streams.has(start) || this.#streams.size >= MOST_RECORDED) return;
    this.#budget.charge("keptEntry");
    this.#latest = { start, length, next: Number.POSITIVE_INFINITY };
    this.#streams.set(start, this.#latest);
    if (FILE.test(latin1(this.#source.read(start, start + BEGINNING)))) this.#openFiles.push(start);
  }

  /** Records the offset of an object, in file order. */
  addObject(offset: number): void {
    if (this.#latest && this.#latest.start < offset) this.#latest.next = Math.min(this.#latest.next, offset);
  }

  /** Records an object that is an integer. */
  addInteger(num: number, offset: number, value: number): void {
    if (++this.#integerCount > MOST_RECORDED) return;
    this.#budget.charge("keptEntry");
    const known = this.#integers.get(num);
    if (!known) this.#integers.set(num, [{ offset, value }]);
    else if (known.length < MOST_OF_NUMBER) known.push({ offset, value });
  }

  /**
   * Records the `%%EOF` before `offset`, in file order. If `endstream` follows, it ends the latest attached file that has not
   * ended, as brackets do.
   */
  addFileEnd(offset: number): void {
    const end = endstreamAfter(this.#source, offset);
    if (end === undefined || end <= this.#latestFileEnd) return;
    this.#latestFileEnd = end;
    const start = this.#openFiles.pop();
    if (start !== undefined) this.#fileEnds.set(start, end);
  }

  /** Returns the ends of the streams with objects in their data, by the offset of the data. */
  ends(): ReadonlyMap<number, number> {
    const ends = new Map<number, number>();
    for (const [start, { length, next }] of this.#streams) {
      const end = this.#endByLength(start, length) ?? this.#fileEnds.get(start) ?? start;
      if (next < end) ends.set(start, end);
    }
    return ends;
  }

  /** Returns the end by the `Length`, which is correct if `endstream` follows, and is no object in the data itself. */
  #endByLength(start: number, length: number | undefined): number | undefined {
    let latest: number | undefined;
    for (const { offset, value } of this.#integers.get(length ?? 0) ?? []) {
      this.#budget.charge("object");
      if (value < 0 || (offset > start && offset < start + value)) continue;
      const end = endstreamAfter(this.#source, start + value);
      if (end !== undefined && end > (latest ?? start)) latest = end;
    }
    return latest;
  }
}

/** Returns the offset of an `endstream` at `offset` or a few bytes later; undefined when something else is there. */
export function endstreamAfter(source: ByteSource, offset: number): number | undefined {
  const bytes = source.read(offset, offset + MISCOUNT + ENDSTREAM.length);
  for (let skip = 0; skip < MISCOUNT; skip++) {
    if (ENDSTREAM.every((byte, index) => bytes[skip + index] === byte)) return offset + skip;
  }
  return undefined;
}
