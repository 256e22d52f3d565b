/**
 * The inner loops of resampling. `resampler.ts` lays out the memory, and is trusted. Loops read whole vectors, so they
 * read beyond the end of a row. The weights of these samples are zero.
 *
 * Weights have 14 bits after the point, and values between the two filters have 6. No sum reaches 2^31, because
 * Lanczos weights add up to 1, and their absolute values to less than 2.
 *
 * This is AssemblyScript. `scripts/assemble.mjs` compiles it.
 */

const ACROSS_SHIFT = 14 - 6;
const DOWN_SHIFT = 14 + 6;
/** The value of the last bit of a weight. */
const WEIGHT_UNIT: f32 = 1.0 / 16384.0;

let starts: usize = 0;
let acrossWeights: usize = 0;
let acrossTaps: i32 = 0;
let columns: i32 = 0;

/**
 * Sets the filter across.
 *
 * @param startsAt the first sample for each column of the result, as `i32`
 * @param weightsAt `taps` weights for each column, as `i16`
 * @param taps a multiple of 8, for `filterAlphaRow` any number
 */
export function setAcross(startsAt: usize, weightsAt: usize, taps: i32, columnCount: i32): void {
  starts = startsAt;
  acrossWeights = weightsAt;
  acrossTaps = taps;
  columns = columnCount;
}

/** Filters a row of one channel across. Writes `i16` values. */
export function filterPlaneRow(row: usize, to: usize): void {
  let weights = acrossWeights;
  for (let column = 0; column < columns; column++) {
    const samples = row + load<i32>(starts + 4 * column);
    let sums = i32x4.splat(0);
    for (let tap = 0; tap < acrossTaps; tap += 8) {
      const values = v128.load_ext<u8>(samples + tap);
      sums = i32x4.add(sums, i32x4.dot_i16x8_s(values, v128.load(weights + 2 * tap)));
    }
    const pairs = i32x4.add(sums, v128.shuffle<i32>(sums, sums, 2, 3, 0, 1));
    const sum = i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1);
    store<i16>(to + 2 * column, (sum + (1 << (ACROSS_SHIFT - 1))) >> ACROSS_SHIFT);
    weights += 2 * acrossTaps;
  }
}

/** Filters a row of four channels across. Writes `i16` values. */
export function filterPixelRow(row: usize, to: usize): void {
  let weights = acrossWeights;
  for (let column = 0; column < columns; column++) {
    const pixels = row + 4 * load<i32>(starts + 4 * column);
    let sums = i32x4.splat(1 << (ACROSS_SHIFT - 1));
    for (let tap = 0; tap < acrossTaps; tap += 4) {
      const four = v128.load(pixels + 4 * tap);
      // The same channel of two pixels side by side, for the products of pairs.
      const pairs = v128.shuffle<u8>(four, four, 0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
      const firstWeights = v128.load_splat<i32>(weights + 2 * tap);
      const lastWeights = v128.load_splat<i32>(weights + 2 * tap, 4);
      sums = i32x4.add(sums, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(pairs), firstWeights));
      sums = i32x4.add(sums, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(pairs), lastWeights));
    }
    const values = i32x4.shr_s(sums, ACROSS_SHIFT);
    v128.store64_lane(to + 8 * column, i16x8.narrow_i32x4_s(values, values), 0);
    weights += 2 * acrossTaps;
  }
}

/**
 * Filters a row of four channels across. Reads and writes `f32` values, because colors that are weighted by a small alpha
 * need more than eight bits.
 */
export function filterAlphaRow(row: usize, to: usize): void {
  let weights = acrossWeights;
  for (let column = 0; column < columns; column++) {
    const pixels = row + 16 * load<i32>(starts + 4 * column);
    let sums = f32x4.splat(0);
    for (let tap = 0; tap < acrossTaps; tap++) {
      const weight = f32x4.splat(<f32>load<i16>(weights + 2 * tap));
      sums = f32x4.add(sums, f32x4.mul(v128.load(pixels + 16 * tap), weight));
    }
    v128.store(to + 16 * column, f32x4.mul(sums, f32x4.splat(WEIGHT_UNIT)));
    weights += 2 * acrossTaps;
  }
}

let ring: usize = 0;
let stride: i32 = 0;
let downTaps: i32 = 0;

/**
 * Sets where the filtered rows are. Row `y` is in slot `y % taps`.
 *
 * @param rowBytes the size of a slot, a multiple of 16
 * @param taps the number of slots, and of weights for each row of the result. A multiple of 2 for {@link filterDown}
 */
export function setDown(ringAt: usize, rowBytes: i32, taps: i32): void {
  ring = ringAt;
  stride = rowBytes;
  downTaps = taps;
}

/**
 * Filters the rows from `first` down to one row of bytes.
 *
 * @param length the number of values in the row
 */
export function filterDown(first: i32, weights: usize, to: usize, length: i32): void {
  for (let at = 0; at < length; at += 8) {
    let low = i32x4.splat(1 << (DOWN_SHIFT - 1));
    let high = low;
    let slot = first % downTaps;
    for (let tap = 0; tap < downTaps; tap += 2) {
      const upper = v128.load(ring + slot * stride + 2 * at);
      slot = slot + 1 === downTaps ? 0 : slot + 1;
      const lower = v128.load(ring + slot * stride + 2 * at);
      slot = slot + 1 === downTaps ? 0 : slot + 1;
      const pair = v128.load_splat<i32>(weights + 2 * tap);
      low = i32x4.add(
        low,
        i32x4.dot_i16x8_s(v128.shuffle<i16>(upper, lower, 0, 8, 1, 9, 2, 10, 3, 11), pair),
      );
      high = i32x4.add(
        high,
        i32x4.dot_i16x8_s(v128.shuffle<i16>(upper, lower, 4, 12, 5, 13, 6, 14, 7, 15), pair),
      );
    }
    const values = i16x8.narrow_i32x4_s(i32x4.shr_s(low, DOWN_SHIFT), i32x4.shr_s(high, DOWN_SHIFT));
    v128.store64_lane(to + at, i8x16.narrow_i16x8_u(values, values), 0);
  }
}

/**
 * Filters the rows from `first` down to one row. Reads and writes `f32` values.
 *
 * @param length the number of values in the row, a multiple of 4
 */
export function filterAlphaDown(first: i32, weights: usize, to: usize, length: i32): void {
  for (let at = 0; at < length; at += 4) {
    let sums = f32x4.splat(0);
    let slot = first % downTaps;
    for (let tap = 0; tap < downTaps; tap++) {
      const weight = f32x4.splat(<f32>load<i16>(weights + 2 * tap));
      sums = f32x4.add(sums, f32x4.mul(v128.load(ring + slot * stride + 4 * at), weight));
      slot = slot + 1 === downTaps ? 0 : slot + 1;
    }
    v128.store(to + 4 * at, f32x4.mul(sums, f32x4.splat(WEIGHT_UNIT)));
  }
}
