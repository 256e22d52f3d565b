import { TABLE_BYTES, ZIGZAG_MASKS, ZIGZAG_OFFSETS } from "./memory-layout";

/** Bits not written yet, in the low bits, and their number: less than 32 between calls. */
let pendingBits: u64 = 0;
let pendingCount: i32 = 0;
/** The address of the next byte. */
let output: usize = 0;

/** Starts an entropy-coded segment. */
export function clearBits(): void {
  pendingBits = 0;
  pendingCount = 0;
}

/** Sets where to write. */
export function setTarget(target: usize): void {
  output = target;
}

/** Returns the address after the last written byte. */
export function targetEnd(): usize {
  return output;
}

/** Pads the pending bits with ones to whole bytes and writes them. */
export function flushBits(): void {
  const missing = -pendingCount & 7;
  pendingBits = (pendingBits << missing) | ((1 << missing) - 1);
  pendingCount += missing;
  while (pendingCount > 0) {
    pendingCount -= 8;
    putByte((pendingBits >> pendingCount) as u32);
  }
}

/** Returns a bit per nonzero AC coefficient, in zigzag order from the lowest bit. */
function nonZeroMask(block: usize): u64 {
  const c01 = zeroMask(v128.load(block), v128.load(block, 16));
  const c23 = zeroMask(v128.load(block, 32), v128.load(block, 48));
  const c45 = zeroMask(v128.load(block, 64), v128.load(block, 80));
  const c67 = zeroMask(v128.load(block, 96), v128.load(block, 112));
  const low = ~(c01 | (c23 << 16));
  const high = ~(c45 | (c67 << 16));
  if ((low & ~1) === 0 && high === 0) return 0;
  const mask =
    zigzagMask(0, low) |
    zigzagMask(1, low >>> 8) |
    zigzagMask(2, low >>> 16) |
    zigzagMask(3, low >>> 24) |
    zigzagMask(4, high) |
    zigzagMask(5, high >>> 8) |
    zigzagMask(6, high >>> 16) |
    zigzagMask(7, high >>> 24);
  return mask & ~1;
}

/** Returns a bit per zero among 16 coefficients. */
function zeroMask(one: v128, other: v128): u32 {
  const zero = i16x8.splat(0);
  return i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.eq(one, zero), i16x8.eq(other, zero)));
}

function zigzagMask(column: usize, mask: u32): u64 {
  return load<u64>(ZIGZAG_MASKS + 2048 * column + 8 * ((mask & 0xff) as usize));
}

/** The magnitude category SSSS of a value (F.1.2.1, table F.1). */
function categoryOf(value: i32): u32 {
  return 32 - clz<i32>(abs<i32>(value));
}

/**
 * Counts the symbols of a block (F.1.2).
 *
 * @param lastDc the DC coefficient of the previous block of the component
 * @returns the DC coefficient of this block
 */
export function countBlock(block: usize, counts: usize, lastDc: i32): i32 {
  const dc = load<i16>(block) as i32;
  increment(counts, categoryOf(dc - lastDc));
  const ac = counts + TABLE_BYTES;
  let mask = nonZeroMask(block);
  let previous: u32 = 0;
  while (mask !== 0) {
    const position = ctz<u64>(mask) as u32;
    mask &= mask - 1;
    let run = position - previous - 1;
    previous = position;
    while (run > 15) {
      increment(ac, 0xf0);
      run -= 16;
    }
    increment(ac, (run << 4) | categoryOf(coefficient(block, position)));
  }
  if (previous < 63) increment(ac, 0);
  return dc;
}

function increment(counts: usize, symbol: u32): void {
  const at = counts + 4 * (symbol as usize);
  store<u32>(at, load<u32>(at) + 1);
}

function coefficient(block: usize, position: u32): i32 {
  return load<i16>(block + (load<u8>(ZIGZAG_OFFSETS + (position as usize)) as usize)) as i32;
}

/**
 * Encodes a block (F.1.2).
 *
 * @param lastDc the DC coefficient of the previous block of the component
 * @returns the DC coefficient of this block
 */
export function encodeBlock(block: usize, codes: usize, lastDc: i32): i32 {
  const dc = load<i16>(block) as i32;
  let buffer = pendingBits;
  let length = pendingCount;
  const difference = dc - lastDc;
  const dcCategory = categoryOf(difference);
  const dcCode = load<u32>(codes + 4 * (dcCategory as usize));
  buffer = (buffer << (dcCode & 31)) | ((dcCode >>> 5) | extraBits(difference, dcCategory));
  length += dcCode & 31;
  if (length >= 32) {
    length -= 32;
    putWord((buffer >> length) as u32);
  }
  const ac = codes + TABLE_BYTES;
  let mask = nonZeroMask(block);
  let previous: u32 = 0;
  while (mask !== 0) {
    const position = ctz<u64>(mask) as u32;
    mask &= mask - 1;
    let run = position - previous - 1;
    previous = position;
    while (run > 15) {
      const zrl = load<u32>(ac + 4 * 0xf0);
      buffer = (buffer << (zrl & 31)) | (zrl >>> 5);
      length += zrl & 31;
      if (length >= 32) {
        length -= 32;
        putWord((buffer >> length) as u32);
      }
      run -= 16;
    }
    const value = coefficient(block, position);
    const category = categoryOf(value);
    const code = load<u32>(ac + 4 * (((run << 4) | category) as usize));
    buffer = (buffer << (code & 31)) | ((code >>> 5) | extraBits(value, category));
    length += code & 31;
    if (length >= 32) {
      length -= 32;
      putWord((buffer >> length) as u32);
    }
  }
  if (previous < 63) {
    const end = load<u32>(ac);
    buffer = (buffer << (end & 31)) | (end >>> 5);
    length += end & 31;
    if (length >= 32) {
      length -= 32;
      putWord((buffer >> length) as u32);
    }
  }
  pendingBits = buffer;
  pendingCount = length;
  return dc;
}

/** The additional bits of a value (F.1.2.1). */
function extraBits(value: i32, length: u32): u32 {
  return (value + (value >> 31)) & ((1 << length) - 1);
}

/** Writes 4 bytes, the highest first. */
function putWord(word: u32): void {
  // 0xff needs byte stuffing (F.1.2.3). It is a zero byte of the inverse.
  const inverse = ~word;
  if (((inverse - 0x01010101) & word & 0x80808080) === 0) {
    store<u32>(output, bswap<u32>(word));
    output += 4;
    return;
  }
  putByte(word >>> 24);
  putByte(word >>> 16);
  putByte(word >>> 8);
  putByte(word);
}

function putByte(byte: u32): void {
  store<u8>(output++, byte as u8);
  if ((byte & 0xff) === 0xff) store<u8>(output++, 0);
}
