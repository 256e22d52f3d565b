import type { BitWriter } from "./bit-writer.ts";
import { HuffmanCode, LONGEST_CODE } from "./huffman.ts";
import type { Matches } from "./matches.ts";

/** Symbols of Deflate (RFC 1951, 3.2.5 and 3.2.7). */
const END_OF_BLOCK = 256;
const FIRST_LENGTH = 257;
const LITERALS = 286;
const DISTANCES = 30;
const REPEAT = 16;
const ZEROS = 17;
const MANY_ZEROS = 18;
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LONGEST_MATCH = 258;
const LONGEST_SYMBOL = 28;
const LONGEST_STORED = 0xffff;
const STORED = 0;
const FIXED = 1;
const DYNAMIC = 2;

/** Where the lengths, or distances, of each symbol begin, with how many bits more say which it is. */
function ranges(symbols: number, first: number, extraOf: (symbol: number) => number) {
  const begins = new Uint16Array(symbols);
  const extras = new Uint8Array(symbols);
  let begin = first;
  for (let symbol = 0; symbol < symbols; symbol++) {
    begins[symbol] = begin;
    extras[symbol] = extraOf(symbol);
    begin += 1 << extraOf(symbol);
  }
  return { begins, extras };
}

const LENGTH = ranges(29, 3, (symbol) => (symbol < 8 || symbol === LONGEST_SYMBOL ? 0 : (symbol >> 2) - 1));
const DISTANCE = ranges(DISTANCES, 1, (symbol) => (symbol < 4 ? 0 : (symbol >> 1) - 1));

/** The symbol, counted from the first, for each length. */
const SYMBOL_OF_LENGTH = new Uint8Array(LONGEST_MATCH + 1);
for (let length = 3; length < LONGEST_MATCH; length++) {
  SYMBOL_OF_LENGTH[length] = LENGTH.begins.findLastIndex((begin) => begin <= length);
}
LENGTH.begins[LONGEST_SYMBOL] = LONGEST_MATCH;
SYMBOL_OF_LENGTH[LONGEST_MATCH] = LONGEST_SYMBOL;

/** Two symbols for each power of two. */
function symbolOfDistance(distance: number): number {
  const less = distance - 1;
  if (less < 4) return less;
  const power = 31 - Math.clz32(less);
  return 2 * power + ((less >> (power - 1)) & 1);
}

const literals = new HuffmanCode(LITERALS, LONGEST_CODE);
const distances = new HuffmanCode(DISTANCES, LONGEST_CODE);
const codeLengths = new HuffmanCode(19, 7);
const fixedLiterals = new HuffmanCode(288, LONGEST_CODE);
fixedLiterals.setLengths((symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8));
const fixedDistances = new HuffmanCode(DISTANCES, LONGEST_CODE);
fixedDistances.setLengths(() => 5);

/** Data that is compressed, with what comes before it in the same array. */
export interface BlockData {
  readonly data: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly matches: Matches;
}

/** How many bytes so much data cannot take more than: fixed codes have nine bits at the most, and a match is shorter. */
export function mostBytes(length: number): number {
  return length + (length >> 2) + 1024;
}

/** Writes data as blocks, one at the least; the last of them may be the stream's. */
export function writeBlocks(
  { data, start, end, matches }: BlockData,
  areLast: boolean,
  bits: BitWriter,
): void {
  for (let at = start; ; ) {
    const stop = matches.find(data, at, end);
    writeBlock({ data, start: at, end: stop, matches }, areLast && stop === end, bits);
    if (stop === end) return;
    at = stop;
  }
}

/** Writes a block in whichever way is shortest. */
function writeBlock(block: BlockData, isLast: boolean, bits: BitWriter): void {
  const extraBits = count(block);
  literals.make();
  distances.make();
  const heading = new Heading();
  const fixed = fixedLiterals.cost(literals.counts) + fixedDistances.cost(distances.counts) + extraBits;
  const dynamic = literals.cost() + distances.cost() + heading.cost() + extraBits;
  const length = block.end - block.start;
  bits.write(isLast ? 1 : 0, 1);
  if (length <= LONGEST_STORED && 8 * (length + 4) < Math.min(fixed, dynamic)) {
    bits.write(STORED, 2);
    bits.stored(block.data.subarray(block.start, block.end));
  } else if (fixed <= dynamic) {
    bits.write(FIXED, 2);
    writeSymbols(block, bits, fixedLiterals, fixedDistances);
  } else {
    bits.write(DYNAMIC, 2);
    heading.write(bits);
    writeSymbols(block, bits, literals, distances);
  }
}

/** Counts symbols; says how many bits they have beside their codes. */
function count({ data, start, matches: { runs, count: many } }: BlockData): number {
  const ofLiterals = literals.counts.fill(0);
  const ofDistances = distances.counts.fill(0);
  let extraBits = 0;
  let at = start;
  for (let index = 0; ; index += 2) {
    for (const end = at + (runs[index] as number); at < end; at++) {
      const literal = data[at] as number;
      ofLiterals[literal] = (ofLiterals[literal] as number) + 1;
    }
    if (index + 1 >= many) break;
    const match = runs[index + 1] as number;
    at += match & 511;
    const length = SYMBOL_OF_LENGTH[match & 511] as number;
    const distance = symbolOfDistance(match >>> 9);
    ofLiterals[FIRST_LENGTH + length] = (ofLiterals[FIRST_LENGTH + length] as number) + 1;
    ofDistances[distance] = (ofDistances[distance] as number) + 1;
    extraBits += (LENGTH.extras[length] as number) + (DISTANCE.extras[distance] as number);
  }
  ofLiterals[END_OF_BLOCK] = 1;
  return extraBits;
}

function writeSymbols(
  { data, start, matches }: BlockData,
  bits: BitWriter,
  ofLiterals: HuffmanCode,
  ofDistances: HuffmanCode,
): void {
  const { runs, count: many } = matches;
  const { codes, lengths } = ofLiterals;
  let at = start;
  for (let index = 0; ; index += 2) {
    const end = at + (runs[index] as number);
    bits.literals(data, at, end, ofLiterals);
    if (index + 1 >= many) break;
    const match = runs[index + 1] as number;
    at = end + (match & 511);
    const length = SYMBOL_OF_LENGTH[match & 511] as number;
    bits.write(codes[FIRST_LENGTH + length] as number, lengths[FIRST_LENGTH + length] as number);
    bits.write((match & 511) - (LENGTH.begins[length] as number), LENGTH.extras[length] as number);
    const distance = symbolOfDistance(match >>> 9);
    bits.write(ofDistances.codes[distance] as number, ofDistances.lengths[distance] as number);
    bits.write((match >>> 9) - (DISTANCE.begins[distance] as number), DISTANCE.extras[distance] as number);
  }
  bits.write(codes[END_OF_BLOCK] as number, lengths[END_OF_BLOCK] as number);
}

/** The lengths of all codes, one behind the other. */
const lengthsTold = new Uint8Array(LITERALS + DISTANCES);

/** What a dynamic block says of its codes (RFC 1951, 3.2.7). */
class Heading {
  readonly #literals = usedLengths(literals, FIRST_LENGTH);
  readonly #distances = usedLengths(distances, 1);
  /** Symbols of the code for lengths, each with its extra bits: `extra << 5 | symbol`. */
  readonly #runs: number[] = [];
  #ordered = LENGTH_ORDER.length;

  constructor() {
    codeLengths.counts.fill(0);
    const lengths = lengthsTold;
    lengths.set(literals.lengths.subarray(0, this.#literals));
    lengths.set(distances.lengths.subarray(0, this.#distances), this.#literals);
    const many = this.#literals + this.#distances;
    for (let at = 0; at < many; ) {
      const length = lengths[at] as number;
      let end = at + 1;
      while (end < many && lengths[end] === length) end++;
      if (length !== 0) this.#run(length, 0);
      this.#repeat(length, length === 0 ? end - at : end - at - 1);
      at = end;
    }
    codeLengths.make();
    while (this.#ordered > 4 && codeLengths.lengths[LENGTH_ORDER[this.#ordered - 1] as number] === 0) {
      this.#ordered--;
    }
  }

  cost(): number {
    const { counts } = codeLengths;
    const extraBits =
      2 * (counts[REPEAT] as number) + 3 * (counts[ZEROS] as number) + 7 * (counts[MANY_ZEROS] as number);
    return 14 + 3 * this.#ordered + codeLengths.cost() + extraBits;
  }

  write(bits: BitWriter): void {
    bits.write(this.#literals - FIRST_LENGTH, 5);
    bits.write(this.#distances - 1, 5);
    bits.write(this.#ordered - 4, 4);
    for (const symbol of LENGTH_ORDER.slice(0, this.#ordered)) {
      bits.write(codeLengths.lengths[symbol] as number, 3);
    }
    for (const run of this.#runs) {
      const symbol = run & 31;
      bits.write(codeLengths.codes[symbol] as number, codeLengths.lengths[symbol] as number);
      if (symbol >= REPEAT) bits.write(run >> 5, symbol === REPEAT ? 2 : symbol === ZEROS ? 3 : 7);
    }
  }

  #repeat(length: number, times: number): void {
    let left = times;
    while (left >= 3) {
      if (length !== 0) {
        const now = Math.min(left, 6);
        this.#run(REPEAT, now - 3);
        left -= now;
      } else if (left <= 10) {
        this.#run(ZEROS, left - 3);
        left = 0;
      } else {
        const now = Math.min(left, 138);
        this.#run(MANY_ZEROS, now - 11);
        left -= now;
      }
    }
    for (; left > 0; left--) this.#run(length, 0);
  }

  #run(symbol: number, extra: number): void {
    this.#runs.push((extra << 5) | symbol);
    codeLengths.counts[symbol] = (codeLengths.counts[symbol] as number) + 1;
  }
}

/** How many lengths must be told: those behind the last symbol that has a code need not. */
function usedLengths({ lengths }: HuffmanCode, fewest: number): number {
  let used = lengths.length;
  while (used > fewest && lengths[used - 1] === 0) used--;
  return used;
}
