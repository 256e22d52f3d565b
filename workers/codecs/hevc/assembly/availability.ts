import { setNeighbors } from "./intra-prediction";
import { blockStride, ctbLog2, width } from "./picture";
import { Z_SCAN_ORDER } from "./tables";

// Positions are in luma samples: x from the left of the picture, y from the top of the current CTB row.

/** Whether there is a CTB row above the current one. */
export let hasAboveCtb: bool = false;
/** The x position of the current CTB, and the bottom of the picture relative to the top of the CTB. */
export let ctbX: i32 = 0;
export let picBottom: i32 = 0;

/** Sets the current CTB. */
export function setCtb(x: i32, rowsLeft: i32, isAbove: bool): void {
  ctbX = x;
  picBottom = rowsLeft;
  hasAboveCtb = isAbove;
}

/** Returns the index of a position in arrays that have one entry per 4 × 4 block. */
export function blockIndex(x: i32, y: i32): usize {
  return ((y >> 2) as usize) * blockStride + ((x >> 2) as usize);
}

/**
 * Finds which neighbors of a block are decoded already (6.4.1), for intra prediction.
 *
 * @param x of the luma block
 * @param size of the luma block
 * @param log2 subsampling of the color component: 0 for luma, 1 for chroma
 */
export function findNeighbors(x: i32, y: i32, size: i32, log2: u32): void {
  const isAbove = y > 0 || hasAboveCtb;
  const side = 1 << ctbLog2;
  const order = zScanOrder(x, y);
  let belowLeft = 0;
  const below = y + size;
  if (below < side && below < picBottom) {
    const isThere = x > ctbX ? zScanOrder(x - 1, below) < order : x > 0;
    if (isThere) belowLeft = min(size, min(side, picBottom) - below);
  }
  let aboveRight = 0;
  const right = x + size;
  if (right < width) {
    const isThere = y > 0 ? right < ctbX + side && zScanOrder(right, y - 1) < order : hasAboveCtb;
    if (isThere) aboveRight = min(size, width - right);
  }
  setNeighbors(x > 0, isAbove, (belowLeft >> log2) as usize, (aboveRight >> log2) as usize);
}

function zScanOrder(x: i32, y: i32): i32 {
  return load<u8>(Z_SCAN_ORDER + (((y >> 2) << 4) | (((x - ctbX) >> 2) & 15))) as i32;
}
