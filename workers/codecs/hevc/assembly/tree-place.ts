import { setSurroundings } from "./intra";
import { treeLog2, unitStride, width } from "./picture";
import { DECODING_ORDER } from "./tables";

// Places are pixels of luma: across from the picture's left, down from the top of the row of coding tree blocks.

/** What of a picture the coding tree block stands beside, of the same slice. */
export let hasTreeLeft: bool = false;
export let hasTreeAbove: bool = false;
export let hasTreeAboveRight: bool = false;
export let hasTreeAboveLeft: bool = false;
/** Where the coding tree block is, and how far the picture reaches down from its top. */
export let treeX: i32 = 0;
export let reach: i32 = 0;

/** Says where the coding tree block is that is decoded, and what of its slice is around it. */
export function setTreePlace(
  x: i32,
  rowsLeft: i32,
  isLeft: bool,
  isAbove: bool,
  isAboveRight: bool,
  isAboveLeft: bool,
): void {
  treeX = x;
  reach = rowsLeft;
  hasTreeLeft = isLeft;
  hasTreeAbove = isAbove;
  hasTreeAboveRight = isAboveRight;
  hasTreeAboveLeft = isAboveLeft;
}

/** Where a place stands in what there is for each block of 4. */
export function unit(x: i32, y: i32): usize {
  return ((y >> 2) as usize) * unitStride + ((x >> 2) as usize);
}

/** How far the lower row of coding tree blocks stands behind the upper one there. */
export function lowerUnits(): usize {
  return ((1 << (treeLog2 - 2)) as usize) * unitStride;
}

/**
 * Finds out what around a block is decoded already.
 *
 * @param x of the block of luma that it belongs to
 * @param size of that
 * @param log2 how many values of the block there are for a pixel of luma: 0, or 1 for half of them
 */
export function findSurroundings(x: i32, y: i32, size: i32, log2: u32): void {
  const isLeft = x > treeX || hasTreeLeft;
  const isAbove = y > 0 || hasTreeAbove;
  const isCorner = x > treeX ? y > 0 || hasTreeAbove : y > 0 ? hasTreeLeft : hasTreeAboveLeft;
  const side = 1 << treeLog2;
  const order = orderOf(x, y);
  let belowLeft = 0;
  const below = y + size;
  if (below < side && below < reach) {
    const isThere = x > treeX ? orderOf(x - 1, below) < order : hasTreeLeft;
    if (isThere) belowLeft = min(size, min(side, reach) - below);
  }
  let aboveRight = 0;
  const right = x + size;
  if (right < width) {
    let isThere: bool;
    if (y > 0) isThere = right < treeX + side && orderOf(right, y - 1) < order;
    else isThere = right < treeX + side ? hasTreeAbove : hasTreeAboveRight;
    if (isThere) aboveRight = min(size, width - right);
  }
  setSurroundings(isLeft, isAbove, isCorner, (belowLeft >> log2) as usize, (aboveRight >> log2) as usize);
}

function orderOf(x: i32, y: i32): i32 {
  return load<u8>(DECODING_ORDER + (((y >> 2) << 4) | (((x - treeX) >> 2) & 15))) as i32;
}
