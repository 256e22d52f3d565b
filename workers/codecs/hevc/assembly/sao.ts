import { decodeBin, decodeBypass, decodeBypassBits, SAO_MERGE_FLAG, SAO_TYPE_IDX } from "./cabac";
import {
  cb,
  cr,
  ctbColumns,
  ctbLog2,
  height,
  luma,
  output,
  SAO_BYTES,
  saoChroma,
  saoLuma,
  saoParams,
  stride,
  width,
} from "./picture";

// Sample adaptive offset (ITU-T H.265, 8.7.3). The parameters of a CTB take 8 bytes per color component: SaoTypeIdx,
// then sao_band_position or SaoEoClass, then 4 values of SaoOffsetVal.

/** SaoTypeIdx. */
const NOT_APPLIED: u8 = 0;
const BAND_OFFSET: u8 = 1;
const EDGE_OFFSET: u8 = 2;
const PLANE_BYTES: usize = 8;
/**
 * The index of an edge offset by the sum of both signs, plus 2: local minimum, concave corner, none, convex corner,
 * local maximum. 16 stands for no offset.
 */
const EDGE_ORDER: v128 = i8x16(0, 1, 16, 2, 3, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16);

/** Decodes the sao() syntax (7.3.8.3) of a CTU. */
export function decodeSao(column: i32, row: i32): void {
  const at = saoParams + ((row * ctbColumns + column) as usize) * SAO_BYTES;
  memory.fill(at, 0, SAO_BYTES);
  if (!saoLuma && !saoChroma) return;
  if (column > 0 && decodeBin(SAO_MERGE_FLAG) !== 0) {
    memory.copy(at, at - SAO_BYTES, SAO_BYTES);
    return;
  }
  if (row > 0 && decodeBin(SAO_MERGE_FLAG) !== 0) {
    memory.copy(at, at - (ctbColumns as usize) * SAO_BYTES, SAO_BYTES);
    return;
  }
  for (let cIdx: usize = 0; cIdx < 3; cIdx++) {
    if (cIdx === 0 ? saoLuma : saoChroma) decodeSaoPlane(at + cIdx * PLANE_BYTES, cIdx);
  }
}

function decodeSaoPlane(at: usize, cIdx: usize): void {
  const before = at - PLANE_BYTES;
  const typeIdx = cIdx === 2 ? load<u8>(before) : decodeSaoType();
  store<u8>(at, typeIdx);
  if (typeIdx === NOT_APPLIED) return;
  for (let index: usize = 0; index < 4; index++) {
    let offset: u8 = 0;
    while (offset < 7 && decodeBypass() !== 0) offset++;
    store<u8>(at + 2 + index, offset);
  }
  if (typeIdx === BAND_OFFSET) {
    for (let index: usize = 0; index < 4; index++) {
      const offset = load<i8>(at + 2 + index);
      if (offset !== 0 && decodeBypass() !== 0) store<i8>(at + 2 + index, -offset);
    }
    store<u8>(at + 1, decodeBypassBits(5) as u8);
    return;
  }
  store<u8>(at + 1, cIdx === 2 ? load<u8>(before + 1) : (decodeBypassBits(2) as u8));
  store<i8>(at + 4, -load<i8>(at + 4));
  store<i8>(at + 5, -load<i8>(at + 5));
}

function decodeSaoType(): u8 {
  if (decodeBin(SAO_TYPE_IDX) === 0) return NOT_APPLIED;
  return decodeBypass() === 0 ? BAND_OFFSET : EDGE_OFFSET;
}

/** Applies SAO to the current CTB row (8.7.3) and writes the result to the output. */
export function finishRow(row: i32): void {
  const top = row << ctbLog2;
  const rows = min(1 << ctbLog2, height - top);
  const half = stride >> 1;
  const lumaBytes = (width as usize) * ((1 << ctbLog2) as usize);
  const chromaBytes = ((width as usize) >> 1) * ((1 << (ctbLog2 - 1)) as usize);
  for (let column: usize = 0; column < (ctbColumns as usize); column++) {
    const at = saoParams + (((row * ctbColumns) as usize) + column) * SAO_BYTES;
    applySao(at, luma, stride, output, width, rows, column, top, ctbLog2, height);
    const chroma = output + lumaBytes;
    applySao(at + 8, cb, half, chroma, width >> 1, rows >> 1, column, top >> 1, ctbLog2 - 1, height >> 1);
    const behind = chroma + chromaBytes;
    applySao(at + 16, cr, half, behind, width >> 1, rows >> 1, column, top >> 1, ctbLog2 - 1, height >> 1);
  }
}

function applySao(
  params: usize,
  plane: usize,
  planeStride: usize,
  planeOutput: usize,
  planeWidth: i32,
  rows: i32,
  column: usize,
  top: i32,
  log2: i32,
  planeHeight: i32,
): void {
  const left = (column as i32) << log2;
  const count = min(1 << log2, planeWidth - left);
  const typeIdx = load<u8>(params);
  const from = plane + (left as usize);
  const to = planeOutput + (left as usize);
  if (typeIdx === NOT_APPLIED) {
    for (let y: usize = 0; y < (rows as usize); y++)
      memory.copy(to + y * (planeWidth as usize), from + y * planeStride, count as usize);
  } else if (typeIdx === BAND_OFFSET) {
    const offsets = v128.load32_zero(params + 2);
    const bandPosition = load<u8>(params + 1);
    for (let y: usize = 0; y < (rows as usize); y++)
      addBandOffsets(
        from + y * planeStride,
        to + y * (planeWidth as usize),
        count as usize,
        bandPosition,
        offsets,
      );
  } else {
    const eoClass = load<u8>(params + 1);
    const across: usize = eoClass === 1 ? 0 : 1;
    const down: usize = eoClass === 0 ? 0 : planeStride;
    // The distance to the second neighbor. The first neighbor is opposite.
    const step = eoClass === 3 ? down - across : down + across;
    const offsets = i8x16.swizzle(v128.load32_zero(params + 2), EDGE_ORDER);
    const isFirst = left === 0;
    const isLast = left + count === planeWidth;
    for (let y: i32 = 0; y < rows; y++) {
      const source = from + (y as usize) * planeStride;
      const target = to + (y as usize) * (planeWidth as usize);
      const isOutside = eoClass !== 0 && (top + y === 0 || top + y === planeHeight - 1);
      if (isOutside) {
        memory.copy(target, source, count as usize);
        continue;
      }
      addEdgeOffsets(source, target, count as usize, step, offsets);
      if (across === 0) continue;
      if (isFirst) store<u8>(target, load<u8>(source));
      if (isLast) store<u8>(target + (count as usize) - 1, load<u8>(source + (count as usize) - 1));
    }
  }
}

/** Handles 16 samples per step. A last step of fewer samples reads beyond them but stores only those. */
function addBandOffsets(from: usize, to: usize, count: usize, bandPosition: u8, offsets: v128): void {
  for (let x: usize = 0; x < count; x += 16) {
    const values = v128.load(from + x);
    const band = v128.and(
      i8x16.sub(i8x16.shr_u(values, 3), i8x16.splat(bandPosition as i8)),
      i8x16.splat(31),
    );
    storeSome(to + x, added(values, i8x16.swizzle(offsets, band)), count - x);
  }
}

function addEdgeOffsets(from: usize, to: usize, count: usize, step: usize, offsets: v128): void {
  for (let x: usize = 0; x < count; x += 16) {
    const at = from + x;
    const values = v128.load(at);
    const one = v128.load(at - step);
    const two = v128.load(at + step);
    // The sum of both signs, each -1 if the sample is less than that neighbor and 1 if it is greater.
    const sign = i8x16.add(
      i8x16.sub(i8x16.lt_u(values, one), i8x16.gt_u(values, one)),
      i8x16.sub(i8x16.lt_u(values, two), i8x16.gt_u(values, two)),
    );
    storeSome(to + x, added(values, i8x16.swizzle(offsets, i8x16.add(sign, i8x16.splat(2)))), count - x);
  }
}

function added(values: v128, offsets: v128): v128 {
  const low = i16x8.add(i16x8.extend_low_i8x16_u(values), i16x8.extend_low_i8x16_s(offsets));
  const high = i16x8.add(i16x8.extend_high_i8x16_u(values), i16x8.extend_high_i8x16_s(offsets));
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
