/** Both sums of zlib's check sum (RFC 1950, 8.2), which are less than this. */
const MODULUS: u32 = 65_521;
/** So many bytes, in steps of 16, cannot carry the sums beyond 32 bits. */
const STEP: usize = 5552 - (5552 % 16);

let low: u32 = 1;
let high: u32 = 0;

/** Begins a sum. */
export function startSum(): void {
  low = 1;
  high = 0;
}

/** The sum. */
export function sum(): u32 {
  return (high << 16) | low;
}

/** Adds bytes. */
export function addToSum(at: usize, length: usize): void {
  const end = at + length;
  const weights = i16x8(16, 15, 14, 13, 12, 11, 10, 9);
  const others = i16x8(8, 7, 6, 5, 4, 3, 2, 1);
  while (at + 16 <= end) {
    const stop = at + min(STEP, (end - at) & ~15);
    let sums = i32x4.splat(0);
    let before = i32x4.splat(0);
    let weighted = i32x4.splat(0);
    high += low * ((stop - at) as u32);
    for (; at < stop; at += 16) {
      const bytes = v128.load(at);
      before = i32x4.add(before, sums);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes)));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(bytes), weights));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(bytes), others));
    }
    low += total(sums);
    high = (((high as u64) + 16 * (total(before) as u64) + total(weighted)) % MODULUS) as u32;
    low %= MODULUS;
  }
  for (; at < end; at++) {
    low += load<u8>(at);
    high += low;
  }
  low %= MODULUS;
  high %= MODULUS;
}

function total(lanes: v128): u32 {
  return (
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3)
  );
}
