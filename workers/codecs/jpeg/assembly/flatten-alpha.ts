/**
 * Flattens pixels with premultiplied alpha onto a background.
 *
 * @param pixels the address of the first pixel; their number is a multiple of 4
 * @param background a color in the byte order of the pixels, the first in the lowest byte
 */
export function flattenAlpha(pixels: usize, end: usize, background: i32): void {
  const backgrounds = i32x4.splat(background);
  for (let at = pixels; at < end; at += 16) {
    const pixels4 = v128.load(at);
    const transparency = v128.not(
      i8x16.shuffle(pixels4, pixels4, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15),
    );
    if (!v128.any_true(transparency)) continue;
    const left = by255(i16x8.extmul_low_i8x16_u(transparency, backgrounds));
    const right = by255(i16x8.extmul_high_i8x16_u(transparency, backgrounds));
    v128.store(at, i8x16.add_sat_u(pixels4, i8x16.narrow_i16x8_u(left, right)));
  }
}

/** Divides 8 products of bytes by 255 and rounds. */
function by255(products: v128): v128 {
  const sums = i16x8.add(products, i16x8.splat(128));
  return i16x8.shr_u(i16x8.add(sums, i16x8.shr_u(sums, 8)), 8);
}
