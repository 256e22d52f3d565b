// The filters of rows (PNG 3, 9.2). Rows that come out have four bytes for each pixel, whatever they had.

/** What of the 16 bytes from a pixel on are four pixels of three bytes, each with a byte behind. */
function spread(bytes: v128): v128 {
  return i8x16.swizzle(bytes, i8x16(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1));
}

function four(at: usize, bytes: usize): v128 {
  return bytes === 3 ? spread(v128.load(at)) : v128.load(at);
}

/**
 * Undoes the filter of a row.
 *
 * @param row its filter, and what it has made
 * @param to where the row goes; as many as 15 bytes behind it are written, too
 * @param above the row above it
 * @param width in pixels
 * @param bytes how many a pixel has: three or four
 * @returns whether there is such a filter
 */
export function unfilter(row: usize, to: usize, above: usize, width: usize, bytes: usize): bool {
  const end = to + 4 * width;
  switch (load<u8>(row)) {
    case 0: {
      for (let from = row + 1; to < end; to += 16, from += 4 * bytes) v128.store(to, four(from, bytes));
      return true;
    }
    case 1: {
      undoLeft(row + 1, to, end, bytes);
      return true;
    }
    case 2: {
      for (let from = row + 1; to < end; to += 16, above += 16, from += 4 * bytes) {
        v128.store(to, i8x16.add(four(from, bytes), v128.load(above)));
      }
      return true;
    }
    case 3: {
      undoAverage(row + 1, to, end, above, bytes);
      return true;
    }
    case 4: {
      undoPaeth(row + 1, to, end, above, bytes);
      return true;
    }
    default:
      return false;
  }
}

function undoLeft(from: usize, to: usize, end: usize, bytes: usize): void {
  const zero = i32x4.splat(0);
  let left = zero;
  for (; to < end; to += 16, from += 4 * bytes) {
    let sums = four(from, bytes);
    sums = i8x16.add(sums, v128.shuffle<i32>(zero, sums, 0, 4, 5, 6));
    sums = i8x16.add(sums, v128.shuffle<i32>(zero, sums, 0, 1, 4, 5));
    sums = i8x16.add(sums, left);
    v128.store(to, sums);
    left = v128.shuffle<i32>(sums, sums, 3, 3, 3, 3);
  }
}

function undoAverage(from: usize, to: usize, end: usize, above: usize, bytes: usize): void {
  const one = i8x16.splat(1);
  let left = i32x4.splat(0);
  for (; to < end; to += 4, above += 4, from += bytes) {
    const up = v128.load32_zero(above);
    // Vectors round up.
    const average = i8x16.sub(i8x16.avgr_u(left, up), v128.and(v128.xor(left, up), one));
    left = i8x16.add(average, bytes === 3 ? pixel(from) : v128.load32_zero(from));
    v128.store32_lane(to, left, 0);
  }
}

function undoPaeth(from: usize, to: usize, end: usize, above: usize, bytes: usize): void {
  let left = i32x4.splat(0);
  let corner = i32x4.splat(0);
  for (; to < end; to += 4, above += 4, from += bytes) {
    const up = v128.load32_zero(above);
    const wideUp = i16x8.extend_low_i8x16_u(up);
    // How far each of the three is from left + up - corner.
    const byLeft = i16x8.sub(wideUp, corner);
    const byUp = i16x8.sub(left, corner);
    const farLeft = i16x8.abs(byLeft);
    const farUp = i16x8.abs(byUp);
    const farCorner = i16x8.abs(i16x8.add(byLeft, byUp));
    const notLeft = v128.or(i16x8.gt_s(farLeft, farUp), i16x8.gt_s(farLeft, farCorner));
    const other = v128.bitselect(corner, wideUp, i16x8.gt_s(farUp, farCorner));
    const nearest = v128.bitselect(other, left, notLeft);
    const some = i16x8.extend_low_i8x16_u(bytes === 3 ? pixel(from) : v128.load32_zero(from));
    left = v128.and(i16x8.add(some, nearest), i16x8.splat(0xff));
    corner = wideUp;
    v128.store32_lane(to, i8x16.narrow_i16x8_u(left, left), 0);
  }
}

/** A pixel of three bytes, and a zero. */
function pixel(at: usize): v128 {
  return i32x4.replace_lane(i32x4.splat(0), 0, load<u32>(at) & 0xffffff);
}
