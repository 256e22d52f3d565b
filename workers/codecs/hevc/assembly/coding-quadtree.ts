import { blockIndex, ctbX, hasAboveCtb, picBottom } from "./availability";
import { CBF_CHROMA, CBF_LUMA, decodeBin, PART_MODE, SPLIT_CU_FLAG, SPLIT_TRANSFORM_FLAG } from "./cabac";
import { decodeChromaMode, decodeLumaModes } from "./intra-modes";
import {
  blockStride,
  ctbLog2,
  ctDepths,
  maxTbLog2,
  maxTransformHierarchyDepth,
  minCbLog2,
  minCuQpDeltaLog2,
  minTbLog2,
  width,
} from "./picture";
import { beginQuantizationGroup, storeQp } from "./qp";
import { fillRun } from "./runs";
import { decodeTransformUnit, setChromaPredMode } from "./transform-unit";

/** PartMode === PART_NxN and MaxTrafoDepth of the current coding unit. */
let isPartNxN: bool = false;
let maxTransformDepth: i32 = 0;

/** Decodes the coding quadtree of the current CTU (7.3.8.4). */
export function decodeCodingTree(): void {
  decodeCodingQuadtree(ctbX, 0, ctbLog2, 0);
}

function decodeCodingQuadtree(x: i32, y: i32, log2: i32, depth: i32): void {
  const size = 1 << log2;
  let isSplit: bool;
  if (x + size <= width && y + size <= picBottom) {
    isSplit = log2 > minCbLog2 && decodeSplitCuFlag(x, y, depth);
  } else isSplit = log2 > minCbLog2;
  if (log2 >= minCuQpDeltaLog2) beginQuantizationGroup(x, y);
  if (!isSplit) {
    decodeCodingUnit(x, y, log2, depth);
    return;
  }
  const half = size >> 1;
  for (let blkIdx = 0; blkIdx < 4; blkIdx++) {
    const partX = x + (blkIdx & 1) * half;
    const partY = y + (blkIdx >> 1) * half;
    if (partX < width && partY < picBottom) decodeCodingQuadtree(partX, partY, log2 - 1, depth + 1);
  }
}

function decodeSplitCuFlag(x: i32, y: i32, depth: i32): bool {
  let context: usize = 0;
  const at = ctDepths + blockIndex(x, y);
  if (x > 0 && (load<u8>(at - 1) as i32) > depth) context++;
  if ((y > 0 || hasAboveCtb) && (load<u8>(at - blockStride) as i32) > depth) context++;
  return decodeBin(SPLIT_CU_FLAG + context) !== 0;
}

function decodeCodingUnit(x: i32, y: i32, log2: i32, depth: i32): void {
  isPartNxN = log2 === minCbLog2 && decodeBin(PART_MODE) === 0;
  const blocks = (1 << (log2 - 2)) as usize;
  const at = blockIndex(x, y);
  for (let row: usize = 0; row < blocks; row++) fillRun(ctDepths + at + row * blockStride, depth, blocks);
  setChromaPredMode(decodeChromaMode(decodeLumaModes(x, y, log2, isPartNxN)));
  maxTransformDepth = maxTransformHierarchyDepth + (isPartNxN ? 1 : 0);
  decodeTransformTree(x, y, x, y, log2, 0, 0, 1, 1);
  storeQp(x, y, blocks);
}

/** Decodes a transform tree (7.3.8.8). */
function decodeTransformTree(
  x: i32,
  y: i32,
  baseX: i32,
  baseY: i32,
  log2: i32,
  depth: i32,
  blkIdx: i32,
  parentCbfCb: u32,
  parentCbfCr: u32,
): void {
  const isForced = isPartNxN && depth === 0;
  let isSplit: bool;
  if (log2 <= maxTbLog2 && log2 > minTbLog2 && depth < maxTransformDepth && !isForced) {
    isSplit = decodeBin(SPLIT_TRANSFORM_FLAG + ((5 - log2) as usize)) !== 0;
  } else isSplit = log2 > maxTbLog2 || isForced;
  let cbfCb = parentCbfCb;
  let cbfCr = parentCbfCr;
  if (log2 > 2) {
    if (cbfCb !== 0) cbfCb = decodeBin(CBF_CHROMA + (depth as usize));
    if (cbfCr !== 0) cbfCr = decodeBin(CBF_CHROMA + (depth as usize));
  }
  if (isSplit) {
    const half = 1 << (log2 - 1);
    decodeTransformTree(x, y, x, y, log2 - 1, depth + 1, 0, cbfCb, cbfCr);
    decodeTransformTree(x + half, y, x, y, log2 - 1, depth + 1, 1, cbfCb, cbfCr);
    decodeTransformTree(x, y + half, x, y, log2 - 1, depth + 1, 2, cbfCb, cbfCr);
    decodeTransformTree(x + half, y + half, x, y, log2 - 1, depth + 1, 3, cbfCb, cbfCr);
    return;
  }
  const cbfLuma = decodeBin(CBF_LUMA + (depth === 0 ? 1 : 0));
  decodeTransformUnit(x, y, baseX, baseY, log2, blkIdx, cbfLuma !== 0, cbfCb !== 0, cbfCr !== 0);
}
