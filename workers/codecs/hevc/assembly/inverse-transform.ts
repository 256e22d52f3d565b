import { COEFFICIENTS, codedColumns, codedRows, transformSkipFlag } from "./residual-coding";
import { DCT_MATRIX } from "./tables";

/**
 * DCT matrices for sizes 8, 16 and 32, i16 each: for each position of the first half, the even frequencies, then
 * the odd ones. i32x4.dot_i16x8_s multiplies two neighbors at once.
 */
const DCT_BY_POSITION = memory.data(64 + 256 + 1024, 16);
/**
 * The same matrices, first for even, then for odd frequencies: pairs of frequencies, each for every position of the
 * first half.
 */
const DCT_BY_FREQUENCY = memory.data(64 + 256 + 1024, 16);
/** For size 4, DCT then DST: for each position the first two frequencies, then the other two. */
const MATRICES_4 = memory.data(64, 16);
const DST_MATRIX = memory.data<i16>([29, 55, 74, 84, 74, 74, 0, -74, 84, -29, -74, 55, 55, -84, 74, -29]);

/** Pairs of rows of coefficients, interleaved: 16 pairs of 8 columns. */
const INTERLEAVED = memory.data(16 * 32, 16);
/** The result of the column transform. Of each 8 columns, the even ones come first. */
const INTERMEDIATE = memory.data(2 * 32 * 32, 16);

/** Initializes the matrices. */
export function initTransforms(): void {
  for (let log2: usize = 3; log2 <= 5; log2++) {
    const size: usize = 1 << log2;
    const half = size >> 1;
    for (let position: usize = 0; position < half; position++) {
      for (let index: usize = 0; index < half; index++) {
        store<i16>(
          dctByPosition(log2) + 2 * (position * size + index),
          dctCoefficient(2 * index, position, log2),
        );
        store<i16>(
          dctByPosition(log2) + 2 * (position * size + half + index),
          dctCoefficient(2 * index + 1, position, log2),
        );
        const pair = index >> 1;
        const at = 4 * (pair * half + position) + 2 * (index & 1);
        store<i16>(dctByFrequency(log2) + at, dctCoefficient(2 * index, position, log2));
        store<i16>(dctByFrequency(log2) + half * size + at, dctCoefficient(2 * index + 1, position, log2));
      }
    }
  }
  for (let frequency: usize = 0; frequency < 4; frequency++) {
    for (let position: usize = 0; position < 4; position++) {
      const at = MATRICES_4 + 16 * (frequency >> 1) + 4 * position + 2 * (frequency & 1);
      store<i16>(at, dctCoefficient(frequency, position, 2));
      store<i16>(at + 32, load<i16>(DST_MATRIX + 2 * (4 * frequency + position)));
    }
  }
}

function dctCoefficient(frequency: usize, position: usize, log2: usize): i16 {
  return load<i16>(DCT_MATRIX + 2 * (32 * (frequency << (5 - log2)) + position));
}

function dctByPosition(log2: usize): usize {
  return DCT_BY_POSITION + (log2 === 3 ? 0 : log2 === 4 ? 64 : 320);
}

function dctByFrequency(log2: usize): usize {
  return DCT_BY_FREQUENCY + (log2 === 3 ? 0 : log2 === 4 ? 64 : 320);
}

/**
 * Inverse transforms the coefficients of a block (8.6.4.2), adds the residual to the prediction, and clears the
 * coefficients.
 *
 * @param isDst whether a 4 × 4 block uses the DST: luma does
 */
export function addResidual(log2: usize, target: usize, stride: usize, isDst: bool): void {
  if (log2 === 2) {
    if (transformSkipFlag) addTransformSkip(target, stride);
    else addResidual4x4(target, stride, isDst);
    v128.store(COEFFICIENTS, i64x2.splat(0));
    v128.store(COEFFICIENTS, i64x2.splat(0), 16);
    return;
  }
  if (codedColumns === 1 && codedRows === 1) {
    addDc(log2, target, stride);
    store<i16>(COEFFICIENTS, 0);
    return;
  }
  const columnGroups = ((codedColumns as usize) + 7) >> 3;
  for (let columnGroup: usize = 0; columnGroup < columnGroups; columnGroup++)
    transformColumns(log2, columnGroup);
  if (log2 === 3) transformRows8(target, stride);
  else transformRows(log2, columnGroups, target, stride);
  memory.fill(COEFFICIENTS, 0, ((codedRows as usize) << log2) * 2);
}

function addTransformSkip(target: usize, stride: usize): void {
  for (let y: usize = 0; y < 4; y++) {
    for (let x: usize = 0; x < 4; x++) {
      const coefficient = load<i16>(COEFFICIENTS + 2 * (4 * y + x)) as i32;
      const difference = (coefficient + 16) >> 5;
      const at = target + y * stride + x;
      store<u8>(at, max(0, min(255, (load<u8>(at) as i32) + difference)) as u8);
    }
  }
}

function addResidual4x4(target: usize, stride: usize, isDst: bool): void {
  const table = MATRICES_4 + (isDst ? 32 : 0);
  const upper = v128.load(COEFFICIENTS);
  const lower = v128.load(COEFFICIENTS, 16);
  const zero = i64x2.splat(0);
  const first = v128.shuffle<i16>(upper, zero, 0, 4, 1, 5, 2, 6, 3, 7);
  const second = v128.shuffle<i16>(lower, zero, 0, 4, 1, 5, 2, 6, 3, 7);
  const rows01 = i16x8.narrow_i32x4_s(
    transformColumns4(first, second, table),
    transformColumns4(first, second, table + 4),
  );
  const rows23 = i16x8.narrow_i32x4_s(
    transformColumns4(first, second, table + 8),
    transformColumns4(first, second, table + 12),
  );
  const low = v128.load(table);
  const high = v128.load(table, 16);
  const row0 = transformRow4(
    v128.shuffle<i32>(rows01, zero, 0, 0, 0, 0),
    v128.shuffle<i32>(rows01, zero, 1, 1, 1, 1),
    low,
    high,
  );
  const row1 = transformRow4(
    v128.shuffle<i32>(rows01, zero, 2, 2, 2, 2),
    v128.shuffle<i32>(rows01, zero, 3, 3, 3, 3),
    low,
    high,
  );
  const row2 = transformRow4(
    v128.shuffle<i32>(rows23, zero, 0, 0, 0, 0),
    v128.shuffle<i32>(rows23, zero, 1, 1, 1, 1),
    low,
    high,
  );
  const row3 = transformRow4(
    v128.shuffle<i32>(rows23, zero, 2, 2, 2, 2),
    v128.shuffle<i32>(rows23, zero, 3, 3, 3, 3),
    low,
    high,
  );
  addTo2Rows4(target, stride, i16x8.narrow_i32x4_s(row0, row1));
  addTo2Rows4(target + 2 * stride, stride, i16x8.narrow_i32x4_s(row2, row3));
}

function transformColumns4(first: v128, second: v128, factors: usize): v128 {
  const sum = i32x4.add(
    i32x4.dot_i16x8_s(first, v128.load32_splat(factors)),
    i32x4.dot_i16x8_s(second, v128.load32_splat(factors, 16)),
  );
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(64)), 7);
}

function transformRow4(first: v128, second: v128, low: v128, high: v128): v128 {
  const sum = i32x4.add(i32x4.dot_i16x8_s(first, low), i32x4.dot_i16x8_s(second, high));
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(2048)), 12);
}

/** Adds the residual to two rows of 4 samples. */
function addTo2Rows4(target: usize, stride: usize, differences: v128): void {
  const zero = i64x2.splat(0);
  const above = v128.load32_zero(target);
  const below = v128.load32_zero(target + stride);
  const values = i16x8.extend_low_i8x16_u(v128.shuffle<i32>(above, below, 0, 4, 1, 1));
  const sum = i8x16.narrow_i16x8_u(i16x8.add_sat_s(values, differences), zero);
  v128.store32_lane(target, sum, 0);
  v128.store32_lane(target + stride, sum, 1);
}

function addDc(log2: usize, target: usize, stride: usize): void {
  const intermediate = ((load<i16>(COEFFICIENTS) as i32) * 64 + 64) >> 7;
  const difference = i16x8.splat(((intermediate * 64 + 2048) >> 12) as i16);
  const size: usize = 1 << log2;
  for (let y: usize = 0; y < size; y++) {
    const row = target + y * stride;
    for (let x: usize = 0; x < size; x += 8) addTo8(row + x, difference);
  }
}

function addTo8(at: usize, differences: v128): void {
  const sum = i16x8.add_sat_s(v128.load8x8_u(at), differences);
  v128.store64_lane(at, i8x16.narrow_i16x8_u(sum, sum), 0);
}

/** Transforms 8 columns. */
function transformColumns(log2: usize, columnGroup: usize): void {
  const size: usize = 1 << log2;
  const half = size >> 1;
  const rowBytes = 2 * size;
  const evenPairs = ((codedRows as usize) + 3) >> 2;
  const oddPairs = ((codedRows as usize) + 2) >> 2;
  const from = COEFFICIENTS + 16 * columnGroup;
  for (let pair: usize = 0; pair < evenPairs; pair++)
    interleave(from + 4 * pair * rowBytes, rowBytes, INTERLEAVED + 64 * pair);
  for (let pair: usize = 0; pair < oddPairs; pair++)
    interleave(from + (4 * pair + 1) * rowBytes, rowBytes, INTERLEAVED + 64 * pair + 32);
  const rounding = i32x4.splat(64);
  const to = INTERMEDIATE + 16 * columnGroup;
  const factors = dctByPosition(log2);
  for (let position: usize = 0; position < half; position++) {
    let evenLow = rounding;
    let evenHigh = rounding;
    const even = factors + rowBytes * position;
    for (let pair: usize = 0; pair < evenPairs; pair++) {
      const factor = v128.load32_splat(even + 4 * pair);
      evenLow = i32x4.add(evenLow, i32x4.dot_i16x8_s(v128.load(INTERLEAVED + 64 * pair), factor));
      evenHigh = i32x4.add(evenHigh, i32x4.dot_i16x8_s(v128.load(INTERLEAVED + 64 * pair, 16), factor));
    }
    let oddLow = i64x2.splat(0);
    let oddHigh = i64x2.splat(0);
    const odd = even + size;
    for (let pair: usize = 0; pair < oddPairs; pair++) {
      const factor = v128.load32_splat(odd + 4 * pair);
      oddLow = i32x4.add(oddLow, i32x4.dot_i16x8_s(v128.load(INTERLEAVED + 64 * pair, 32), factor));
      oddHigh = i32x4.add(oddHigh, i32x4.dot_i16x8_s(v128.load(INTERLEAVED + 64 * pair, 48), factor));
    }
    const near = i16x8.narrow_i32x4_s(
      i32x4.shr_s(i32x4.add(evenLow, oddLow), 7),
      i32x4.shr_s(i32x4.add(evenHigh, oddHigh), 7),
    );
    const far = i16x8.narrow_i32x4_s(
      i32x4.shr_s(i32x4.sub(evenLow, oddLow), 7),
      i32x4.shr_s(i32x4.sub(evenHigh, oddHigh), 7),
    );
    v128.store(to + rowBytes * position, v128.shuffle<i16>(near, near, 0, 2, 4, 6, 1, 3, 5, 7));
    v128.store(to + rowBytes * (size - 1 - position), v128.shuffle<i16>(far, far, 0, 2, 4, 6, 1, 3, 5, 7));
  }
}

/** Interleaves a row of coefficients with the row two below. */
function interleave(from: usize, rowBytes: usize, to: usize): void {
  const one = v128.load(from);
  const other = v128.load(from + 2 * rowBytes);
  v128.store(to, v128.shuffle<i16>(one, other, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(to, v128.shuffle<i16>(one, other, 4, 12, 5, 13, 6, 14, 7, 15), 16);
}

/** Transforms all rows of an 8 × 8 block. */
function transformRows8(target: usize, stride: usize): void {
  const even1 = v128.load(DCT_BY_FREQUENCY);
  const even2 = v128.load(DCT_BY_FREQUENCY, 16);
  const odd1 = v128.load(DCT_BY_FREQUENCY, 32);
  const odd2 = v128.load(DCT_BY_FREQUENCY, 48);
  for (let y: usize = 0; y < 8; y++) {
    const from = INTERMEDIATE + 16 * y;
    const even = i32x4.add(
      i32x4.add(i32x4.dot_i16x8_s(v128.load32_splat(from), even1), i32x4.splat(2048)),
      i32x4.dot_i16x8_s(v128.load32_splat(from, 4), even2),
    );
    const odd = i32x4.add(
      i32x4.dot_i16x8_s(v128.load32_splat(from, 8), odd1),
      i32x4.dot_i16x8_s(v128.load32_splat(from, 12), odd2),
    );
    const near = i32x4.shr_s(i32x4.add(even, odd), 12);
    const far = i32x4.shr_s(i32x4.sub(even, odd), 12);
    addTo8(target + y * stride, i16x8.narrow_i32x4_s(near, reversed(far)));
  }
}

function reversed(values: v128): v128 {
  return v128.shuffle<i32>(values, values, 3, 2, 1, 0);
}

/** Transforms all rows of a 16 × 16 or 32 × 32 block. */
function transformRows(log2: usize, columnGroups: usize, target: usize, stride: usize): void {
  const size: usize = 1 << log2;
  const half = size >> 1;
  const evenFactors = dctByFrequency(log2);
  const oddFactors = evenFactors + half * size;
  const rounding = i32x4.splat(2048);
  for (let y: usize = 0; y < size; y++) {
    const row = INTERMEDIATE + 2 * size * y;
    const to = target + y * stride;
    // 8 positions from the left, and their mirror images from the right.
    for (let position: usize = 0; position < half; position += 8) {
      let even1 = rounding;
      let even2 = rounding;
      let odd1 = i64x2.splat(0);
      let odd2 = i64x2.splat(0);
      for (let columnGroup: usize = 0; columnGroup < columnGroups; columnGroup++) {
        for (let pair: usize = 0; pair < 2; pair++) {
          const factors = 4 * ((2 * columnGroup + pair) * half + position);
          const even = v128.load32_splat(row + 16 * columnGroup + 4 * pair);
          even1 = i32x4.add(even1, i32x4.dot_i16x8_s(even, v128.load(evenFactors + factors)));
          even2 = i32x4.add(even2, i32x4.dot_i16x8_s(even, v128.load(evenFactors + factors, 16)));
          const odd = v128.load32_splat(row + 16 * columnGroup + 4 * pair, 8);
          odd1 = i32x4.add(odd1, i32x4.dot_i16x8_s(odd, v128.load(oddFactors + factors)));
          odd2 = i32x4.add(odd2, i32x4.dot_i16x8_s(odd, v128.load(oddFactors + factors, 16)));
        }
      }
      const near = i16x8.narrow_i32x4_s(
        i32x4.shr_s(i32x4.add(even1, odd1), 12),
        i32x4.shr_s(i32x4.add(even2, odd2), 12),
      );
      const far = i16x8.narrow_i32x4_s(
        reversed(i32x4.shr_s(i32x4.sub(even2, odd2), 12)),
        reversed(i32x4.shr_s(i32x4.sub(even1, odd1), 12)),
      );
      addTo8(to + position, near);
      addTo8(to + size - 8 - position, far);
    }
  }
}
