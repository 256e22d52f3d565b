import { COUNTS, PLACES, SORTED } from "./layout";

// What a code means, in 32 bits: the lowest byte says how many bits it takes, further bits included, the next how many
// without them, the upper half a value. All that is not simply looked up has bit 15.

/** A byte, which is the value. Only where bytes are coded; distances need the bit for their values. */
export const LITERAL: u32 = 1 << 31;
/** No value, but one of what follows. */
export const SPECIAL: u32 = 1 << 15;
/** The end of a block. */
export const END: u32 = SPECIAL | (1 << 14);
/** No code. */
export const NONE: u32 = SPECIAL | (1 << 13);

/** The longest code there is. */
const LONGEST: u32 = 15;

/** What is coded. */
export enum Kind {
  length,
  symbol,
  distance,
}

function meaning(kind: Kind, symbol: u32, bits: u32): u32 {
  if (kind === Kind.length) return (symbol << 16) | (bits << 8) | bits;
  if (kind === Kind.symbol) {
    if (symbol < 256) return LITERAL | (symbol << 16) | (bits << 8) | bits;
    if (symbol === 256) return END | bits;
    const code = symbol - 257;
    if (code > 28) return NONE;
    if (code === 28) return (258 << 16) | (bits << 8) | bits;
    if (code < 8) return ((3 + code) << 16) | (bits << 8) | bits;
    const further = (code - 4) >> 2;
    return ((3 + ((4 + (code & 3)) << further)) << 16) | (bits << 8) | (bits + further);
  }
  if (symbol > 29) return NONE;
  if (symbol < 4) return ((1 + symbol) << 16) | (bits << 8) | bits;
  const further = (symbol >> 1) - 1;
  return ((1 + ((2 + (symbol & 1)) << further)) << 16) | (bits << 8) | (bits + further);
}

/**
 * Makes a table of what so many bits, the first in the lowest place, mean. Behind it are those of codes that are longer.
 *
 * @param lengths of the codes of symbols from 0 on, 15 at most
 * @param bits how many are looked up at once
 * @returns whether there can be such codes
 */
export function makeTable(kind: Kind, table: usize, bits: u32, lengths: usize, symbols: u32): bool {
  memory.fill(COUNTS, 0, 64);
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const at = COUNTS + 4 * (load<u8>(lengths + symbol) as usize);
    store<u32>(at, load<u32>(at) + 1);
  }
  let left: i32 = 1;
  let longest: u32 = 0;
  let place: u32 = 0;
  for (let length: u32 = 1; length <= LONGEST; length++) {
    const count = load<u32>(COUNTS + 4 * length);
    store<u32>(PLACES + 4 * length, place);
    place += count;
    left = 2 * left - (count as i32);
    if (left < 0) return false;
    if (count > 0) longest = length;
  }
  if (left > 0) {
    // Codes may be missing where there is one of one bit, or none.
    if (longest > 1) return false;
    for (let at: usize = 0; at < 1 << bits; at++) store<u32>(table + 4 * at, NONE);
  }
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const length = load<u8>(lengths + symbol) as usize;
    if (length === 0) continue;
    const next = load<u32>(PLACES + 4 * length);
    store<u32>(PLACES + 4 * length, next + 1);
    store<u16>(SORTED + 2 * next, symbol as u16);
  }
  fill(kind, table, bits, longest);
  return true;
}

/** Codes in the order of their lengths, and their bits from the other end. */
function fill(kind: Kind, table: usize, bits: u32, longest: u32): void {
  const size: u32 = 1 << bits;
  let at: usize = SORTED;
  let code: u32 = 0;
  let free: u32 = size;
  // What is in the table is for so many bits, and doubled for more.
  let filled: u32 = 0;
  const whole = min(longest, bits);
  for (let length: u32 = 1; length <= whole; length++) {
    if (length > 1 && filled > 0) {
      memory.copy(table + 4 * filled, table, 4 * filled);
      filled *= 2;
    } else filled = 1 << length;
    for (let count = load<u32>(COUNTS + 4 * length); count > 0; count--) {
      store<u32>(table + 4 * code, meaning(kind, load<u16>(at), length));
      at += 2;
      code = next(code, length);
    }
  }
  for (; filled > 0 && filled < size; filled *= 2) memory.copy(table + 4 * filled, table, 4 * filled);
  for (let length = bits + 1; length <= longest; ) {
    const count = load<u32>(COUNTS + 4 * length);
    if (count === 0) {
      length++;
      continue;
    }
    // Those that begin alike: as many as make all of what can follow.
    const start = code & (size - 1);
    const further = furtherBits(length, bits, count, longest);
    store<u32>(table + 4 * start, (free << 16) | SPECIAL | (further << 8) | bits);
    let left = count;
    for (let some = length; ; ) {
      while (left > 0 && (code & (size - 1)) === start) {
        const one = meaning(kind, load<u16>(at), some - bits);
        for (let to = code >> bits; to < 1 << further; to += 1 << (some - bits)) {
          store<u32>(table + 4 * (free + to), one);
        }
        at += 2;
        left--;
        store<u32>(COUNTS + 4 * some, left);
        code = next(code, some);
      }
      if ((code & (size - 1)) !== start || some === longest) {
        length = some;
        break;
      }
      some++;
      left = load<u32>(COUNTS + 4 * some);
    }
    free += 1 << further;
  }
}

/** How many bits follow the first, of the longest of those codes that begin as the next one. */
function furtherBits(length: u32, bits: u32, count: u32, longest: u32): u32 {
  let further = length - bits;
  let used = count;
  while (used < 1 << further && bits + further < longest) {
    further++;
    used = 2 * used + load<u32>(COUNTS + 4 * (bits + further));
  }
  return further;
}

/** The code that follows: one more, counted from its other end. That behind the last one has more bits, all zero. */
function next(code: u32, length: u32): u32 {
  const ones: u32 = (1 << length) - 1;
  if (code === ones) return code;
  const bit: u32 = 1 << (31 - clz<u32>(code ^ ones));
  return (code & (bit - 1)) | bit;
}
