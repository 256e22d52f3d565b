// Colors, in 32768ths, as JFIF has them. What they give is twice the value, so that half steps count.
const LUMA_RB: v128 = i16x8(9798, 3735, 9798, 3735, 9798, 3735, 9798, 3735);
const LUMA_G: v128 = i16x8(19235, 0, 19235, 0, 19235, 0, 19235, 0);
const BLUE_RB: v128 = i16x8(-5529, 16384, -5529, 16384, -5529, 16384, -5529, 16384);
const BLUE_G: v128 = i16x8(-10855, 0, -10855, 0, -10855, 0, -10855, 0);
const RED_RB: v128 = i16x8(16384, -2664, 16384, -2664, 16384, -2664, 16384, -2664);
const RED_G: v128 = i16x8(-13720, 0, -13720, 0, -13720, 0, -13720, 0);

// For pixels whose first value is blue.
const LUMA_BR: v128 = i16x8(3735, 9798, 3735, 9798, 3735, 9798, 3735, 9798);
const BLUE_BR: v128 = i16x8(16384, -5529, 16384, -5529, 16384, -5529, 16384, -5529);
const RED_BR: v128 = i16x8(-2664, 16384, -2664, 16384, -2664, 16384, -2664, 16384);

// Those of the order that the pixels have.
let lumaFactors: v128 = LUMA_RB;
let blueFactors: v128 = BLUE_RB;
let redFactors: v128 = RED_RB;

/** Says whether the first value of a pixel is blue, not red. */
export function setOrder(isBlueFirst: bool): void {
  lumaFactors = isBlueFirst ? LUMA_BR : LUMA_RB;
  blueFactors = isBlueFirst ? BLUE_BR : BLUE_RB;
  redFactors = isBlueFirst ? RED_BR : RED_RB;
}

/** Luma of four pixels, less 128, times two. */
export function luma(pixels: v128): v128 {
  const rb = i32x4.dot_i16x8_s(v128.and(pixels, i16x8.splat(0xff)), lumaFactors);
  const g = i32x4.dot_i16x8_s(i16x8.shr_u(pixels, 8), LUMA_G);
  // Half a step, and 128 less.
  return i32x4.shr_s(i32x4.add(i32x4.add(rb, g), i32x4.splat(8192 - (256 << 14))), 14);
}

/** Blue-difference chroma of four sums of four pixels, times two. */
export function blue(redsBlues: v128, greens: v128): v128 {
  const sum = i32x4.add(i32x4.dot_i16x8_s(redsBlues, blueFactors), i32x4.dot_i16x8_s(greens, BLUE_G));
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(32768)), 16);
}

/** Red-difference chroma, as {@link blue}. */
export function red(redsBlues: v128, greens: v128): v128 {
  const sum = i32x4.add(i32x4.dot_i16x8_s(redsBlues, redFactors), i32x4.dot_i16x8_s(greens, RED_G));
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(32768)), 16);
}

/**
 * Two rows of an MCU: two rows of luma in each of two blocks, and one of chroma in the two of theirs.
 *
 * @param rows the pixels of the first
 * @param left where its left half goes; the right one goes to the next block
 * @param chroma where the blue row goes; the red one goes to the next block
 */
export function convert(rows: usize, stride: usize, left: usize, chroma: usize): void {
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

/** Of pairs of neighbors. */
function sumsOfFour(one: v128, two: v128): v128 {
  return i16x8.add(v128.shuffle<i32>(one, two, 0, 2, 4, 6), v128.shuffle<i32>(one, two, 1, 3, 5, 7));
}
