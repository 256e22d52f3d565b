/**
 * Puts a color behind pixels whose values are multiplied by their alpha, which is the fourth of each.
 *
 * @param pixels where they are, a multiple of four of them
 * @param color its values, in the order of the pixels', the lowest byte first
 */
export function layOver(pixels: usize, end: usize, color: i32): void {
  const backdrop = i32x4.splat(color);
  for (let at = pixels; at < end; at += 16) {
    const above = v128.load(at);
    const clear = v128.not(
      i8x16.shuffle(above, above, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15),
    );
    if (!v128.any_true(clear)) continue;
    const left = by255(i16x8.extmul_low_i8x16_u(clear, backdrop));
    const right = by255(i16x8.extmul_high_i8x16_u(clear, backdrop));
    v128.store(at, i8x16.add_sat_u(above, i8x16.narrow_i16x8_u(left, right)));
  }
}

/**
 * Multiplies the values of pixels by their alpha, which is the fourth of each.
 *
 * @param pixels where they are, a multiple of four of them
 */
export function multiply(pixels: usize, end: usize): void {
  const alphas = i32x4.splat(0xff000000);
  for (let at = pixels; at < end; at += 16) {
    const some = v128.load(at);
    const alpha = i8x16.shuffle(some, some, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
    if (i8x16.all_true(i8x16.eq(alpha, i8x16.splat(-1)))) continue;
    const left = by255(i16x8.extmul_low_i8x16_u(some, alpha));
    const right = by255(i16x8.extmul_high_i8x16_u(some, alpha));
    v128.store(at, v128.bitselect(some, i8x16.narrow_i16x8_u(left, right), alphas));
  }
}

/** Eight products of bytes, divided by 255 and rounded. */
function by255(products: v128): v128 {
  const sums = i16x8.add(products, i16x8.splat(128));
  return i16x8.shr_u(i16x8.add(sums, i16x8.shr_u(sums, 8)), 8);
}
