import {
  betaOffset,
  blockStride,
  cb,
  cr,
  ctbColumns,
  ctbLog2,
  edges,
  isDeblockingOff,
  luma,
  ppsCbQpOffset,
  ppsCrQpOffset,
  qps,
  stride,
  tcOffset,
} from "./picture";
import { chromaQp } from "./qp";
import { BETA_TABLE, TC_TABLE } from "./tables";

/**
 * Deblocks the edges in a CTB row and its edge to the row above (ITU-T H.265, 8.7.2).
 *
 * @param blockRows how many rows of 4 × 4 blocks the CTB row has
 * @param isTop whether it is the first of the picture
 */
export function deblockRow(blockRows: usize, isTop: bool): void {
  if (isDeblockingOff) return;
  const columns = ((ctbColumns << ctbLog2) >> 2) as usize;
  for (let y: usize = 0; y < blockRows; y++) {
    for (let x: usize = 2; x < columns; x += 2) {
      const at = y * blockStride + x;
      if ((load<u8>(edges + at) & 1) === 0) continue;
      const qp = (load<u8>(qps + at) + load<u8>(qps + at - 1) + 1) >> 1;
      filterLumaEdge(luma + 4 * y * stride + 4 * x, 1, stride, qp);
      if ((x & 3) === 0) filterChromaEdge(2 * y * (stride >> 1) + 2 * x, 1, stride >> 1, qp);
    }
  }
  for (let y: usize = isTop ? 2 : 0; y < blockRows; y += 2) {
    for (let x: usize = 0; x < columns; x++) {
      const at = y * blockStride + x;
      if ((load<u8>(edges + at) & 2) === 0) continue;
      const qp = (load<u8>(qps + at) + load<u8>(qps + at - blockStride) + 1) >> 1;
      filterLumaEdge(luma + 4 * y * stride + 4 * x, stride, 1, qp);
      if ((y & 3) === 0) filterChromaEdge(2 * y * (stride >> 1) + 2 * x, stride >> 1, 1, qp);
    }
  }
}

/** Returns tC (8.7.2.5.3). bS is 2 for all intra edges. */
function tcOf(qp: i32): i32 {
  return load<u8>(TC_TABLE + (max(0, min(53, qp + 2 + tcOffset)) as usize)) as i32;
}

/**
 * Filters 4 lines of luma across an edge (8.7.2.5.3, 8.7.2.5.7).
 *
 * @param at the first sample behind the edge
 * @param across the distance between samples of a line
 * @param along the distance between lines
 */
function filterLumaEdge(at: usize, across: usize, along: usize, qp: i32): void {
  const beta = load<u8>(BETA_TABLE + (max(0, min(51, qp + betaOffset)) as usize)) as i32;
  const tc = tcOf(qp);
  const last = at + 3 * along;
  const p0 = load<u8>(at - across) as i32;
  const p2 = load<u8>(at - 3 * across) as i32;
  const q0 = load<u8>(at) as i32;
  const q2 = load<u8>(at + 2 * across) as i32;
  const dp0 = abs<i32>(p2 - 2 * (load<u8>(at - 2 * across) as i32) + p0);
  const dq0 = abs<i32>(q2 - 2 * (load<u8>(at + across) as i32) + q0);
  const lastP0 = load<u8>(last - across) as i32;
  const lastQ0 = load<u8>(last) as i32;
  const dp3 = abs<i32>(
    (load<u8>(last - 3 * across) as i32) - 2 * (load<u8>(last - 2 * across) as i32) + lastP0,
  );
  const dq3 = abs<i32>((load<u8>(last + 2 * across) as i32) - 2 * (load<u8>(last + across) as i32) + lastQ0);
  const dpq0 = dp0 + dq0;
  const dpq3 = dp3 + dq3;
  if (dpq0 + dpq3 >= beta) return;
  const step = (5 * tc + 1) >> 1;
  const isStrong =
    2 * dpq0 < beta >> 2 &&
    2 * dpq3 < beta >> 2 &&
    abs<i32>(p0 - q0) < step &&
    abs<i32>(lastP0 - lastQ0) < step &&
    abs<i32>((load<u8>(at - 4 * across) as i32) - p0) + abs<i32>(q0 - (load<u8>(at + 3 * across) as i32)) <
      beta >> 3 &&
    abs<i32>((load<u8>(last - 4 * across) as i32) - lastP0) +
      abs<i32>(lastQ0 - (load<u8>(last + 3 * across) as i32)) <
      beta >> 3;
  if (isStrong) {
    for (let line: usize = 0; line < 4; line++) strongFilter(at + line * along, across, 2 * tc);
    return;
  }
  const sideThreshold = (beta + (beta >> 1)) >> 3;
  const dEp = dp0 + dp3 < sideThreshold;
  const dEq = dq0 + dq3 < sideThreshold;
  for (let line: usize = 0; line < 4; line++) normalFilter(at + line * along, across, tc, dEp, dEq);
}

/** Clips a filtered sample to a range around the old one. */
function clipTo(value: i32, old: i32, range: i32): u8 {
  return max(old - range, min(old + range, value)) as u8;
}

/** Filters a line with dE 2 (8.7.2.5.7). */
function strongFilter(at: usize, across: usize, range: i32): void {
  const p0 = load<u8>(at - across) as i32;
  const p1 = load<u8>(at - 2 * across) as i32;
  const p2 = load<u8>(at - 3 * across) as i32;
  const p3 = load<u8>(at - 4 * across) as i32;
  const q0 = load<u8>(at) as i32;
  const q1 = load<u8>(at + across) as i32;
  const q2 = load<u8>(at + 2 * across) as i32;
  const q3 = load<u8>(at + 3 * across) as i32;
  store<u8>(at - across, clipTo((p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3, p0, range));
  store<u8>(at - 2 * across, clipTo((p2 + p1 + p0 + q0 + 2) >> 2, p1, range));
  store<u8>(at - 3 * across, clipTo((2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) >> 3, p2, range));
  store<u8>(at, clipTo((p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3, q0, range));
  store<u8>(at + across, clipTo((p0 + q0 + q1 + q2 + 2) >> 2, q1, range));
  store<u8>(at + 2 * across, clipTo((p0 + q0 + q1 + 3 * q2 + 2 * q3 + 4) >> 3, q2, range));
}

function clip(value: i32): u8 {
  return max(0, min(255, value)) as u8;
}

/** Filters a line with dE 1 (8.7.2.5.7). */
function normalFilter(at: usize, across: usize, tc: i32, dEp: bool, dEq: bool): void {
  const p0 = load<u8>(at - across) as i32;
  const p1 = load<u8>(at - 2 * across) as i32;
  const q0 = load<u8>(at) as i32;
  const q1 = load<u8>(at + across) as i32;
  let delta = (9 * (q0 - p0) - 3 * (q1 - p1) + 8) >> 4;
  if (abs<i32>(delta) >= 10 * tc) return;
  delta = max(-tc, min(tc, delta));
  store<u8>(at - across, clip(p0 + delta));
  store<u8>(at, clip(q0 - delta));
  const half = tc >> 1;
  if (dEp) {
    const p2 = load<u8>(at - 3 * across) as i32;
    store<u8>(at - 2 * across, clip(p1 + max(-half, min(half, (((p2 + p0 + 1) >> 1) - p1 + delta) >> 1))));
  }
  if (dEq) {
    const q2 = load<u8>(at + 2 * across) as i32;
    store<u8>(at + across, clip(q1 + max(-half, min(half, (((q2 + q0 + 1) >> 1) - q1 - delta) >> 1))));
  }
}

/** Filters two lines of Cb and Cr across an edge (8.7.2.5.5, 8.7.2.5.8). */
function filterChromaEdge(at: usize, across: usize, along: usize, qp: i32): void {
  filterChromaPlane(cb + at, across, along, tcOf(chromaQp(qp + ppsCbQpOffset)));
  filterChromaPlane(cr + at, across, along, tcOf(chromaQp(qp + ppsCrQpOffset)));
}

function filterChromaPlane(at: usize, across: usize, along: usize, tc: i32): void {
  for (let line = 0; line < 2; line++, at += along) {
    const p0 = load<u8>(at - across) as i32;
    const q0 = load<u8>(at) as i32;
    const bend = (load<u8>(at - 2 * across) as i32) - (load<u8>(at + across) as i32);
    const delta = max(-tc, min(tc, (((q0 - p0) << 2) + bend + 4) >> 3));
    store<u8>(at - across, clip(p0 + delta));
    store<u8>(at, clip(q0 - delta));
  }
}
