import { bitCount, bits, from, inputAt, refill, setBits, take } from "./bit-input";
import { DISTANCE_BITS, readCodes, readStoredLength, SYMBOL_BITS, useFixedCodes } from "./block-heads";
import { END, LITERAL, NONE, SPECIAL } from "./codes";
import { DISTANCES, SYMBOLS, UNPACKED } from "./layout";

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

/** Where unpacked data is written. */
let to: usize = 0;

let block: Block = Block.head;
let isLast: bool = false;
/** How many bytes of a stored block are left. */
let stored: usize = 0;

/** Begins to unpack. */
export function startInflate(): void {
  setBits(0, 0, 0);
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
  if (kind === 3) return false;
  block = kind === 0 ? Block.stored : Block.coded;
  if (kind > 0) return kind === 1 ? useFixedCodes() : readCodes();
  const length = readStoredLength();
  stored = max(0, length);
  return length >= 0;
}

function copyStored(end: usize, limit: usize): Step {
  if (to >= limit && stored > 0) return Step.full;
  const count = min(min(stored, end > from ? end - from : 0), limit - to);
  memory.copy(to, from, count);
  to += count;
  setBits(0, 0, from + count);
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
  setBits(some, count, at);
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
