import { COEFFICIENTS, columns, isTransformSkipped, rows } from "./residual";
import { COSINES } from "./tables";

/**
 * For sizes 8, 16 and 32, i16 each: for every place of the first half, what the even frequencies have there, then the
 * odd ones. Two that follow each other are multiplied at once.
 */
const BY_PLACE = memory.data(64 + 256 + 1024, 16);
/** For the same, of each two even, then odd frequencies: both for every place of the first half. */
const BY_FREQUENCY = memory.data(64 + 256 + 1024, 16);
/** Of 4 places: of both transforms, cosine and sine, what the first two frequencies have at each, then the others. */
const OF_FOUR = memory.data(64, 16);
const SINES = memory.data<i16>([29, 55, 74, 84, 74, 74, 0, -74, 84, -29, -74, 55, 55, -84, 74, -29]);

/** Two rows of each pair of frequencies, woven: 16 pairs for 8 columns. */
const WOVEN = memory.data(16 * 32, 16);
/** What is transformed down, not yet across: of each 8 columns the even ones first. */
const HALFWAY = memory.data(2 * 32 * 32, 16);

let areMade: bool = false;

/** Makes the tables. */
export function makeTransforms(): void {
  if (areMade) return;
  areMade = true;
  for (let log2: usize = 3; log2 <= 5; log2++) {
    const size: usize = 1 << log2;
    const half = size >> 1;
    for (let place: usize = 0; place < half; place++) {
      for (let index: usize = 0; index < half; index++) {
        store<i16>(byPlace(log2) + 2 * (place * size + index), cosine(2 * index, place, log2));
        store<i16>(byPlace(log2) + 2 * (place * size + half + index), cosine(2 * index + 1, place, log2));
        const pair = index >> 1;
        const at = 4 * (pair * half + place) + 2 * (index & 1);
        store<i16>(byFrequency(log2) + at, cosine(2 * index, place, log2));
        store<i16>(byFrequency(log2) + half * size + at, cosine(2 * index + 1, place, log2));
      }
    }
  }
  for (let frequency: usize = 0; frequency < 4; frequency++) {
    for (let place: usize = 0; place < 4; place++) {
      const at = OF_FOUR + 16 * (frequency >> 1) + 4 * place + 2 * (frequency & 1);
      store<i16>(at, cosine(frequency, place, 2));
      store<i16>(at + 32, load<i16>(SINES + 2 * (4 * frequency + place)));
    }
  }
}

function cosine(frequency: usize, place: usize, log2: usize): i16 {
  return load<i16>(COSINES + 2 * (32 * (frequency << (5 - log2)) + place));
}

function byPlace(log2: usize): usize {
  return BY_PLACE + (log2 === 3 ? 0 : log2 === 4 ? 64 : 320);
}

function byFrequency(log2: usize): usize {
  return BY_FREQUENCY + (log2 === 3 ? 0 : log2 === 4 ? 64 : 320);
}

/**
 * Turns the coefficients of a block back into differences (8.6.4), adds them to what was predicted, and leaves zeros.
 *
 * @param isSine whether it is a block of 4 of luma
 */
export function addResidual(log2: usize, target: usize, stride: usize, isSine: bool): void {
  if (log2 === 2) {
    if (isTransformSkipped) addSkipped(target, stride);
    else addFour(target, stride, isSine);
    v128.store(COEFFICIENTS, i64x2.splat(0));
    v128.store(COEFFICIENTS, i64x2.splat(0), 16);
    return;
  }
  if (columns === 1 && rows === 1) {
    addMean(log2, target, stride);
    store<i16>(COEFFICIENTS, 0);
    return;
  }
  const eights = ((columns as usize) + 7) >> 3;
  for (let eight: usize = 0; eight < eights; eight++) down(log2, eight);
  if (log2 === 3) acrossEight(target, stride);
  else across(log2, eights, target, stride);
  memory.fill(COEFFICIENTS, 0, ((rows as usize) << log2) * 2);
}

function addSkipped(target: usize, stride: usize): void {
  for (let y: usize = 0; y < 4; y++) {
    for (let x: usize = 0; x < 4; x++) {
      const coefficient = load<i16>(COEFFICIENTS + 2 * (4 * y + x)) as i32;
      const difference = (coefficient + 16) >> 5;
      const at = target + y * stride + x;
      store<u8>(at, max(0, min(255, (load<u8>(at) as i32) + difference)) as u8);
    }
  }
}

function addFour(target: usize, stride: usize, isSine: bool): void {
  const table = OF_FOUR + (isSine ? 32 : 0);
  const upper = v128.load(COEFFICIENTS);
  const lower = v128.load(COEFFICIENTS, 16);
  const zero = i64x2.splat(0);
  const first = v128.shuffle<i16>(upper, zero, 0, 4, 1, 5, 2, 6, 3, 7);
  const second = v128.shuffle<i16>(lower, zero, 0, 4, 1, 5, 2, 6, 3, 7);
  const rows01 = i16x8.narrow_i32x4_s(downFour(first, second, table), downFour(first, second, table + 4));
  const rows23 = i16x8.narrow_i32x4_s(
    downFour(first, second, table + 8),
    downFour(first, second, table + 12),
  );
  const low = v128.load(table);
  const high = v128.load(table, 16);
  const row0 = acrossFour(
    v128.shuffle<i32>(rows01, zero, 0, 0, 0, 0),
    v128.shuffle<i32>(rows01, zero, 1, 1, 1, 1),
    low,
    high,
  );
  const row1 = acrossFour(
    v128.shuffle<i32>(rows01, zero, 2, 2, 2, 2),
    v128.shuffle<i32>(rows01, zero, 3, 3, 3, 3),
    low,
    high,
  );
  const row2 = acrossFour(
    v128.shuffle<i32>(rows23, zero, 0, 0, 0, 0),
    v128.shuffle<i32>(rows23, zero, 1, 1, 1, 1),
    low,
    high,
  );
  const row3 = acrossFour(
    v128.shuffle<i32>(rows23, zero, 2, 2, 2, 2),
    v128.shuffle<i32>(rows23, zero, 3, 3, 3, 3),
    low,
    high,
  );
  addToFour(target, stride, i16x8.narrow_i32x4_s(row0, row1));
  addToFour(target + 2 * stride, stride, i16x8.narrow_i32x4_s(row2, row3));
}

function downFour(first: v128, second: v128, factors: usize): v128 {
  const sum = i32x4.add(
    i32x4.dot_i16x8_s(first, v128.load32_splat(factors)),
    i32x4.dot_i16x8_s(second, v128.load32_splat(factors, 16)),
  );
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(64)), 7);
}

function acrossFour(first: v128, second: v128, low: v128, high: v128): v128 {
  const sum = i32x4.add(i32x4.dot_i16x8_s(first, low), i32x4.dot_i16x8_s(second, high));
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(2048)), 12);
}

/** Adds to two rows of four. */
function addToFour(target: usize, stride: usize, differences: v128): void {
  const zero = i64x2.splat(0);
  const above = v128.load32_zero(target);
  const below = v128.load32_zero(target + stride);
  const values = i16x8.extend_low_i8x16_u(v128.shuffle<i32>(above, below, 0, 4, 1, 1));
  const sum = i8x16.narrow_i16x8_u(i16x8.add_sat_s(values, differences), zero);
  v128.store32_lane(target, sum, 0);
  v128.store32_lane(target + stride, sum, 1);
}

function addMean(log2: usize, target: usize, stride: usize): void {
  const halfway = ((load<i16>(COEFFICIENTS) as i32) * 64 + 64) >> 7;
  const difference = i16x8.splat(((halfway * 64 + 2048) >> 12) as i16);
  const size: usize = 1 << log2;
  for (let y: usize = 0; y < size; y++) {
    const row = target + y * stride;
    for (let x: usize = 0; x < size; x += 8) addToEight(row + x, difference);
  }
}

function addToEight(at: usize, differences: v128): void {
  const sum = i16x8.add_sat_s(v128.load8x8_u(at), differences);
  v128.store64_lane(at, i8x16.narrow_i16x8_u(sum, sum), 0);
}

/** Transforms eight columns. */
function down(log2: usize, eight: usize): void {
  const size: usize = 1 << log2;
  const half = size >> 1;
  const rowBytes = 2 * size;
  const evenPairs = ((rows as usize) + 3) >> 2;
  const oddPairs = ((rows as usize) + 2) >> 2;
  const from = COEFFICIENTS + 16 * eight;
  for (let pair: usize = 0; pair < evenPairs; pair++)
    weave(from + 4 * pair * rowBytes, rowBytes, WOVEN + 64 * pair);
  for (let pair: usize = 0; pair < oddPairs; pair++)
    weave(from + (4 * pair + 1) * rowBytes, rowBytes, WOVEN + 64 * pair + 32);
  const rounding = i32x4.splat(64);
  const to = HALFWAY + 16 * eight;
  const factors = byPlace(log2);
  for (let place: usize = 0; place < half; place++) {
    let evenLow = rounding;
    let evenHigh = rounding;
    const even = factors + rowBytes * place;
    for (let pair: usize = 0; pair < evenPairs; pair++) {
      const factor = v128.load32_splat(even + 4 * pair);
      evenLow = i32x4.add(evenLow, i32x4.dot_i16x8_s(v128.load(WOVEN + 64 * pair), factor));
      evenHigh = i32x4.add(evenHigh, i32x4.dot_i16x8_s(v128.load(WOVEN + 64 * pair, 16), factor));
    }
    let oddLow = i64x2.splat(0);
    let oddHigh = i64x2.splat(0);
    const odd = even + size;
    for (let pair: usize = 0; pair < oddPairs; pair++) {
      const factor = v128.load32_splat(odd + 4 * pair);
      oddLow = i32x4.add(oddLow, i32x4.dot_i16x8_s(v128.load(WOVEN + 64 * pair, 32), factor));
      oddHigh = i32x4.add(oddHigh, i32x4.dot_i16x8_s(v128.load(WOVEN + 64 * pair, 48), factor));
    }
    const near = i16x8.narrow_i32x4_s(
      i32x4.shr_s(i32x4.add(evenLow, oddLow), 7),
      i32x4.shr_s(i32x4.add(evenHigh, oddHigh), 7),
    );
    const far = i16x8.narrow_i32x4_s(
      i32x4.shr_s(i32x4.sub(evenLow, oddLow), 7),
      i32x4.shr_s(i32x4.sub(evenHigh, oddHigh), 7),
    );
    v128.store(to + rowBytes * place, v128.shuffle<i16>(near, near, 0, 2, 4, 6, 1, 3, 5, 7));
    v128.store(to + rowBytes * (size - 1 - place), v128.shuffle<i16>(far, far, 0, 2, 4, 6, 1, 3, 5, 7));
  }
}

/** Weaves a row of coefficients and the one after the next. */
function weave(from: usize, rowBytes: usize, to: usize): void {
  const one = v128.load(from);
  const other = v128.load(from + 2 * rowBytes);
  v128.store(to, v128.shuffle<i16>(one, other, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(to, v128.shuffle<i16>(one, other, 4, 12, 5, 13, 6, 14, 7, 15), 16);
}

/** Transforms all rows of a block of 8. */
function acrossEight(target: usize, stride: usize): void {
  const even1 = v128.load(BY_FREQUENCY);
  const even2 = v128.load(BY_FREQUENCY, 16);
  const odd1 = v128.load(BY_FREQUENCY, 32);
  const odd2 = v128.load(BY_FREQUENCY, 48);
  for (let y: usize = 0; y < 8; y++) {
    const from = HALFWAY + 16 * y;
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
    addToEight(target + y * stride, i16x8.narrow_i32x4_s(near, reversed(far)));
  }
}

function reversed(values: v128): v128 {
  return v128.shuffle<i32>(values, values, 3, 2, 1, 0);
}

/** Transforms all rows of a block of 16 or 32. */
function across(log2: usize, eights: usize, target: usize, stride: usize): void {
  const size: usize = 1 << log2;
  const half = size >> 1;
  const evenFactors = byFrequency(log2);
  const oddFactors = evenFactors + half * size;
  const rounding = i32x4.splat(2048);
  for (let y: usize = 0; y < size; y++) {
    const row = HALFWAY + 2 * size * y;
    const to = target + y * stride;
    // Eight places from the left, and their counterparts from the right.
    for (let place: usize = 0; place < half; place += 8) {
      let even1 = rounding;
      let even2 = rounding;
      let odd1 = i64x2.splat(0);
      let odd2 = i64x2.splat(0);
      for (let eight: usize = 0; eight < eights; eight++) {
        for (let pair: usize = 0; pair < 2; pair++) {
          const factors = 4 * ((2 * eight + pair) * half + place);
          const even = v128.load32_splat(row + 16 * eight + 4 * pair);
          even1 = i32x4.add(even1, i32x4.dot_i16x8_s(even, v128.load(evenFactors + factors)));
          even2 = i32x4.add(even2, i32x4.dot_i16x8_s(even, v128.load(evenFactors + factors, 16)));
          const odd = v128.load32_splat(row + 16 * eight + 4 * pair, 8);
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
      addToEight(to + place, near);
      addToEight(to + size - 8 - place, far);
    }
  }
}
