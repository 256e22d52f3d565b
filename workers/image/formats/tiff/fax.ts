import { damagedTiff } from "./directories.ts";
import { LONGEST_MODE_CODE, LONGEST_RUN_CODE, MODE, MODE_TABLE, RUNS } from "./fax-codes.ts";

/** How a fax is coded: ITU-T T.6, ITU-T T.4, or rows of T.4 that begin at a byte and have no end-of-line codes. */
export type FaxCoding = "T.6" | "T.4" | "T.4 two-dimensional" | "rows of bytes";

/** Where the color changes in a row, from white to black first. The end of the row may be missing. */
type Changes = readonly number[];

/** The end-of-facsimile-block code of T.6 consists of two end-of-line codes. */
const END_OF_BLOCK = 0x001001;
/** The zeros of an end-of-line code. No other code has as many. */
const ZEROS = 11;

/**
 * Decompresses the rows of a fax. The bit of a black pixel is 1.
 *
 * @throws {ServiceError} `damaged_file`
 */
export function unpackFax(data: Uint8Array, columns: number, rows: number, coding: FaxCoding): Uint8Array {
  const rowBytes = Math.ceil(columns / 8);
  const output = new Uint8Array(rowBytes * rows);
  const bits = new BitReader(data);
  let changes: Changes = [];
  for (let row = 0; row < rows; row++) {
    const isTwoDimensional = startRow(bits, coding);
    changes = isTwoDimensional ? readByReference(bits, changes, columns) : readRuns(bits, columns);
    paint(output.subarray(row * rowBytes, (row + 1) * rowBytes), changes, columns);
  }
  return output;
}

/** Reads the codes before a row. Returns whether the row refers to the row above. */
function startRow(bits: BitReader, coding: FaxCoding): boolean {
  if (coding === "T.6") {
    if (bits.peek(24) === END_OF_BLOCK) throw tooFewRows();
    return true;
  }
  if (coding === "rows of bytes") {
    bits.align();
    return false;
  }
  if (bits.peek(ZEROS) !== 0) {
    if (coding === "T.4") return false;
    throw damagedTiff("a row of a fax has no beginning");
  }
  while (bits.peek(1) === 0) bits.skip(1);
  bits.skip(1);
  const isTwoDimensional = coding !== "T.4" && bits.take(1) === 0;
  // Several end-of-line codes end the fax.
  if (bits.peek(ZEROS + 1) === 1) throw tooFewRows();
  return isTwoDimensional;
}

/** Reads a row of runs, white first (ITU-T T.4, 4.1). */
function readRuns(bits: BitReader, columns: number): Changes {
  const changes: number[] = [];
  for (let at = 0; at < columns; changes.push(at)) {
    at += readRun(bits, changes.length & 1);
    if (at > columns || changes.length > columns) throw badRow();
  }
  return changes;
}

/** Reads the length of a run: codes of long runs, then one of a short run. */
function readRun(bits: BitReader, color: number): number {
  let length = 0;
  for (;;) {
    const run = bits.code(RUNS[color === 0 ? 0 : 1], LONGEST_RUN_CODE);
    length += run;
    if (run < 64) return length;
  }
}

/** Reads a row that refers to the row above (ITU-T T.4, 4.2, and T.6). The names a0, a1, b1 and b2 are those of T.4. */
function readByReference(bits: BitReader, above: Changes, columns: number): Changes {
  const changes: number[] = [];
  const changeAbove = (index: number) => above[index] ?? columns;
  let a0 = -1;
  let index = 0;
  while (a0 < columns) {
    const color = changes.length & 1;
    // The first change above that is right of a0 and to the other color. A vertical mode goes back by one change at most.
    index = Math.max(0, index - 1);
    if ((index & 1) !== color) index++;
    while (changeAbove(index) <= a0 && changeAbove(index) < columns) index += 2;
    const b1 = changeAbove(index);
    // Only runs without pixels make so many.
    if (changes.length > columns + 1) throw badRow();
    const mode = bits.code(MODE_TABLE, LONGEST_MODE_CODE);
    if (mode === MODE.pass) {
      a0 = changeAbove(index + 1);
    } else if (mode === MODE.horizontal) {
      const a1 = Math.max(0, a0) + readRun(bits, color);
      a0 = a1 + readRun(bits, 1 - color);
      if (a0 > columns) throw badRow();
      changes.push(a1, a0);
    } else {
      const a1 = b1 + mode - MODE.noDifference;
      if (a1 < Math.max(0, a0) || a1 > columns) throw badRow();
      a0 = a1;
      changes.push(a1);
    }
  }
  return changes;
}

/** Sets the bits of black runs. */
function paint(row: Uint8Array, changes: Changes, columns: number): void {
  for (let index = 0; index < changes.length; index += 2) {
    const start = changes[index] ?? columns;
    const end = changes[index + 1] ?? columns;
    if (start >= end) continue;
    const [first, last] = [start >> 3, (end - 1) >> 3];
    const [firstMask, lastMask] = [0xff >> (start & 7), 0xff << (7 - ((end - 1) & 7))];
    if (first === last) row[first] = (row[first] ?? 0) | (firstMask & lastMask);
    else {
      row[first] = (row[first] ?? 0) | firstMask;
      row.fill(0xff, first + 1, last);
      row[last] = lastMask;
    }
  }
}

/** Reads bits, the highest of a byte first. Bits after the end are 0, and cannot be skipped. */
class BitReader {
  readonly #data: Uint8Array;
  /** The byte of the next bit, and the bits of it that are read. */
  #at = 0;
  #bit = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
  }

  /** Returns the next bits, 24 at most. */
  peek(count: number): number {
    const [data, at] = [this.#data, this.#at];
    const upper = ((data[at] ?? 0) << 24) | ((data[at + 1] ?? 0) << 16);
    const word = upper | ((data[at + 2] ?? 0) << 8) | (data[at + 3] ?? 0);
    return (word << this.#bit) >>> (32 - count);
  }

  skip(count: number): void {
    this.#bit += count;
    this.#at += this.#bit >> 3;
    this.#bit &= 7;
    if (8 * this.#at + this.#bit > 8 * this.#data.length) throw tooFewRows();
  }

  take(count: number): number {
    const value = this.peek(count);
    this.skip(count);
    return value;
  }

  align(): void {
    if (this.#bit > 0) this.skip(8 - this.#bit);
  }

  /** Reads a code and returns its value. */
  code(table: Uint16Array, longest: number): number {
    const entry = table[this.peek(longest)] ?? 0;
    if (entry === 0) throw badRow();
    this.skip(entry & 15);
    return entry >> 4;
  }
}

const badRow = () => damagedTiff("a row of a fax makes no sense");
const tooFewRows = () => damagedTiff("a fax has fewer rows than its header states");
