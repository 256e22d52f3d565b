import { blue, convert, luma, red } from "./colors";
import { transformBlock } from "./cosines";
import { BLOCK, BLOCKS, RECIPROCALS } from "./layout";

/** By how many bits products with a reciprocal are too long. */
let lumaShift: i32 = 0;
let chromaShift: i32 = 0;

/** Says by how many bits products with the reciprocals of luma, and with those of chroma, are too long. */
export function setShifts(luma: i32, chroma: i32): void {
  lumaShift = luma;
  chromaShift = chroma;
}

/** The coefficients of the MCU at a place. */
export function transform(mcu: usize, stride: usize): void {
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

/**
 * The coefficients of an MCU, of a strip of planes: 16 rows of luma, then 8 rows of half as many bytes of blue, then of
 * red.
 *
 * @param stride how long a row of luma is
 */
export function transformPlanes(strip: usize, stride: usize, mcu: usize): void {
  const luma = strip + 16 * mcu;
  for (let block: usize = 0; block < 4; block++) {
    const at = BLOCKS + block * BLOCK;
    toBlock(luma + (block >> 1) * 8 * stride + (block & 1) * 8, stride, at);
    transformBlock(at, RECIPROCALS, lumaShift);
  }
  const half = stride >> 1;
  const blue = strip + 16 * stride + 8 * mcu;
  toBlock(blue, half, BLOCKS + 4 * BLOCK);
  toBlock(blue + 8 * half, half, BLOCKS + 5 * BLOCK);
  transformBlock(BLOCKS + 4 * BLOCK, RECIPROCALS + BLOCK, chromaShift);
  transformBlock(BLOCKS + 5 * BLOCK, RECIPROCALS + BLOCK, chromaShift);
}

/** Eight rows of eight values as a block: twice as much, and 128 less, as colors give it. */
function toBlock(values: usize, stride: usize, block: usize): void {
  for (let row: usize = 0; row < 8; row++) {
    const some = v128.load8x8_u(values + row * stride);
    v128.store(block + 16 * row, i16x8.sub(i16x8.shl(some, 1), i16x8.splat(256)));
  }
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

/** The coefficients of an MCU of one color. */
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
