import {
  blue,
  blueOfPicture,
  edges,
  luma,
  quantizers,
  red,
  redOfPicture,
  stride,
  treeColumns,
  treeLog2,
  unitStride,
} from "./picture";
import { chromaQuantizer } from "./quantizing";
import { BETAS, LIMITS } from "./tables";

/** How strongly edges are smoothed; of all blocks alike, which are of intra prediction. */
let betaOffset: i32 = 0;
let limitOffset: i32 = 0;
let isOff: bool = false;

export function beginDeblocking(isNone: bool, beta: i32, limit: i32): void {
  isOff = isNone;
  betaOffset = beta << 1;
  limitOffset = (limit << 1) + 2;
}

/**
 * Smooths the edges in the lower row of coding tree blocks, that to the upper one included (ITU-T H.265, 8.7.2).
 *
 * @param units how many rows of blocks of 4 it has
 * @param isTop whether nothing is above
 */
export function smoothEdges(units: usize, isTop: bool): void {
  if (isOff) return;
  const columns = ((treeColumns << treeLog2) >> 2) as usize;
  const start = (1 << (treeLog2 - 2)) as usize;
  for (let y: usize = start; y < start + units; y++) {
    for (let x: usize = 2; x < columns; x += 2) {
      const at = y * unitStride + x;
      if ((load<u8>(edges + at) & 1) === 0) continue;
      const mean = (load<u8>(quantizers + at) + load<u8>(quantizers + at - 1) + 1) >> 1;
      smoothLuma(luma + 4 * y * stride + 4 * x, 1, stride, mean);
      if ((x & 3) === 0) smoothChroma(2 * y * (stride >> 1) + 2 * x, 1, stride >> 1, mean);
    }
  }
  for (let y: usize = isTop ? start + 2 : start; y < start + units; y += 2) {
    for (let x: usize = 0; x < columns; x++) {
      const at = y * unitStride + x;
      if ((load<u8>(edges + at) & 2) === 0) continue;
      const mean = (load<u8>(quantizers + at) + load<u8>(quantizers + at - unitStride) + 1) >> 1;
      smoothLuma(luma + 4 * y * stride + 4 * x, stride, 1, mean);
      if ((y & 3) === 0) smoothChroma(2 * y * (stride >> 1) + 2 * x, stride >> 1, 1, mean);
    }
  }
}

function limitFor(quantizer: i32): i32 {
  return load<u8>(LIMITS + (max(0, min(53, quantizer + limitOffset)) as usize)) as i32;
}

/**
 * Smooths four lines of luma across an edge (8.7.2.5.3, 8.7.2.5.7).
 *
 * @param at the first value behind the edge
 * @param across from one value of a line to the next
 * @param along from one line to the next
 */
function smoothLuma(at: usize, across: usize, along: usize, quantizer: i32): void {
  const beta = load<u8>(BETAS + (max(0, min(51, quantizer + betaOffset)) as usize)) as i32;
  const limit = limitFor(quantizer);
  const last = at + 3 * along;
  const p0 = load<u8>(at - across) as i32;
  const p2 = load<u8>(at - 3 * across) as i32;
  const q0 = load<u8>(at) as i32;
  const q2 = load<u8>(at + 2 * across) as i32;
  const bendP0 = abs<i32>(p2 - 2 * (load<u8>(at - 2 * across) as i32) + p0);
  const bendQ0 = abs<i32>(q2 - 2 * (load<u8>(at + across) as i32) + q0);
  const lastP0 = load<u8>(last - across) as i32;
  const lastQ0 = load<u8>(last) as i32;
  const bendP3 = abs<i32>(
    (load<u8>(last - 3 * across) as i32) - 2 * (load<u8>(last - 2 * across) as i32) + lastP0,
  );
  const bendQ3 = abs<i32>(
    (load<u8>(last + 2 * across) as i32) - 2 * (load<u8>(last + across) as i32) + lastQ0,
  );
  const bend0 = bendP0 + bendQ0;
  const bend3 = bendP3 + bendQ3;
  if (bend0 + bend3 >= beta) return;
  const step = (5 * limit + 1) >> 1;
  const isStrong =
    2 * bend0 < beta >> 2 &&
    2 * bend3 < beta >> 2 &&
    abs<i32>(p0 - q0) < step &&
    abs<i32>(lastP0 - lastQ0) < step &&
    abs<i32>((load<u8>(at - 4 * across) as i32) - p0) + abs<i32>(q0 - (load<u8>(at + 3 * across) as i32)) <
      beta >> 3 &&
    abs<i32>((load<u8>(last - 4 * across) as i32) - lastP0) +
      abs<i32>(lastQ0 - (load<u8>(last + 3 * across) as i32)) <
      beta >> 3;
  if (isStrong) {
    for (let line: usize = 0; line < 4; line++) smoothStrongly(at + line * along, across, 2 * limit);
    return;
  }
  const side = (beta + (beta >> 1)) >> 3;
  const changesP = bendP0 + bendP3 < side;
  const changesQ = bendQ0 + bendQ3 < side;
  for (let line: usize = 0; line < 4; line++)
    smoothWeakly(at + line * along, across, limit, changesP, changesQ);
}

function near(value: i32, old: i32, most: i32): u8 {
  return max(old - most, min(old + most, value)) as u8;
}

function smoothStrongly(at: usize, across: usize, most: i32): void {
  const p0 = load<u8>(at - across) as i32;
  const p1 = load<u8>(at - 2 * across) as i32;
  const p2 = load<u8>(at - 3 * across) as i32;
  const p3 = load<u8>(at - 4 * across) as i32;
  const q0 = load<u8>(at) as i32;
  const q1 = load<u8>(at + across) as i32;
  const q2 = load<u8>(at + 2 * across) as i32;
  const q3 = load<u8>(at + 3 * across) as i32;
  store<u8>(at - across, near((p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3, p0, most));
  store<u8>(at - 2 * across, near((p2 + p1 + p0 + q0 + 2) >> 2, p1, most));
  store<u8>(at - 3 * across, near((2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) >> 3, p2, most));
  store<u8>(at, near((p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3, q0, most));
  store<u8>(at + across, near((p0 + q0 + q1 + q2 + 2) >> 2, q1, most));
  store<u8>(at + 2 * across, near((p0 + q0 + q1 + 3 * q2 + 2 * q3 + 4) >> 3, q2, most));
}

function clip(value: i32): u8 {
  return max(0, min(255, value)) as u8;
}

function smoothWeakly(at: usize, across: usize, limit: i32, changesP: bool, changesQ: bool): void {
  const p0 = load<u8>(at - across) as i32;
  const p1 = load<u8>(at - 2 * across) as i32;
  const q0 = load<u8>(at) as i32;
  const q1 = load<u8>(at + across) as i32;
  let change = (9 * (q0 - p0) - 3 * (q1 - p1) + 8) >> 4;
  if (abs<i32>(change) >= 10 * limit) return;
  change = max(-limit, min(limit, change));
  store<u8>(at - across, clip(p0 + change));
  store<u8>(at, clip(q0 - change));
  const half = limit >> 1;
  if (changesP) {
    const p2 = load<u8>(at - 3 * across) as i32;
    store<u8>(at - 2 * across, clip(p1 + max(-half, min(half, (((p2 + p0 + 1) >> 1) - p1 + change) >> 1))));
  }
  if (changesQ) {
    const q2 = load<u8>(at + 2 * across) as i32;
    store<u8>(at + across, clip(q1 + max(-half, min(half, (((q2 + q0 + 1) >> 1) - q1 - change) >> 1))));
  }
}

/** Smooths two lines of both kinds of chroma (8.7.2.5.5, 8.7.2.5.8). */
function smoothChroma(at: usize, across: usize, along: usize, quantizer: i32): void {
  smoothPlane(blue + at, across, along, limitFor(chromaQuantizer(quantizer + blueOfPicture)));
  smoothPlane(red + at, across, along, limitFor(chromaQuantizer(quantizer + redOfPicture)));
}

function smoothPlane(at: usize, across: usize, along: usize, limit: i32): void {
  for (let line = 0; line < 2; line++, at += along) {
    const p0 = load<u8>(at - across) as i32;
    const q0 = load<u8>(at) as i32;
    const bend = (load<u8>(at - 2 * across) as i32) - (load<u8>(at + across) as i32);
    const change = max(-limit, min(limit, (((q0 - p0) << 2) + bend + 4) >> 3));
    store<u8>(at - across, clip(p0 + change));
    store<u8>(at, clip(q0 - change));
  }
}
