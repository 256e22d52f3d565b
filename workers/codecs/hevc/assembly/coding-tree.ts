import { CHROMA_CODED, decode, LUMA_CODED, PART_MODE, SPLIT_BLOCK, SPLIT_TRANSFORM } from "./arithmetic";
import { decodeUnit, setChromaMode } from "./blocks";
import { decodeChromaMode, decodeModes } from "./intra-modes";
import {
  depths,
  leastBlockLog2,
  leastTransformLog2,
  mostTransformLog2,
  quantizerBlockLog2,
  transformDepth,
  treeLog2,
  unitStride,
  width,
} from "./picture";
import { beginQuantizerGroup, keepQuantizer } from "./quantizing";
import { fillRun } from "./runs";
import { hasTreeAbove, hasTreeLeft, reach, treeX, unit } from "./tree-place";

/** Of the coding block that is decoded: whether it is predicted in four parts, and how often it may be divided. */
let isParted: bool = false;
let mostDepth: i32 = 0;

/** Decodes the blocks of the coding tree block whose place is set (7.3.8.4 on). */
export function decodeTree(): void {
  decodeQuad(treeX, 0, treeLog2, 0);
}

function decodeQuad(x: i32, y: i32, log2: i32, depth: i32): void {
  const size = 1 << log2;
  let isSplit: bool;
  if (x + size <= width && y + size <= reach) {
    isSplit = log2 > leastBlockLog2 && decodeSplit(x, y, depth);
  } else isSplit = log2 > leastBlockLog2;
  if (log2 >= quantizerBlockLog2) beginQuantizerGroup(x, y);
  if (!isSplit) {
    decodeBlock(x, y, log2, depth);
    return;
  }
  const half = size >> 1;
  for (let part = 0; part < 4; part++) {
    const partX = x + (part & 1) * half;
    const partY = y + (part >> 1) * half;
    if (partX < width && partY < reach) decodeQuad(partX, partY, log2 - 1, depth + 1);
  }
}

function decodeSplit(x: i32, y: i32, depth: i32): bool {
  let context: usize = 0;
  const at = depths + unit(x, y);
  if ((x > treeX || hasTreeLeft) && (load<u8>(at - 1) as i32) > depth) context++;
  if ((y > 0 || hasTreeAbove) && (load<u8>(at - unitStride) as i32) > depth) context++;
  return decode(SPLIT_BLOCK + context) !== 0;
}

function decodeBlock(x: i32, y: i32, log2: i32, depth: i32): void {
  isParted = log2 === leastBlockLog2 && decode(PART_MODE) === 0;
  const units = (1 << (log2 - 2)) as usize;
  const at = unit(x, y);
  for (let row: usize = 0; row < units; row++) fillRun(depths + at + row * unitStride, depth, units);
  setChromaMode(decodeChromaMode(decodeModes(x, y, log2, isParted)));
  mostDepth = transformDepth + (isParted ? 1 : 0);
  decodeTransforms(x, y, x, y, log2, 0, 0, 1, 1);
  keepQuantizer(x, y, units);
}

/** Decodes how a block is transformed (7.3.8.8), and its parts. */
function decodeTransforms(
  x: i32,
  y: i32,
  baseX: i32,
  baseY: i32,
  log2: i32,
  depth: i32,
  part: i32,
  mayBlue: u32,
  mayRed: u32,
): void {
  const isForced = isParted && depth === 0;
  let isSplit: bool;
  if (log2 <= mostTransformLog2 && log2 > leastTransformLog2 && depth < mostDepth && !isForced) {
    isSplit = decode(SPLIT_TRANSFORM + ((5 - log2) as usize)) !== 0;
  } else isSplit = log2 > mostTransformLog2 || isForced;
  let hasBlue = mayBlue;
  let hasRed = mayRed;
  if (log2 > 2) {
    if (hasBlue !== 0) hasBlue = decode(CHROMA_CODED + (depth as usize));
    if (hasRed !== 0) hasRed = decode(CHROMA_CODED + (depth as usize));
  }
  if (isSplit) {
    const half = 1 << (log2 - 1);
    decodeTransforms(x, y, x, y, log2 - 1, depth + 1, 0, hasBlue, hasRed);
    decodeTransforms(x + half, y, x, y, log2 - 1, depth + 1, 1, hasBlue, hasRed);
    decodeTransforms(x, y + half, x, y, log2 - 1, depth + 1, 2, hasBlue, hasRed);
    decodeTransforms(x + half, y + half, x, y, log2 - 1, depth + 1, 3, hasBlue, hasRed);
    return;
  }
  const hasLuma = decode(LUMA_CODED + (depth === 0 ? 1 : 0));
  decodeUnit(x, y, baseX, baseY, log2, part, hasLuma !== 0, hasBlue !== 0, hasRed !== 0);
}
