/**
 * What takes time in writing a JPEG (ITU-T T.81, baseline, chroma halved both ways), for pixels in strips of one row of
 * MCUs. It keeps no state but the entropy coder's, allocates nothing, and trusts its caller for what is in memory: see
 * jpeg-encoder.ts, which lays it out.
 *
 * This is AssemblyScript: `npm run assemble` compiles it.
 */

// Where things are in memory. The same numbers are in jpeg-encoder.ts.
/** Reciprocals of the quantisers of both kinds of components, 64 × i16 each, column by column. */
const RECIPROCALS: usize = 0x0400;
/** For each place in zigzag order, where its coefficient is in a block, in bytes. */
const PLACES: usize = 0x0600;
/** For each column of a block and each set of its coefficients, the same set in zigzag order: 8 × 256 × u64. */
const ORDERED: usize = 0x1000;
/**
 * What is written for the symbols of the four tables (DC and AC of luma, then of chroma), 256 × u32 each: the code with
 * as many zeros behind it as there are further bits, and in the lowest five bits the length of both.
 */
const CODES: usize = 0x5000;
/** How often each symbol has been met, laid out as the codes. */
const COUNTS: usize = 0x6000;
/** The blocks of an MCU, 64 × i16 each: four of luma, then two of chroma; their coefficients column by column. */
const BLOCKS: usize = 0x7000;

const BLOCK: usize = 128;
const TABLE: usize = 1024;
const CHROMA_TABLES: usize = 2 * TABLE;

/** By how many bits products with a reciprocal are too long. */
let lumaShift: i32 = 0;
let chromaShift: i32 = 0;
/** The last DC coefficients. */
let lastY: i32 = 0;
let lastCb: i32 = 0;
let lastCr: i32 = 0;
/** Bits that wait to be written, at the lower end, and how many they are: under 32 between calls. */
let bits: u64 = 0;
let bitCount: i32 = 0;
/** Where the next byte goes. */
let out: usize = 0;

/** Begins an image, or begins it again. */
export function start(luma: i32, chroma: i32): void {
  lumaShift = luma;
  chromaShift = chroma;
  lastY = lastCb = lastCr = 0;
  bits = 0;
  bitCount = 0;
}

/** Counts the symbols of a strip. */
export function count(strip: usize, stride: usize, mcus: i32): void {
  for (let mcu = 0; mcu < mcus; mcu++) {
    transform(strip + 64 * (mcu as usize), stride);
    for (let block: usize = 0; block < 4; block++) lastY = countBlock(BLOCKS + block * BLOCK, COUNTS, lastY);
    lastCb = countBlock(BLOCKS + 4 * BLOCK, COUNTS + CHROMA_TABLES, lastCb);
    lastCr = countBlock(BLOCKS + 5 * BLOCK, COUNTS + CHROMA_TABLES, lastCr);
  }
}

/**
 * Encodes a strip.
 *
 * @param strip its pixels, RGBA, 16 rows of `stride` bytes
 * @param target where to write
 * @returns how many bytes
 */
export function encode(strip: usize, stride: usize, mcus: i32, target: usize): usize {
  out = target;
  for (let mcu = 0; mcu < mcus; mcu++) {
    transform(strip + 64 * (mcu as usize), stride);
    for (let block: usize = 0; block < 4; block++) lastY = encodeBlock(BLOCKS + block * BLOCK, CODES, lastY);
    lastCb = encodeBlock(BLOCKS + 4 * BLOCK, CODES + CHROMA_TABLES, lastCb);
    lastCr = encodeBlock(BLOCKS + 5 * BLOCK, CODES + CHROMA_TABLES, lastCr);
  }
  return out - target;
}

/** Writes what waits, filled up with ones to whole bytes. */
export function finish(target: usize): usize {
  out = target;
  const missing = -bitCount & 7;
  bits = (bits << missing) | ((1 << missing) - 1);
  bitCount += missing;
  while (bitCount > 0) {
    bitCount -= 8;
    putByte((bits >> bitCount) as u32);
  }
  return out - target;
}

/** The coefficients of the MCU at a place. */
function transform(mcu: usize, stride: usize): void {
  if (isFlat(mcu, stride)) {
    toFlat(v128.load32_splat(mcu));
    return;
  }
  for (let half: usize = 0; half < 2; half++) {
    const left = BLOCKS + half * 2 * BLOCK;
    const row = mcu + half * 8 * stride;
    for (let pair: usize = 0; pair < 4; pair++) {
      const chroma = BLOCKS + 4 * BLOCK + half * 64 + pair * 16;
      convert(row + pair * 2 * stride, stride, left + pair * 32, chroma);
    }
  }
  for (let block: usize = 0; block < 4; block++)
    transformBlock(BLOCKS + block * BLOCK, RECIPROCALS, lumaShift);
  transformBlock(BLOCKS + 4 * BLOCK, RECIPROCALS + BLOCK, chromaShift);
  transformBlock(BLOCKS + 5 * BLOCK, RECIPROCALS + BLOCK, chromaShift);
}

/** Whether all pixels of an MCU are the same: most are, on a page of text. */
function isFlat(mcu: usize, stride: usize): bool {
  const first = v128.load32_splat(mcu);
  for (let row: usize = 0; row < 16; row++) {
    const at = mcu + row * stride;
    const one = v128.or(v128.xor(v128.load(at), first), v128.xor(v128.load(at, 16), first));
    const two = v128.or(v128.xor(v128.load(at, 32), first), v128.xor(v128.load(at, 48), first));
    if (v128.any_true(v128.or(one, two))) return false;
  }
  return true;
}

/** The coefficients of an MCU of one colour. */
function toFlat(pixels: v128): void {
  const y = i32x4.extract_lane(luma(pixels), 0);
  const sums = i16x8.shl(v128.and(pixels, i16x8.splat(0xff)), 2);
  const greens = i16x8.shl(i16x8.shr_u(pixels, 8), 2);
  const cb = i32x4.extract_lane(blue(sums, greens), 0);
  const cr = i32x4.extract_lane(red(sums, greens), 0);
  for (let block: usize = 0; block < 4; block++) flatBlock(BLOCKS + block * BLOCK, y, RECIPROCALS, lumaShift);
  flatBlock(BLOCKS + 4 * BLOCK, cb, RECIPROCALS + BLOCK, chromaShift);
  flatBlock(BLOCKS + 5 * BLOCK, cr, RECIPROCALS + BLOCK, chromaShift);
}

function flatBlock(block: usize, value: i32, reciprocals: usize, shift: i32): void {
  const zero = i32x4.splat(0);
  for (let column: usize = 0; column < 8; column++) v128.store(block + 16 * column, zero);
  store<i16>(block, ((64 * value * load<i16>(reciprocals) + (1 << (shift - 1))) >> shift) as i16);
}

// Colours, in 32768ths, as JFIF has them. What they give is twice the value, so that half steps count.
const LUMA_RB: v128 = i16x8(9798, 3735, 9798, 3735, 9798, 3735, 9798, 3735);
const LUMA_G: v128 = i16x8(19235, 0, 19235, 0, 19235, 0, 19235, 0);
const BLUE_RB: v128 = i16x8(-5529, 16384, -5529, 16384, -5529, 16384, -5529, 16384);
const BLUE_G: v128 = i16x8(-10855, 0, -10855, 0, -10855, 0, -10855, 0);
const RED_RB: v128 = i16x8(16384, -2664, 16384, -2664, 16384, -2664, 16384, -2664);
const RED_G: v128 = i16x8(-13720, 0, -13720, 0, -13720, 0, -13720, 0);

/** Of four pixels. */
function luma(pixels: v128): v128 {
  const rb = i32x4.dot_i16x8_s(v128.and(pixels, i16x8.splat(0xff)), LUMA_RB);
  const g = i32x4.dot_i16x8_s(i16x8.shr_u(pixels, 8), LUMA_G);
  // Half a step, and 128 less.
  return i32x4.shr_s(i32x4.add(i32x4.add(rb, g), i32x4.splat(8192 - (256 << 14))), 14);
}

/** Of four sums of four pixels. */
function blue(redsBlues: v128, greens: v128): v128 {
  const sum = i32x4.add(i32x4.dot_i16x8_s(redsBlues, BLUE_RB), i32x4.dot_i16x8_s(greens, BLUE_G));
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(32768)), 16);
}

function red(redsBlues: v128, greens: v128): v128 {
  const sum = i32x4.add(i32x4.dot_i16x8_s(redsBlues, RED_RB), i32x4.dot_i16x8_s(greens, RED_G));
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(32768)), 16);
}

/**
 * Two rows of an MCU: two rows of luma in each of two blocks, and one of chroma in the two of theirs.
 *
 * @param rows the pixels of the first
 * @param left where its left half goes; the right one goes to the next block
 * @param chroma where the blue row goes; the red one goes to the next block
 */
function convert(rows: usize, stride: usize, left: usize, chroma: usize): void {
  const below = rows + stride;
  const a0 = v128.load(rows);
  const a1 = v128.load(rows, 16);
  const a2 = v128.load(rows, 32);
  const a3 = v128.load(rows, 48);
  const b0 = v128.load(below);
  const b1 = v128.load(below, 16);
  const b2 = v128.load(below, 32);
  const b3 = v128.load(below, 48);
  v128.store(left, i16x8.narrow_i32x4_s(luma(a0), luma(a1)));
  v128.store(left, i16x8.narrow_i32x4_s(luma(a2), luma(a3)), 128);
  v128.store(left, i16x8.narrow_i32x4_s(luma(b0), luma(b1)), 16);
  v128.store(left, i16x8.narrow_i32x4_s(luma(b2), luma(b3)), 144);

  const rb0 = sumsOfFour(redsBlues(a0, b0), redsBlues(a1, b1));
  const rb1 = sumsOfFour(redsBlues(a2, b2), redsBlues(a3, b3));
  const g0 = sumsOfFour(greens(a0, b0), greens(a1, b1));
  const g1 = sumsOfFour(greens(a2, b2), greens(a3, b3));
  v128.store(chroma, i16x8.narrow_i32x4_s(blue(rb0, g0), blue(rb1, g1)));
  v128.store(chroma, i16x8.narrow_i32x4_s(red(rb0, g0), red(rb1, g1)), 128);
}

function redsBlues(above: v128, below: v128): v128 {
  return i16x8.add(v128.and(above, i16x8.splat(0xff)), v128.and(below, i16x8.splat(0xff)));
}

/** And alphas, which count nothing. */
function greens(above: v128, below: v128): v128 {
  return i16x8.add(i16x8.shr_u(above, 8), i16x8.shr_u(below, 8));
}

/** Of pairs of neighbours. */
function sumsOfFour(one: v128, two: v128): v128 {
  return i16x8.add(v128.shuffle<i32>(one, two, 0, 2, 4, 6), v128.shuffle<i32>(one, two, 1, 3, 5, 7));
}

// The factors of Arai, Agui and Nakajima, in 32768ths.
const C_0382: v128 = i16x8.splat(12540);
const C_0541: v128 = i16x8.splat(17734);
const C_0707: v128 = i16x8.splat(23170);
/** The rest of 1.306562965 above 1. */
const C_0306: v128 = i16x8.splat(10045);

// What one pass over eight rows gives: AssemblyScript has no way to return eight values.
let r0: v128 = i64x2.splat(0);
let r1: v128 = i64x2.splat(0);
let r2: v128 = i64x2.splat(0);
let r3: v128 = i64x2.splat(0);
let r4: v128 = i64x2.splat(0);
let r5: v128 = i64x2.splat(0);
let r6: v128 = i64x2.splat(0);
let r7: v128 = i64x2.splat(0);

/**
 * The discrete cosine transform of eight columns at a time, by Arai, Agui and Nakajima: the factors that it leaves out
 * are in the reciprocals.
 */
function pass(d0: v128, d1: v128, d2: v128, d3: v128, d4: v128, d5: v128, d6: v128, d7: v128): void {
  const s07 = i16x8.add(d0, d7);
  const s16 = i16x8.add(d1, d6);
  const s25 = i16x8.add(d2, d5);
  const s34 = i16x8.add(d3, d4);
  const e0 = i16x8.add(s07, s34);
  const e3 = i16x8.sub(s07, s34);
  const e1 = i16x8.add(s16, s25);
  const e2 = i16x8.sub(s16, s25);
  const z1 = i16x8.q15mulr_sat_s(i16x8.add(e2, e3), C_0707);
  r0 = i16x8.add(e0, e1);
  r4 = i16x8.sub(e0, e1);
  r2 = i16x8.add(e3, z1);
  r6 = i16x8.sub(e3, z1);

  const f7 = i16x8.sub(d0, d7);
  const f6 = i16x8.sub(d1, d6);
  const f5 = i16x8.sub(d2, d5);
  const f4 = i16x8.sub(d3, d4);
  const o0 = i16x8.add(f4, f5);
  const o1 = i16x8.add(f5, f6);
  const o2 = i16x8.add(f6, f7);
  const z5 = i16x8.q15mulr_sat_s(i16x8.sub(o0, o2), C_0382);
  const z2 = i16x8.add(i16x8.q15mulr_sat_s(o0, C_0541), z5);
  const z4 = i16x8.add(i16x8.add(o2, i16x8.q15mulr_sat_s(o2, C_0306)), z5);
  const z3 = i16x8.q15mulr_sat_s(o1, C_0707);
  const z11 = i16x8.add(f7, z3);
  const z13 = i16x8.sub(f7, z3);
  r5 = i16x8.add(z13, z2);
  r3 = i16x8.sub(z13, z2);
  r1 = i16x8.add(z11, z4);
  r7 = i16x8.sub(z11, z4);
}

/** From the values of a block, row by row, to its quantised coefficients, column by column. */
function transformBlock(block: usize, reciprocals: usize, shift: i32): void {
  pass(
    v128.load(block),
    v128.load(block, 16),
    v128.load(block, 32),
    v128.load(block, 48),
    v128.load(block, 64),
    v128.load(block, 80),
    v128.load(block, 96),
    v128.load(block, 112),
  );
  const a0 = v128.shuffle<i16>(r0, r1, 0, 8, 1, 9, 2, 10, 3, 11);
  const a1 = v128.shuffle<i16>(r0, r1, 4, 12, 5, 13, 6, 14, 7, 15);
  const a2 = v128.shuffle<i16>(r2, r3, 0, 8, 1, 9, 2, 10, 3, 11);
  const a3 = v128.shuffle<i16>(r2, r3, 4, 12, 5, 13, 6, 14, 7, 15);
  const a4 = v128.shuffle<i16>(r4, r5, 0, 8, 1, 9, 2, 10, 3, 11);
  const a5 = v128.shuffle<i16>(r4, r5, 4, 12, 5, 13, 6, 14, 7, 15);
  const a6 = v128.shuffle<i16>(r6, r7, 0, 8, 1, 9, 2, 10, 3, 11);
  const a7 = v128.shuffle<i16>(r6, r7, 4, 12, 5, 13, 6, 14, 7, 15);
  const b0 = v128.shuffle<i32>(a0, a2, 0, 4, 1, 5);
  const b1 = v128.shuffle<i32>(a0, a2, 2, 6, 3, 7);
  const b2 = v128.shuffle<i32>(a1, a3, 0, 4, 1, 5);
  const b3 = v128.shuffle<i32>(a1, a3, 2, 6, 3, 7);
  const b4 = v128.shuffle<i32>(a4, a6, 0, 4, 1, 5);
  const b5 = v128.shuffle<i32>(a4, a6, 2, 6, 3, 7);
  const b6 = v128.shuffle<i32>(a5, a7, 0, 4, 1, 5);
  const b7 = v128.shuffle<i32>(a5, a7, 2, 6, 3, 7);
  pass(
    v128.shuffle<i64>(b0, b4, 0, 2),
    v128.shuffle<i64>(b0, b4, 1, 3),
    v128.shuffle<i64>(b1, b5, 0, 2),
    v128.shuffle<i64>(b1, b5, 1, 3),
    v128.shuffle<i64>(b2, b6, 0, 2),
    v128.shuffle<i64>(b2, b6, 1, 3),
    v128.shuffle<i64>(b3, b7, 0, 2),
    v128.shuffle<i64>(b3, b7, 1, 3),
  );
  const half = i32x4.splat(1 << (shift - 1));
  v128.store(block, quantised(r0, v128.load(reciprocals), half, shift));
  v128.store(block, quantised(r1, v128.load(reciprocals, 16), half, shift), 16);
  v128.store(block, quantised(r2, v128.load(reciprocals, 32), half, shift), 32);
  v128.store(block, quantised(r3, v128.load(reciprocals, 48), half, shift), 48);
  v128.store(block, quantised(r4, v128.load(reciprocals, 64), half, shift), 64);
  v128.store(block, quantised(r5, v128.load(reciprocals, 80), half, shift), 80);
  v128.store(block, quantised(r6, v128.load(reciprocals, 96), half, shift), 96);
  v128.store(block, quantised(r7, v128.load(reciprocals, 112), half, shift), 112);
}

function quantised(values: v128, reciprocals: v128, half: v128, shift: i32): v128 {
  const low = i32x4.add(i32x4.extmul_low_i16x8_s(values, reciprocals), half);
  const high = i32x4.add(i32x4.extmul_high_i16x8_s(values, reciprocals), half);
  return i16x8.narrow_i32x4_s(i32x4.shr_s(low, shift), i32x4.shr_s(high, shift));
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

/** @returns its DC coefficient */
function countBlock(block: usize, counts: usize, last: i32): i32 {
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

/** @returns its DC coefficient */
function encodeBlock(block: usize, codes: usize, last: i32): i32 {
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
