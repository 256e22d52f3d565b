import { forwardDct } from "./dct";
import { BLOCK_BYTES, BLOCKS, RECIPROCALS } from "./memory-layout";
import { cbOf, convertRows, crOf, yOf } from "./ycbcr";

/** The fixed-point position of the reciprocals. */
let lumaShift: i32 = 0;
let chromaShift: i32 = 0;

/** Sets by how many bits to shift a product with a reciprocal of luma, and of chroma. */
export function setReciprocalShifts(luma: i32, chroma: i32): void {
  lumaShift = luma;
  chromaShift = chroma;
}

/** Computes the quantized coefficients of an MCU in a row, which `countRow` in encoder.ts describes. */
export function transformMcu(isPlanes: bool, mcuRow: usize, stride: usize, mcu: usize): void {
  if (isPlanes) transformPlanes(mcuRow, stride, mcu);
  else transformPixels(mcuRow + 64 * mcu, stride);
}

/** Computes the quantized coefficients of 8 × 8 samples as a block of luma. */
export function transformSamples(samples: usize, stride: usize): void {
  loadBlock(samples, stride, BLOCKS);
  forwardDct(BLOCKS, RECIPROCALS, lumaShift);
}

function transformPixels(mcu: usize, stride: usize): void {
  if (isUniform(mcu, stride)) {
    transformUniform(v128.load32_splat(mcu));
    return;
  }
  for (let half: usize = 0; half < 2; half++) {
    const left = BLOCKS + half * 2 * BLOCK_BYTES;
    const row = mcu + half * 8 * stride;
    for (let pair: usize = 0; pair < 4; pair++) {
      const chroma = BLOCKS + 4 * BLOCK_BYTES + half * 64 + pair * 16;
      convertRows(row + pair * 2 * stride, stride, left + pair * 32, chroma);
    }
  }
  for (let block: usize = 0; block < 4; block++)
    forwardDct(BLOCKS + block * BLOCK_BYTES, RECIPROCALS, lumaShift);
  forwardDct(BLOCKS + 4 * BLOCK_BYTES, RECIPROCALS + BLOCK_BYTES, chromaShift);
  forwardDct(BLOCKS + 5 * BLOCK_BYTES, RECIPROCALS + BLOCK_BYTES, chromaShift);
}

function transformPlanes(mcuRow: usize, stride: usize, mcu: usize): void {
  const luma = mcuRow + 16 * mcu;
  for (let block: usize = 0; block < 4; block++) {
    const at = BLOCKS + block * BLOCK_BYTES;
    loadBlock(luma + (block >> 1) * 8 * stride + (block & 1) * 8, stride, at);
    forwardDct(at, RECIPROCALS, lumaShift);
  }
  const half = stride >> 1;
  const cb = mcuRow + 16 * stride + 8 * mcu;
  loadBlock(cb, half, BLOCKS + 4 * BLOCK_BYTES);
  loadBlock(cb + 8 * half, half, BLOCKS + 5 * BLOCK_BYTES);
  forwardDct(BLOCKS + 4 * BLOCK_BYTES, RECIPROCALS + BLOCK_BYTES, chromaShift);
  forwardDct(BLOCKS + 5 * BLOCK_BYTES, RECIPROCALS + BLOCK_BYTES, chromaShift);
}

/** Loads 8 × 8 samples, less 128 and doubled, as ycbcr.ts gives them. */
function loadBlock(values: usize, stride: usize, block: usize): void {
  for (let row: usize = 0; row < 8; row++) {
    const some = v128.load8x8_u(values + row * stride);
    v128.store(block + 16 * row, i16x8.sub(i16x8.shl(some, 1), i16x8.splat(256)));
  }
}

/** Whether all pixels of an MCU are equal. On a page of text, those of most MCUs are. */
function isUniform(mcu: usize, stride: usize): bool {
  const first = v128.load32_splat(mcu);
  for (let row: usize = 0; row < 16; row++) {
    const at = mcu + row * stride;
    const one = v128.or(v128.xor(v128.load(at), first), v128.xor(v128.load(at, 16), first));
    const two = v128.or(v128.xor(v128.load(at, 32), first), v128.xor(v128.load(at, 48), first));
    if (v128.any_true(v128.or(one, two))) return false;
  }
  return true;
}

/** The same for an MCU of one color: only the DC coefficients are not zero. */
function transformUniform(pixels: v128): void {
  const y = i32x4.extract_lane(yOf(pixels), 0);
  const sums = i16x8.shl(v128.and(pixels, i16x8.splat(0xff)), 2);
  const greens = i16x8.shl(i16x8.shr_u(pixels, 8), 2);
  const cb = i32x4.extract_lane(cbOf(sums, greens), 0);
  const cr = i32x4.extract_lane(crOf(sums, greens), 0);
  for (let block: usize = 0; block < 4; block++)
    uniformBlock(BLOCKS + block * BLOCK_BYTES, y, RECIPROCALS, lumaShift);
  uniformBlock(BLOCKS + 4 * BLOCK_BYTES, cb, RECIPROCALS + BLOCK_BYTES, chromaShift);
  uniformBlock(BLOCKS + 5 * BLOCK_BYTES, cr, RECIPROCALS + BLOCK_BYTES, chromaShift);
}

function uniformBlock(block: usize, value: i32, reciprocals: usize, shift: i32): void {
  const zero = i32x4.splat(0);
  for (let column: usize = 0; column < 8; column++) v128.store(block + 16 * column, zero);
  store<i16>(block, ((64 * value * load<i16>(reciprocals) + (1 << (shift - 1))) >> shift) as i16);
}
