// The factors of JFIF (BT.601, full range), in units of 1 / 32768. Results are doubled, to keep half steps.
const Y_RB: v128 = i16x8(9798, 3735, 9798, 3735, 9798, 3735, 9798, 3735);
const Y_G: v128 = i16x8(19235, 0, 19235, 0, 19235, 0, 19235, 0);
const CB_RB: v128 = i16x8(-5529, 16384, -5529, 16384, -5529, 16384, -5529, 16384);
const CB_G: v128 = i16x8(-10855, 0, -10855, 0, -10855, 0, -10855, 0);
const CR_RB: v128 = i16x8(16384, -2664, 16384, -2664, 16384, -2664, 16384, -2664);
const CR_G: v128 = i16x8(-13720, 0, -13720, 0, -13720, 0, -13720, 0);

/** Returns Y of 4 pixels, less 128 and doubled. */
export function yOf(pixels: v128): v128 {
  const rb = i32x4.dot_i16x8_s(v128.and(pixels, i16x8.splat(0xff)), Y_RB);
  const g = i32x4.dot_i16x8_s(i16x8.shr_u(pixels, 8), Y_G);
  // Rounds, and subtracts 128.
  return i32x4.shr_s(i32x4.add(i32x4.add(rb, g), i32x4.splat(8192 - (256 << 14))), 14);
}

/** Returns Cb of 4 sums of 4 pixels, doubled. */
export function cbOf(redsBlues: v128, greens: v128): v128 {
  const sum = i32x4.add(i32x4.dot_i16x8_s(redsBlues, CB_RB), i32x4.dot_i16x8_s(greens, CB_G));
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(32768)), 16);
}

/** Returns Cr of 4 sums of 4 pixels, doubled. */
export function crOf(redsBlues: v128, greens: v128): v128 {
  const sum = i32x4.add(i32x4.dot_i16x8_s(redsBlues, CR_RB), i32x4.dot_i16x8_s(greens, CR_G));
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(32768)), 16);
}

/**
 * Converts two pixel rows of an MCU: two rows of Y in each of two blocks, and a row of Cb and of Cr.
 *
 * @param rows the address of the first row
 * @param left where to put Y of the left half; the right half goes to the next block
 * @param chroma where to put Cb; Cr goes to the next block
 */
export function convertRows(rows: usize, stride: usize, left: usize, chroma: usize): void {
  const below = rows + stride;
  const a0 = v128.load(rows);
  const a1 = v128.load(rows, 16);
  const a2 = v128.load(rows, 32);
  const a3 = v128.load(rows, 48);
  const b0 = v128.load(below);
  const b1 = v128.load(below, 16);
  const b2 = v128.load(below, 32);
  const b3 = v128.load(below, 48);
  v128.store(left, i16x8.narrow_i32x4_s(yOf(a0), yOf(a1)));
  v128.store(left, i16x8.narrow_i32x4_s(yOf(a2), yOf(a3)), 128);
  v128.store(left, i16x8.narrow_i32x4_s(yOf(b0), yOf(b1)), 16);
  v128.store(left, i16x8.narrow_i32x4_s(yOf(b2), yOf(b3)), 144);

  const rb0 = sumsOfFour(redsBlues(a0, b0), redsBlues(a1, b1));
  const rb1 = sumsOfFour(redsBlues(a2, b2), redsBlues(a3, b3));
  const g0 = sumsOfFour(greens(a0, b0), greens(a1, b1));
  const g1 = sumsOfFour(greens(a2, b2), greens(a3, b3));
  v128.store(chroma, i16x8.narrow_i32x4_s(cbOf(rb0, g0), cbOf(rb1, g1)));
  v128.store(chroma, i16x8.narrow_i32x4_s(crOf(rb0, g0), crOf(rb1, g1)), 128);
}

function redsBlues(above: v128, below: v128): v128 {
  return i16x8.add(v128.and(above, i16x8.splat(0xff)), v128.and(below, i16x8.splat(0xff)));
}

/** The sums include alphas, whose factor is zero. */
function greens(above: v128, below: v128): v128 {
  return i16x8.add(i16x8.shr_u(above, 8), i16x8.shr_u(below, 8));
}

/** Adds pairs of neighbors. */
function sumsOfFour(one: v128, two: v128): v128 {
  return i16x8.add(v128.shuffle<i32>(one, two, 0, 2, 4, 6), v128.shuffle<i32>(one, two, 1, 3, 5, 7));
}
