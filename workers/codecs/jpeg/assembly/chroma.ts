/** What rounding adds, in turn, so that it adds nothing on the whole. */
const QUARTERS: v128 = i16x8(1, 2, 1, 2, 1, 2, 1, 2);
const HALVES: v128 = i8x16(1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0);

/**
 * Halves 16 rows of chroma both ways. They may lie where they go.
 *
 * @param stride how long one of them is, a multiple of 16
 */
export function halveBothWays(from: usize, stride: usize, to: usize): void {
  for (let row: usize = 0; row < 8; row++) {
    const above = from + 2 * row * stride;
    for (let at: usize = 0; at < stride; at += 16) {
      const one = i16x8.extadd_pairwise_i8x16_u(v128.load(above + at));
      const two = i16x8.extadd_pairwise_i8x16_u(v128.load(above + stride + at));
      const mean = i16x8.shr_u(i16x8.add(i16x8.add(one, two), QUARTERS), 2);
      v128.store64_lane(to, i8x16.narrow_i16x8_u(mean, mean), 0);
      to += 8;
    }
  }
}

/**
 * Halves 16 rows of chroma down, which are halved across.
 *
 * @param stride how long one of them is, a multiple of 8
 */
export function halveDown(from: usize, stride: usize, to: usize): void {
  for (let row: usize = 0; row < 8; row++) {
    const above = from + 2 * row * stride;
    for (let at: usize = 0; at < stride; at += 8) {
      const one = v128.load64_zero(above + at);
      const two = v128.load64_zero(above + stride + at);
      const odd = v128.and(v128.xor(one, two), HALVES);
      v128.store64_lane(to, i8x16.sub(i8x16.avgr_u(one, two), odd), 0);
      to += 8;
    }
  }
}
