/** A block predicted by a horizontal mode. Its rows are columns of the picture. */
export const TRANSPOSED = memory.data(32 * 32, 16);

/** Transposes the block into the picture. */
export function storeTransposed(target: usize, stride: usize, size: usize): void {
  if (size === 4) {
    const rows = v128.load(TRANSPOSED);
    const turned = v128.shuffle<i8>(rows, rows, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    v128.store32_lane(target, turned, 0);
    v128.store32_lane(target + stride, turned, 1);
    v128.store32_lane(target + 2 * stride, turned, 2);
    v128.store32_lane(target + 3 * stride, turned, 3);
    return;
  }
  for (let y: usize = 0; y < size; y += 8) {
    for (let x: usize = 0; x < size; x += 8)
      transpose8x8(TRANSPOSED + x * size + y, size, target + y * stride + x, stride);
  }
}

/** Transposes a block of 8 × 8. */
function transpose8x8(from: usize, step: usize, to: usize, stride: usize): void {
  const a = interleavedPair(from, step);
  const b = interleavedPair(from + 2 * step, step);
  const c = interleavedPair(from + 4 * step, step);
  const d = interleavedPair(from + 6 * step, step);
  const abLow = v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
  const abHigh = v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  const cdLow = v128.shuffle<i16>(c, d, 0, 8, 1, 9, 2, 10, 3, 11);
  const cdHigh = v128.shuffle<i16>(c, d, 4, 12, 5, 13, 6, 14, 7, 15);
  storeTwo(to, stride, v128.shuffle<i32>(abLow, cdLow, 0, 4, 1, 5));
  storeTwo(to + 2 * stride, stride, v128.shuffle<i32>(abLow, cdLow, 2, 6, 3, 7));
  storeTwo(to + 4 * stride, stride, v128.shuffle<i32>(abHigh, cdHigh, 0, 4, 1, 5));
  storeTwo(to + 6 * stride, stride, v128.shuffle<i32>(abHigh, cdHigh, 2, 6, 3, 7));
}

/** Interleaves two rows of 8 bytes. */
function interleavedPair(from: usize, step: usize): v128 {
  const rows = v128.load64_lane(from + step, v128.load64_zero(from), 1);
  return v128.shuffle<i8>(rows, rows, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
}

function storeTwo(to: usize, stride: usize, rows: v128): void {
  v128.store64_lane(to, rows, 0);
  v128.store64_lane(to + stride, rows, 1);
}
