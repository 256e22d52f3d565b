/** Rounding alternates between neighbors, so that it does not change the mean, as in libjpeg. */
const BIAS_OF_4: v128 = i16x8(1, 2, 1, 2, 1, 2, 1, 2);
const BIAS_OF_2: v128 = i8x16(1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0);

/**
 * Subsamples 16 rows of 4:4:4 chroma to 4:2:0. Source and target may be the same.
 *
 * @param stride the length of a source row, a multiple of 16
 */
export function subsampleBoth(from: usize, stride: usize, to: usize): void {
  for (let row: usize = 0; row < 8; row++) {
    const above = from + 2 * row * stride;
    for (let at: usize = 0; at < stride; at += 16) {
      const one = i16x8.extadd_pairwise_i8x16_u(v128.load(above + at));
      const two = i16x8.extadd_pairwise_i8x16_u(v128.load(above + stride + at));
      const mean = i16x8.shr_u(i16x8.add(i16x8.add(one, two), BIAS_OF_4), 2);
      v128.store64_lane(to, i8x16.narrow_i16x8_u(mean, mean), 0);
      to += 8;
    }
  }
}

/**
 * Subsamples 16 rows of 4:2:2 chroma to 4:2:0. Source and target may be the same.
 *
 * @param stride the length of a source row, a multiple of 8
 */
export function subsampleVertically(from: usize, stride: usize, to: usize): void {
  for (let row: usize = 0; row < 8; row++) {
    const above = from + 2 * row * stride;
    for (let at: usize = 0; at < stride; at += 8) {
      const one = v128.load64_zero(above + at);
      const two = v128.load64_zero(above + stride + at);
      const odd = v128.and(v128.xor(one, two), BIAS_OF_2);
      v128.store64_lane(to, i8x16.sub(i8x16.avgr_u(one, two), odd), 0);
      to += 8;
    }
  }
}
