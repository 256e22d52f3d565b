/** What came of damaged data. */
export interface Inflated {
  readonly bytes: Uint8Array;
  /** Whether it ends as such data should, or is as much as was asked for. */
  readonly isComplete: boolean;
}

/** Codes of one alphabet: how many there are of each length, and the symbols in the order of their codes. */
interface Codes {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

/** What a block's data is coded by. */
interface BlockCodes {
  readonly literals: Codes;
  readonly distances: Codes;
}

const LONGEST_CODE = 15;
const END_OF_BLOCK = 256;
const WINDOW = 32 * 1024;
/** RFC 1951, 3.2.5: what a symbol's length or distance begins with, and how many bits more it has. */
const LENGTHS = rangesOf(
  [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5],
  3,
);
const DISTANCES = rangesOf(
  [...Array(30).keys()].map((symbol) => Math.max(0, (symbol >> 1) - 1)),
  1,
);
const LONGEST_MATCH = { base: 258, bits: 0 };
/** RFC 1951, 3.2.7: the order in which the lengths of the codes for lengths are told. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const FIXED = {
  literals: codesOf(
    Uint8Array.from({ length: 288 }, (_, at) => (at < 144 ? 8 : at < 256 ? 9 : at < 280 ? 7 : 8)),
  ),
  distances: codesOf(new Uint8Array(30).fill(5)),
};

/** The data makes no sense, or there is no more of it. */
class Damage extends Error {}

/**
 * Unpacks deflated data (RFC 1951) to the very byte where it stops making sense, as zlib does. Libraries and the
 * platform are much faster, and keep back some of what comes before the damage.
 *
 * @param data without the header of zlib
 * @param limit of what is wanted, in bytes
 */
export function inflateToDamage(data: Uint8Array, limit: number): Inflated {
  const output = new Output(limit);
  try {
    const input = new Bits(data);
    for (let isLast = false; !isLast && !output.isFull; ) {
      isLast = input.take(1) === 1;
      takeBlock(input, output);
    }
    return { bytes: output.bytes, isComplete: true };
  } catch (thrown) {
    if (!(thrown instanceof Damage)) throw thrown;
    return { bytes: output.bytes, isComplete: false };
  }
}

function takeBlock(input: Bits, output: Output): void {
  switch (input.take(2)) {
    case 0:
      takeStored(input, output);
      break;
    case 1:
      takeCoded(input, output, FIXED);
      break;
    case 2:
      takeCoded(input, output, takeCodes(input));
      break;
    default:
      throw new Damage();
  }
}

function takeStored(input: Bits, output: Output): void {
  input.toByte();
  const length = input.take(16);
  if ((length ^ 0xffff) !== input.take(16)) throw new Damage();
  for (let at = 0; at < length && !output.isFull; at++) output.put(input.take(8));
}

function takeCoded(input: Bits, output: Output, { literals, distances }: BlockCodes): void {
  while (!output.isFull) {
    const symbol = input.symbol(literals);
    if (symbol === END_OF_BLOCK) return;
    if (symbol < END_OF_BLOCK) {
      output.put(symbol);
      continue;
    }
    const at = symbol - END_OF_BLOCK - 1;
    const length = input.ranged(at === LENGTHS.length ? LONGEST_MATCH : LENGTHS[at]);
    const distance = input.ranged(DISTANCES[input.symbol(distances)]);
    output.repeat(distance, length);
  }
}

function takeCodes(input: Bits): BlockCodes {
  const literalCount = input.take(5) + 257;
  const distanceCount = input.take(5) + 1;
  const lengthCount = input.take(4) + 4;
  if (literalCount > 286 || distanceCount > 30) throw new Damage();
  const told = new Uint8Array(LENGTH_ORDER.length);
  for (const symbol of LENGTH_ORDER.slice(0, lengthCount)) told[symbol] = input.take(3);
  const lengthCodes = codesOf(told);
  if (!isFull(lengthCodes)) throw new Damage();
  const lengths = new Uint8Array(literalCount + distanceCount);
  for (let at = 0; at < lengths.length; ) {
    const symbol = input.symbol(lengthCodes);
    if (symbol < 16) {
      lengths[at++] = symbol;
      continue;
    }
    if (symbol === 16 && at === 0) throw new Damage();
    const value = symbol === 16 ? (lengths[at - 1] ?? 0) : 0;
    const times = symbol === 16 ? 3 + input.take(2) : symbol === 17 ? 3 + input.take(3) : 11 + input.take(7);
    if (at + times > lengths.length) throw new Damage();
    lengths.fill(value, at, at + times);
    at += times;
  }
  const literals = codesOf(lengths.subarray(0, literalCount));
  const distances = codesOf(lengths.subarray(literalCount));
  const areSound = lengths[END_OF_BLOCK] !== 0 && isUsable(literals) && isUsable(distances);
  if (!areSound) throw new Damage();
  return { literals, distances };
}

function codesOf(lengths: Uint8Array): Codes {
  const counts = new Uint16Array(LONGEST_CODE + 1);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
  const next = new Uint16Array(LONGEST_CODE + 2);
  for (let length = 1; length <= LONGEST_CODE; length++)
    next[length + 1] = (next[length] ?? 0) + (counts[length] ?? 0);
  const symbols = new Uint16Array(lengths.length);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    const at = next[length] ?? 0;
    symbols[at] = symbol;
    next[length] = at + 1;
  }
  return { counts, symbols };
}

/** How many codes of the greatest length are left over; negative when there are too many codes. */
function leftOver({ counts }: Codes): number {
  let left = 1;
  for (let length = 1; length <= LONGEST_CODE; length++) {
    left = 2 * left - (counts[length] ?? 0);
    if (left < 0) return left;
  }
  return left;
}

function isFull(codes: Codes): boolean {
  return leftOver(codes) === 0;
}

/** A single code, of one bit, and none at all may leave codes over. */
function isUsable(codes: Codes): boolean {
  const left = leftOver(codes);
  const longest = codes.counts.findLastIndex((count) => count > 0);
  return left === 0 || (left > 0 && longest <= 1);
}

function rangesOf(bits: readonly number[], first: number): readonly { base: number; bits: number }[] {
  let base = first;
  return bits.map((count) => {
    const range = { base, bits: count };
    base += 1 << count;
    return range;
  });
}

/** The data, bit by bit. */
class Bits {
  readonly #data: Uint8Array;
  #at = 0;
  #held = 0;
  #count = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
  }

  /** The next bits as a number, the first the lowest. */
  take(count: number): number {
    while (this.#count < count) {
      const byte = this.#data[this.#at++];
      if (byte === undefined) throw new Damage();
      this.#held |= byte << this.#count;
      this.#count += 8;
    }
    const value = this.#held & ((1 << count) - 1);
    this.#held >>>= count;
    this.#count -= count;
    return value;
  }

  /** The symbol of the next code. */
  symbol({ counts, symbols }: Codes): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= LONGEST_CODE; length++) {
      code |= this.take(1);
      const count = counts[length] ?? 0;
      if (code - count < first) return symbols[index + code - first] ?? 0;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new Damage();
  }

  /** A length or a distance. */
  ranged(range: { readonly base: number; readonly bits: number } | undefined): number {
    if (range === undefined) throw new Damage();
    return range.base + this.take(range.bits);
  }

  /** Leaves out what is left of a byte. */
  toByte(): void {
    this.take(this.#count & 7);
  }
}

/** What was unpacked. */
class Output {
  readonly #limit: number;
  #room: Uint8Array;
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#room = new Uint8Array(Math.min(limit, 2 * WINDOW));
  }

  get isFull(): boolean {
    return this.#length >= this.#limit;
  }

  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.#length);
  }

  put(byte: number): void {
    if (this.#length === this.#room.length) this.#grow();
    this.#room[this.#length++] = byte;
  }

  /** Puts again what was put so far back. */
  repeat(distance: number, length: number): void {
    if (distance > this.#length || distance > WINDOW) throw new Damage();
    for (let left = length; left > 0 && !this.isFull; left--)
      this.put(this.#room[this.#length - distance] ?? 0);
  }

  #grow(): void {
    const room = new Uint8Array(Math.min(this.#limit, 2 * this.#room.length));
    room.set(this.#room);
    this.#room = room;
  }
}
