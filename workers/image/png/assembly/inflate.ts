import { END, Kind, LITERAL, makeTable, NONE, SPECIAL } from "./codes";
import { DISTANCES, LENGTH_CODES, LENGTHS, SYMBOLS, UNPACKED } from "./layout";

/** How many bits are looked up at once. */
const LENGTH_BITS: u32 = 7;
const SYMBOL_BITS: u32 = 11;
const DISTANCE_BITS: u32 = 8;

/** As much as is read ahead for a symbol, and for what stands before a block's data. */
const SYMBOL_BYTES: usize = 32;
export const HEAD_BYTES: usize = 1024;
/** As much as is written for a symbol, and then for a repetition. */
const STEP_BYTES: usize = 3 + 258 + 16;

/** What {@link inflate} comes to. */
export enum Step {
  /** More input is needed. */
  hungry,
  /** What it has unpacked has to go first. */
  full,
  ended,
  damaged,
}

enum Block {
  head,
  stored,
  coded,
  over,
}

/** The next bits, the first in the lowest place, and how many they are. */
let bits: u64 = 0;
let bitCount: u32 = 0;
/** Where input is read, and unpacked data is written. */
let from: usize = 0;
let to: usize = 0;

let block: Block = Block.head;
let isLast: bool = false;
/** How many bytes of a stored block are left. */
let stored: usize = 0;

/** Begins to unpack. */
export function startInflate(): void {
  bits = 0;
  bitCount = 0;
  to = UNPACKED;
  block = Block.head;
  isLast = false;
}

/** Where unpacked data ends. */
export function unpackedEnd(): usize {
  return to;
}

/** Says that what was unpacked, or what of it is kept, ends there now. */
export function setUnpackedEnd(at: usize): void {
  to = at;
}

/** Where the input stands that has not been looked at yet. */
export function inputAt(): usize {
  return from - ((bitCount >> 3) as usize);
}

/** Says where the input is. What waits in bits has been looked at. */
export function setInput(at: usize): void {
  from = at;
  bitCount &= 7;
  bits &= ((1 << bitCount) - 1) as u64;
}

/** Takes so many bits, of which there must be enough. */
function take(count: u32): u32 {
  const taken = (bits as u32) & ((1 << count) - 1);
  bits >>= count;
  bitCount -= count;
  return taken;
}

/** Takes in as much as there is room for: at least 56 bits are there then. */
function refill(): void {
  bits |= load<u64>(from) << bitCount;
  from += (63 - bitCount) >> 3;
  bitCount |= 56;
}

/**
 * Unpacks on (RFC 1951).
 *
 * @param end where the input ends
 * @param isAll whether that is all of it; behind its end are zeros then
 * @param limit where no more may be written
 */
export function inflate(end: usize, isAll: bool, limit: usize): Step {
  while (block !== Block.over) {
    // Zeros behind the end are taken for data, and that is found out here.
    if (isAll && inputAt() > end) return Step.damaged;
    if (block === Block.head) {
      if (!isAll && from + HEAD_BYTES > end) return Step.hungry;
      if (!readHead()) return Step.damaged;
    } else {
      const last = (isAll ? end + HEAD_BYTES : end) - SYMBOL_BYTES;
      const step = block === Block.stored ? copyStored(end, limit) : decode(last, limit);
      if (step !== Step.ended) return step === Step.hungry && isAll ? Step.damaged : step;
      block = isLast ? Block.over : Block.head;
    }
  }
  return isAll && inputAt() > end ? Step.damaged : Step.ended;
}

function readHead(): bool {
  refill();
  isLast = take(1) === 1;
  const kind = take(2);
  if (kind === 0) return readStored();
  if (kind === 3) return false;
  block = Block.coded;
  return kind === 1 ? useFixedCodes() : readCodes();
}

function readStored(): bool {
  block = Block.stored;
  take(bitCount & 7);
  const length = take(16);
  const inverse = take(16);
  // Back to whole bytes of input.
  from -= (bitCount >> 3) as usize;
  bits = 0;
  bitCount = 0;
  stored = length;
  return (length ^ inverse) === 0xffff;
}

function useFixedCodes(): bool {
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

function readCodes(): bool {
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

function copyStored(end: usize, limit: usize): Step {
  if (to >= limit && stored > 0) return Step.full;
  const count = min(min(stored, end > from ? end - from : 0), limit - to);
  memory.copy(to, from, count);
  to += count;
  from += count;
  stored -= count;
  return stored === 0 ? Step.ended : to >= limit ? Step.full : Step.hungry;
}

/** Looks a code up. */
function lookUp(table: usize, some: u64, count: u32): u32 {
  return load<u32>(table + (((some as u32) & ((1 << count) - 1)) << 2));
}

function decode(last: usize, limit: usize): Step {
  const fullAt = limit - STEP_BYTES;
  let some = bits;
  let count = bitCount;
  let at = from;
  let put = to;
  let step = Step.damaged;
  if (at > last || put > fullAt) return at > last ? Step.hungry : Step.full;
  some |= load<u64>(at) << count;
  at += (63 - count) >> 3;
  count |= 56;
  let entry = lookUp(SYMBOLS, some, SYMBOL_BITS);
  for (;;) {
    if (entry & LITERAL) {
      // Four of at most 11 bits, and the next is known.
      some >>= entry & 0x3f;
      count -= entry & 0x3f;
      store<u8>(put, entry >>> 16);
      entry = lookUp(SYMBOLS, some, SYMBOL_BITS);
      put++;
      if (entry & LITERAL) {
        some >>= entry & 0x3f;
        count -= entry & 0x3f;
        store<u8>(put, entry >>> 16);
        entry = lookUp(SYMBOLS, some, SYMBOL_BITS);
        put++;
        if (entry & LITERAL) {
          some >>= entry & 0x3f;
          count -= entry & 0x3f;
          store<u8>(put, entry >>> 16);
          entry = lookUp(SYMBOLS, some, SYMBOL_BITS);
          put++;
          if (entry & LITERAL) {
            some >>= entry & 0x3f;
            count -= entry & 0x3f;
            store<u8>(put, entry >>> 16);
            entry = lookUp(SYMBOLS, some, SYMBOL_BITS);
            put++;
            if (at > last || put > fullAt) {
              step = at > last ? Step.hungry : Step.full;
              break;
            }
            some |= load<u64>(at) << count;
            at += (63 - count) >> 3;
            count |= 56;
            continue;
          }
        }
      }
    }
    // At most 33 bits are gone, of at least 56; here are as many again.
    some |= load<u64>(at) << count;
    at += (63 - count) >> 3;
    count |= 56;
    if (entry & SPECIAL) {
      if ((entry & END) === END) {
        some >>= entry & 0x3f;
        count -= entry & 0x3f;
        step = Step.ended;
        break;
      }
      if ((entry & NONE) === NONE) break;
      some >>= entry & 0x3f;
      count -= entry & 0x3f;
      entry = load<u32>(
        SYMBOLS + 4 * ((entry >>> 16) + ((some as u32) & ((1 << ((entry >>> 8) & 0xf)) - 1))),
      );
      if (entry & (LITERAL | SPECIAL)) {
        if ((entry & END) === END) {
          some >>= entry & 0x3f;
          count -= entry & 0x3f;
          step = Step.ended;
          break;
        }
        if (entry & SPECIAL) break;
        some >>= entry & 0x3f;
        count -= entry & 0x3f;
        store<u8>(put, entry >>> 16);
        put++;
        if (at > last || put > fullAt) {
          step = at > last ? Step.hungry : Step.full;
          break;
        }
        some |= load<u64>(at) << count;
        at += (63 - count) >> 3;
        count |= 56;
        entry = lookUp(SYMBOLS, some, SYMBOL_BITS);
        continue;
      }
    }
    // Of 56 bits, 20 are a length's, and 28 a distance's.
    const length: usize =
      (entry >>> 16) + (((some as u32) & ((1 << (entry & 0x3f)) - 1)) >>> ((entry >>> 8) & 0xf));
    some >>= entry & 0x3f;
    count -= entry & 0x3f;
    entry = lookUp(DISTANCES, some, DISTANCE_BITS);
    if (entry & SPECIAL) {
      if ((entry & NONE) === NONE) break;
      some >>= entry & 0x3f;
      count -= entry & 0x3f;
      entry = load<u32>(
        DISTANCES + 4 * ((entry >>> 16) + ((some as u32) & ((1 << ((entry >>> 8) & 0xf)) - 1))),
      );
      if (entry & SPECIAL) break;
    }
    const distance: usize =
      (entry >>> 16) + (((some as u32) & ((1 << (entry & 0x3f)) - 1)) >>> ((entry >>> 8) & 0xf));
    some >>= entry & 0x3f;
    count -= entry & 0x3f;
    if (distance > put - UNPACKED) break;
    repeat(put, distance, length);
    put += length;
    if (at > last || put > fullAt) {
      step = at > last ? Step.hungry : Step.full;
      break;
    }
    some |= load<u64>(at) << count;
    at += (63 - count) >> 3;
    count |= 56;
    entry = lookUp(SYMBOLS, some, SYMBOL_BITS);
  }
  bits = some;
  bitCount = count;
  from = at;
  to = put;
  return step;
}

/** Writes again what was written so far before, and up to 15 bytes behind it. */
function repeat(put: usize, distance: usize, length: usize): void {
  const end = put + length;
  if (distance >= 16) {
    do {
      v128.store(put, v128.load(put - distance));
      put += 16;
    } while (put < end);
    return;
  }
  if (distance === 1) {
    const byte = v128.load8_splat(put - 1);
    do {
      v128.store(put, byte);
      put += 16;
    } while (put < end);
    return;
  }
  do {
    store<u8>(put, load<u8>(put - distance));
    put++;
  } while (put < end);
}
