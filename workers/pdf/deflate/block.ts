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

const LENGTH = ranges(28, 3, (symbol) => (symbol < 8 ? 0 : (symbol >> 2) - 1));
const DISTANCE = ranges(DISTANCES, 1, (symbol) => (symbol < 4 ? 0 : (symbol >> 1) - 1));
const LONGEST_MATCH = 258;
const LONGEST_SYMBOL = 28;

/** The symbol, counted from the first, for each length. */
const SYMBOL_OF_LENGTH = new Uint8Array(LONGEST_MATCH + 1);
for (let length = 3; length < LONGEST_MATCH; length++) {
  SYMBOL_OF_LENGTH[length] = LENGTH.begins.findLastIndex((begin) => begin <= length);
}
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

/** Writes data as the only block of a stream, in whichever way is shortest; says where it ends. */
export function writeBlock(data: Uint8Array, matches: Matches, out: Uint8Array, start: number): number {
  const extraBits = count(matches);
  literals.make();
  distances.make();
  const heading = new Heading();
  const fixed = fixedLiterals.cost(literals.counts) + fixedDistances.cost(distances.counts) + extraBits;
  const dynamic = literals.cost() + distances.cost() + heading.cost() + extraBits;
  const bits = new BitWriter(out, start);
  bits.write(1, 1);
  if (8 * (data.length + 4) < Math.min(fixed, dynamic)) {
    bits.write(STORED, 2);
    return bits.stored(data);
  }
  if (fixed <= dynamic) {
    bits.write(FIXED, 2);
    writeSymbols(matches, bits, fixedLiterals, fixedDistances);
  } else {
    bits.write(DYNAMIC, 2);
    heading.write(bits);
    writeSymbols(matches, bits, literals, distances);
  }
  return bits.end();
}

/** Counts symbols; says how many bits they have beside their codes. */
function count({ symbols, count: many }: Matches): number {
  const ofLiterals = literals.counts.fill(0);
  const ofDistances = distances.counts.fill(0);
  let extraBits = 0;
  for (let index = 0; index < many; index++) {
    const symbol = symbols[index] as number;
    if (symbol < 256) {
      ofLiterals[symbol] = (ofLiterals[symbol] as number) + 1;
      continue;
    }
    const length = SYMBOL_OF_LENGTH[symbol & 511] as number;
    const distance = symbolOfDistance(symbol >>> 9);
    ofLiterals[FIRST_LENGTH + length] = (ofLiterals[FIRST_LENGTH + length] as number) + 1;
    ofDistances[distance] = (ofDistances[distance] as number) + 1;
    extraBits += (LENGTH.extras[length] ?? 0) + (DISTANCE.extras[distance] as number);
  }
  ofLiterals[END_OF_BLOCK] = 1;
  return extraBits;
}

function writeSymbols(
  { symbols, count: many }: Matches,
  bits: BitWriter,
  ofLiterals: HuffmanCode,
  ofDistances: HuffmanCode,
): void {
  for (let index = 0; index < many; index++) {
    const symbol = symbols[index] as number;
    if (symbol < 256) {
      bits.write(ofLiterals.codes[symbol] as number, ofLiterals.lengths[symbol] as number);
      continue;
    }
    const length = SYMBOL_OF_LENGTH[symbol & 511] as number;
    bits.write(
      ofLiterals.codes[FIRST_LENGTH + length] as number,
      ofLiterals.lengths[FIRST_LENGTH + length] as number,
    );
    if (length < LONGEST_SYMBOL) {
      bits.write((symbol & 511) - (LENGTH.begins[length] as number), LENGTH.extras[length] as number);
    }
    const distance = symbolOfDistance(symbol >>> 9);
    bits.write(ofDistances.codes[distance] as number, ofDistances.lengths[distance] as number);
    bits.write((symbol >>> 9) - (DISTANCE.begins[distance] as number), DISTANCE.extras[distance] as number);
  }
  bits.write(ofLiterals.codes[END_OF_BLOCK] as number, ofLiterals.lengths[END_OF_BLOCK] as number);
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

/** Writes bits, the lowest first, into bytes. */
class BitWriter {
  readonly #out: Uint8Array;
  #at: number;
  #waiting = 0;
  #count = 0;

  constructor(out: Uint8Array, start: number) {
    this.#out = out;
    this.#at = start;
  }

  /** @param count 16 at the most */
  write(value: number, count: number): void {
    this.#waiting |= value << this.#count;
    this.#count += count;
    while (this.#count >= 8) {
      this.#out[this.#at++] = this.#waiting;
      this.#waiting >>>= 8;
      this.#count -= 8;
    }
  }

  /** Writes a stored block's data behind its first three bits; says where it ends. */
  stored(data: Uint8Array): number {
    this.end();
    for (const length of [data.length, ~data.length]) {
      this.#out[this.#at++] = length;
      this.#out[this.#at++] = length >> 8;
    }
    this.#out.set(data, this.#at);
    return this.#at + data.length;
  }

  /** Fills the last byte; says where the bits end. */
  end(): number {
    if (this.#count > 0) this.#out[this.#at++] = this.#waiting;
    this.#waiting = 0;
    this.#count = 0;
    return this.#at;
  }
}
