import { decode, decodeBits, decodeEven, MERGE, OFFSET_KIND } from "./arithmetic";
import {
  blue,
  finished,
  height,
  luma,
  OFFSET_BYTES,
  offsets,
  red,
  stride,
  treeColumns,
  treeLog2,
  width,
} from "./picture";

/**
 * What is added to the values of a coding tree block, 8 bytes for each color: the kind, then the first band or the
 * direction, then four amounts.
 */
const NONE: u8 = 0;
const BANDS: u8 = 1;
const EDGES: u8 = 2;
const COLOR_BYTES: usize = 8;

/** Of the slice: whether there is anything to add. */
let ofLuma: bool = false;
let ofChroma: bool = false;

export function beginOffsets(isOfLuma: bool, isOfChroma: bool): void {
  ofLuma = isOfLuma;
  ofChroma = isOfChroma;
}

/** Decodes what is added (ITU-T H.265, 7.3.8.3), in the lower row of coding tree blocks. */
export function decodeOffsets(column: usize, hasLeft: bool, hasAbove: bool): void {
  const upper = offsets + column * OFFSET_BYTES;
  const at = upper + (treeColumns as usize) * OFFSET_BYTES;
  memory.fill(at, 0, OFFSET_BYTES);
  if (!ofLuma && !ofChroma) return;
  if (hasLeft && decode(MERGE) !== 0) {
    memory.copy(at, at - OFFSET_BYTES, OFFSET_BYTES);
    return;
  }
  if (hasAbove && decode(MERGE) !== 0) {
    memory.copy(at, upper, OFFSET_BYTES);
    return;
  }
  for (let color: usize = 0; color < 3; color++) {
    if (color === 0 ? ofLuma : ofChroma) decodeColor(at + color * COLOR_BYTES, color);
  }
}

function decodeColor(at: usize, color: usize): void {
  const before = at - COLOR_BYTES;
  const kind = color === 2 ? load<u8>(before) : decodeKind();
  store<u8>(at, kind);
  if (kind === NONE) return;
  for (let index: usize = 0; index < 4; index++) {
    let amount: u8 = 0;
    while (amount < 7 && decodeEven() !== 0) amount++;
    store<u8>(at + 2 + index, amount);
  }
  if (kind === BANDS) {
    for (let index: usize = 0; index < 4; index++) {
      const amount = load<i8>(at + 2 + index);
      if (amount !== 0 && decodeEven() !== 0) store<i8>(at + 2 + index, -amount);
    }
    store<u8>(at + 1, decodeBits(5) as u8);
    return;
  }
  store<u8>(at + 1, color === 2 ? load<u8>(before + 1) : (decodeBits(2) as u8));
  store<i8>(at + 4, -load<i8>(at + 4));
  store<i8>(at + 5, -load<i8>(at + 5));
}

function decodeKind(): u8 {
  if (decode(OFFSET_KIND) === 0) return NONE;
  return decodeEven() === 0 ? BANDS : EDGES;
}

/**
 * Finishes the upper row of coding tree blocks: adds to its values (8.7.3), and puts them where they are taken.
 *
 * @param top where the row stands in the picture, in pixels
 */
export function finishRow(top: i32): void {
  const rows = min(1 << treeLog2, height - top);
  const half = stride >> 1;
  const lumaBytes = (width as usize) * ((1 << treeLog2) as usize);
  const chromaBytes = ((width as usize) >> 1) * ((1 << (treeLog2 - 1)) as usize);
  for (let column: usize = 0; column < (treeColumns as usize); column++) {
    const at = offsets + column * OFFSET_BYTES;
    finishBlock(at, luma, stride, finished, width, rows, column, top, treeLog2, height);
    const chroma = finished + lumaBytes;
    finishBlock(
      at + 8,
      blue,
      half,
      chroma,
      width >> 1,
      rows >> 1,
      column,
      top >> 1,
      treeLog2 - 1,
      height >> 1,
    );
    const behind = chroma + chromaBytes;
    finishBlock(
      at + 16,
      red,
      half,
      behind,
      width >> 1,
      rows >> 1,
      column,
      top >> 1,
      treeLog2 - 1,
      height >> 1,
    );
  }
}

function finishBlock(
  told: usize,
  plane: usize,
  planeStride: usize,
  into: usize,
  planeWidth: i32,
  rows: i32,
  column: usize,
  top: i32,
  log2: i32,
  planeHeight: i32,
): void {
  const left = (column as i32) << log2;
  const count = min(1 << log2, planeWidth - left);
  const kind = load<u8>(told);
  const from = plane + (left as usize);
  const to = into + (left as usize);
  if (kind === NONE) {
    for (let y: usize = 0; y < (rows as usize); y++)
      memory.copy(to + y * (planeWidth as usize), from + y * planeStride, count as usize);
  } else if (kind === BANDS) {
    const amounts = v128.load32_zero(told + 2);
    const first = load<u8>(told + 1);
    for (let y: usize = 0; y < (rows as usize); y++)
      addToBands(from + y * planeStride, to + y * (planeWidth as usize), count as usize, first, amounts);
  } else {
    const direction = load<u8>(told + 1);
    const across: usize = direction === 1 ? 0 : 1;
    const down: usize = direction === 0 ? 0 : planeStride;
    // From a value to its second neighbor; the first stands opposite.
    const step = direction === 3 ? down - across : down + across;
    // At the order of the sign of both differences: a valley, a bend up, nothing, a bend down, a peak.
    const amounts = v128.shuffle<i8>(
      v128.load32_zero(told + 2),
      i64x2.splat(0),
      0,
      1,
      16,
      2,
      3,
      16,
      16,
      16,
      16,
      16,
      16,
      16,
      16,
      16,
      16,
      16,
    );
    const isFirst = left === 0;
    const isLast = left + count === planeWidth;
    for (let y: i32 = 0; y < rows; y++) {
      const source = from + (y as usize) * planeStride;
      const target = to + (y as usize) * (planeWidth as usize);
      const isOutside = direction !== 0 && (top + y === 0 || top + y === planeHeight - 1);
      if (isOutside) {
        memory.copy(target, source, count as usize);
        continue;
      }
      addToEdges(source, target, count as usize, step, amounts);
      if (across === 0) continue;
      if (isFirst) store<u8>(target, load<u8>(source));
      if (isLast) store<u8>(target + (count as usize) - 1, load<u8>(source + (count as usize) - 1));
    }
  }
}

/** Sixteen at a time, the last of which may be some that were done before. */
function addToBands(from: usize, to: usize, count: usize, first: u8, amounts: v128): void {
  for (let x: usize = 0; x < count; x += 16) {
    const values = v128.load(from + x);
    const band = v128.and(i8x16.sub(i8x16.shr_u(values, 3), i8x16.splat(first as i8)), i8x16.splat(31));
    storeSome(to + x, added(values, i8x16.swizzle(amounts, band)), count - x);
  }
}

function addToEdges(from: usize, to: usize, count: usize, step: usize, amounts: v128): void {
  for (let x: usize = 0; x < count; x += 16) {
    const at = from + x;
    const values = v128.load(at);
    const one = v128.load(at - step);
    const two = v128.load(at + step);
    // -1 where the value is less, 1 where it is more.
    const sign = i8x16.add(
      i8x16.sub(i8x16.lt_u(values, one), i8x16.gt_u(values, one)),
      i8x16.sub(i8x16.lt_u(values, two), i8x16.gt_u(values, two)),
    );
    storeSome(to + x, added(values, i8x16.swizzle(amounts, i8x16.add(sign, i8x16.splat(2)))), count - x);
  }
}

function added(values: v128, amounts: v128): v128 {
  const low = i16x8.add(i16x8.extend_low_i8x16_u(values), i16x8.extend_low_i8x16_s(amounts));
  const high = i16x8.add(i16x8.extend_high_i8x16_u(values), i16x8.extend_high_i8x16_s(amounts));
  return i8x16.narrow_i16x8_u(low, high);
}

function storeSome(to: usize, values: v128, count: usize): void {
  if (count >= 16) v128.store(to, values);
  else if (count === 8) v128.store64_lane(to, values, 0);
  else if (count === 4) v128.store32_lane(to, values, 0);
  else {
    v128.store64_lane(to, values, 0);
    v128.store32_lane(to + 8, values, 2);
  }
}
