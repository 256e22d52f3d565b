import { ORDERED, PLACES, TABLE } from "./layout";

/** Bits that wait to be written, at the lower end, and how many they are: under 32 between calls. */
let bits: u64 = 0;
let bitCount: i32 = 0;
/** Where the next byte goes. */
let out: usize = 0;

/** Begins the coded data. */
export function clearBits(): void {
  bits = 0;
  bitCount = 0;
}

/** Where to write on. */
export function setTarget(target: usize): void {
  out = target;
}

/** Where what is written ends. */
export function targetEnd(): usize {
  return out;
}

/** Fills what waits up with ones to whole bytes, and writes it. */
export function flushBits(): void {
  const missing = -bitCount & 7;
  bits = (bits << missing) | ((1 << missing) - 1);
  bitCount += missing;
  while (bitCount > 0) {
    bitCount -= 8;
    putByte((bits >> bitCount) as u32);
  }
}

/** Which coefficients of a block are not zero, in zigzag order from the lowest bit up, DC left out. */
function nonZero(block: usize): u64 {
  const c01 = isZero(v128.load(block), v128.load(block, 16));
  const c23 = isZero(v128.load(block, 32), v128.load(block, 48));
  const c45 = isZero(v128.load(block, 64), v128.load(block, 80));
  const c67 = isZero(v128.load(block, 96), v128.load(block, 112));
  const low = ~(c01 | (c23 << 16));
  const high = ~(c45 | (c67 << 16));
  if ((low & ~1) === 0 && high === 0) return 0;
  const set =
    ordered(0, low) |
    ordered(1, low >>> 8) |
    ordered(2, low >>> 16) |
    ordered(3, low >>> 24) |
    ordered(4, high) |
    ordered(5, high >>> 8) |
    ordered(6, high >>> 16) |
    ordered(7, high >>> 24);
  return set & ~1;
}

/** Sixteen bits, for as many coefficients. */
function isZero(one: v128, other: v128): u32 {
  const zero = i16x8.splat(0);
  return i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.eq(one, zero), i16x8.eq(other, zero)));
}

function ordered(column: usize, set: u32): u64 {
  return load<u64>(ORDERED + 2048 * column + 8 * ((set & 0xff) as usize));
}

/** How many bits say a value's distance from zero. */
function lengthOf(value: i32): u32 {
  return 32 - clz<i32>(abs<i32>(value));
}

/**
 * Counts the symbols of a block (ITU-T T.81, F.1.2).
 *
 * @param last the DC coefficient of the block of its component before
 * @returns its DC coefficient
 */
export function countBlock(block: usize, counts: usize, last: i32): i32 {
  const dc = load<i16>(block) as i32;
  increment(counts, lengthOf(dc - last));
  const ac = counts + TABLE;
  let set = nonZero(block);
  let before: u32 = 0;
  while (set !== 0) {
    const place = ctz<u64>(set) as u32;
    set &= set - 1;
    let run = place - before - 1;
    before = place;
    while (run > 15) {
      increment(ac, 0xf0);
      run -= 16;
    }
    increment(ac, (run << 4) | lengthOf(coefficient(block, place)));
  }
  if (before < 63) increment(ac, 0);
  return dc;
}

function increment(counts: usize, symbol: u32): void {
  const at = counts + 4 * (symbol as usize);
  store<u32>(at, load<u32>(at) + 1);
}

function coefficient(block: usize, place: u32): i32 {
  return load<i16>(block + (load<u8>(PLACES + (place as usize)) as usize)) as i32;
}

/**
 * Writes a block by its codes (ITU-T T.81, F.1.2).
 *
 * @param last the DC coefficient of the block of its component before
 * @returns its DC coefficient
 */
export function encodeBlock(block: usize, codes: usize, last: i32): i32 {
  const dc = load<i16>(block) as i32;
  let some = bits;
  let length = bitCount;
  const difference = dc - last;
  const dcLength = lengthOf(difference);
  const dcCode = load<u32>(codes + 4 * (dcLength as usize));
  some = (some << (dcCode & 31)) | ((dcCode >>> 5) | further(difference, dcLength));
  length += dcCode & 31;
  if (length >= 32) {
    length -= 32;
    put((some >> length) as u32);
  }
  const ac = codes + TABLE;
  let set = nonZero(block);
  let before: u32 = 0;
  while (set !== 0) {
    const place = ctz<u64>(set) as u32;
    set &= set - 1;
    let run = place - before - 1;
    before = place;
    while (run > 15) {
      const long = load<u32>(ac + 4 * 0xf0);
      some = (some << (long & 31)) | (long >>> 5);
      length += long & 31;
      if (length >= 32) {
        length -= 32;
        put((some >> length) as u32);
      }
      run -= 16;
    }
    const value = coefficient(block, place);
    const size = lengthOf(value);
    const code = load<u32>(ac + 4 * (((run << 4) | size) as usize));
    some = (some << (code & 31)) | ((code >>> 5) | further(value, size));
    length += code & 31;
    if (length >= 32) {
      length -= 32;
      put((some >> length) as u32);
    }
  }
  if (before < 63) {
    const end = load<u32>(ac);
    some = (some << (end & 31)) | (end >>> 5);
    length += end & 31;
    if (length >= 32) {
      length -= 32;
      put((some >> length) as u32);
    }
  }
  bits = some;
  bitCount = length;
  return dc;
}

/** The bits behind a value's code. */
function further(value: i32, length: u32): u32 {
  return (value + (value >> 31)) & ((1 << length) - 1);
}

/** Writes four bytes, the first from the highest bits. */
function put(word: u32): void {
  // A byte of ones, of which a zero has to follow, is a zero byte of the inverse.
  const inverse = ~word;
  if (((inverse - 0x01010101) & word & 0x80808080) === 0) {
    store<u32>(out, bswap<u32>(word));
    out += 4;
    return;
  }
  putByte(word >>> 24);
  putByte(word >>> 16);
  putByte(word >>> 8);
  putByte(word);
}

function putByte(byte: u32): void {
  store<u8>(out++, byte as u8);
  if ((byte & 0xff) === 0xff) store<u8>(out++, 0);
}
