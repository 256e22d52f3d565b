// The factors of Arai, Agui and Nakajima, in units of 1 / 32768.
const C_0382: v128 = i16x8.splat(12540);
const C_0541: v128 = i16x8.splat(17734);
const C_0707: v128 = i16x8.splat(23170);
/** 1.306562965 - 1. The product with 1 is added separately. */
const C_0306: v128 = i16x8.splat(10045);

// The results of a pass: AssemblyScript cannot return 8 values.
let r0: v128 = i64x2.splat(0);
let r1: v128 = i64x2.splat(0);
let r2: v128 = i64x2.splat(0);
let r3: v128 = i64x2.splat(0);
let r4: v128 = i64x2.splat(0);
let r5: v128 = i64x2.splat(0);
let r6: v128 = i64x2.splat(0);
let r7: v128 = i64x2.splat(0);

/**
 * One pass of the forward DCT over 8 columns (ITU-T T.81, A.3.3), by the algorithm of Arai, Agui and Nakajima. The
 * quantization reciprocals include the scale factors that it leaves out.
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

/** Transforms and quantizes a block (A.3.3, A.3.4). Samples are row by row, coefficients column by column. */
export function forwardDct(block: usize, reciprocals: usize, shift: i32): void {
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
  v128.store(block, quantized(r0, v128.load(reciprocals), half, shift));
  v128.store(block, quantized(r1, v128.load(reciprocals, 16), half, shift), 16);
  v128.store(block, quantized(r2, v128.load(reciprocals, 32), half, shift), 32);
  v128.store(block, quantized(r3, v128.load(reciprocals, 48), half, shift), 48);
  v128.store(block, quantized(r4, v128.load(reciprocals, 64), half, shift), 64);
  v128.store(block, quantized(r5, v128.load(reciprocals, 80), half, shift), 80);
  v128.store(block, quantized(r6, v128.load(reciprocals, 96), half, shift), 96);
  v128.store(block, quantized(r7, v128.load(reciprocals, 112), half, shift), 112);
}

function quantized(values: v128, reciprocals: v128, half: v128, shift: i32): v128 {
  const low = i32x4.add(i32x4.extmul_low_i16x8_s(values, reciprocals), half);
  const high = i32x4.add(i32x4.extmul_high_i16x8_s(values, reciprocals), half);
  return i16x8.narrow_i32x4_s(i32x4.shr_s(low, shift), i32x4.shr_s(high, shift));
}
