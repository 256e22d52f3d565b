import { bitCount, bits, dropBits, refill, take } from "./bit-input";
import { Kind, makeTable, SPECIAL } from "./codes";
import { DISTANCES, LENGTH_CODES, LENGTHS, SYMBOLS } from "./layout";

/** How many bits are looked up at once. */
const LENGTH_BITS: u32 = 7;
export const SYMBOL_BITS: u32 = 11;
export const DISTANCE_BITS: u32 = 8;

/**
 * Reads how long a block is that is stored as it is (RFC 1951, 3.2.4).
 *
 * @returns -1 when that makes no sense
 */
export function readStoredLength(): i32 {
  take(bitCount & 7);
  const length = take(16);
  const inverse = take(16);
  dropBits();
  return (length ^ inverse) === 0xffff ? (length as i32) : -1;
}

/** Makes the tables of the codes that are known beforehand (RFC 1951, 3.2.6). */
export function useFixedCodes(): bool {
  memory.fill(LENGTHS, 8, 144);
  memory.fill(LENGTHS + 144, 9, 112);
  memory.fill(LENGTHS + 256, 7, 24);
  memory.fill(LENGTHS + 280, 8, 8);
  memory.fill(LENGTHS + 288, 5, 32);
  return (
    makeTable(Kind.symbol, SYMBOLS, SYMBOL_BITS, LENGTHS, 288) &&
    makeTable(Kind.distance, DISTANCES, DISTANCE_BITS, LENGTHS + 288, 32)
  );
}

/** Reads the codes that stand before a block (RFC 1951, 3.2.7), and tells whether there can be such. */
export function readCodes(): bool {
  const symbols: u32 = take(5) + 257;
  const distances: u32 = take(5) + 1;
  const given: u32 = take(4) + 4;
  if (symbols > 286 || distances > 30) return false;
  memory.fill(LENGTHS, 0, 19);
  for (let index: u32 = 0; index < given; index++) {
    refill();
    store<u8>(LENGTHS + placeOf(index), take(3) as u8);
  }
  if (!makeTable(Kind.length, LENGTH_CODES, LENGTH_BITS, LENGTHS, 19)) return false;
  const all: u32 = symbols + distances;
  for (let at: u32 = 0; at < all; ) {
    refill();
    const entry = load<u32>(LENGTH_CODES + 4 * ((bits as usize) & ((1 << LENGTH_BITS) - 1)));
    if (entry & SPECIAL) return false;
    take(entry & 0xff);
    const value = entry >>> 16;
    if (value < 16) {
      store<u8>(LENGTHS + at++, value as u8);
      continue;
    }
    if (value === 16 && at === 0) return false;
    const length: u8 = value === 16 ? load<u8>(LENGTHS + at - 1) : 0;
    const times: u32 = value === 16 ? take(2) + 3 : value === 17 ? take(3) + 3 : take(7) + 11;
    if (at + times > all) return false;
    memory.fill(LENGTHS + at, length, times);
    at += times;
  }
  // A block has to end.
  if (load<u8>(LENGTHS + 256) === 0) return false;
  // The one table is made behind where the lengths of the other are.
  return (
    makeTable(Kind.symbol, SYMBOLS, SYMBOL_BITS, LENGTHS, symbols) &&
    makeTable(Kind.distance, DISTANCES, DISTANCE_BITS, LENGTHS + symbols, distances)
  );
}

/** Where the length of each code of lengths goes, which are given in this order (RFC 1951, 3.2.7). */
function placeOf(index: u32): u32 {
  if (index < 3) return 16 + index;
  if (index === 3) return 0;
  return index & 1 ? 7 - ((index - 5) >> 1) : 8 + ((index - 4) >> 1);
}
