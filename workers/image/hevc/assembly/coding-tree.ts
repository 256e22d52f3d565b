import {
  CHROMA_CODED,
  CHROMA_MODE,
  decode,
  decodeBits,
  decodeEven,
  LIKELY_MODE,
  LUMA_CODED,
  PART_MODE,
  QUANTISER_CHANGE,
  SPLIT_BLOCK,
  SPLIT_TRANSFORM,
} from "./arithmetic";
import { HORIZONTAL, MEAN, PLANAR, predict, setSurroundings, VERTICAL } from "./intra";
import {
  blue,
  blueAbove,
  depths,
  edges,
  leastBlockLog2,
  leastTransformLog2,
  luma,
  lumaAbove,
  modes,
  mostTransformLog2,
  quantiserBlockLog2,
  quantisers,
  red,
  redAbove,
  stride,
  transformDepth,
  treeLog2,
  unitStride,
  width,
} from "./picture";
import { decodeResidual, tellBroken } from "./residual";
import { fillRun } from "./runs";
import { CHROMA_QUANTISERS, DECODING_ORDER } from "./tables";
import { addResidual } from "./transform";

/** Places are pixels of luma: across from the picture's left, down from the top of the row of coding tree blocks. */

/** What of a picture the coding tree block stands beside, of the same slice. */
let hasTreeLeft: bool = false;
let hasTreeAbove: bool = false;
let hasTreeAboveRight: bool = false;
let hasTreeAboveLeft: bool = false;
/** Where the coding tree block is, and how far the picture reaches down from its top. */
let treeX: i32 = 0;
let reach: i32 = 0;

/** Quantisers: of the block before, what is predicted for the group of blocks, and the present one. */
let last: i32 = 0;
let predicted: i32 = 0;
let current: i32 = 0;
let isChangeTold: bool = true;
/** What picture and slice add to the quantiser of luma for those of chroma. */
let blueChange: i32 = 0;
let redChange: i32 = 0;

/** The intra prediction mode of chroma, of the coding block that is decoded. */
let chromaMode: i32 = 0;
let isParted: bool = false;
let mostDepth: i32 = 0;

/** What a slice says of quantisers. */
export function beginQuantisers(quantiser: i32, blueOffset: i32, redOffset: i32): void {
  restartQuantisers(quantiser);
  isChangeTold = true;
  blueChange = blueOffset;
  redChange = redOffset;
}

/** Begins the prediction of quantisers anew. */
export function restartQuantisers(quantiser: i32): void {
  last = current = quantiser;
}

/** Decodes the blocks of a coding tree block (7.3.8.4 on). */
export function decodeTree(
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
  decodeQuad(x, 0, treeLog2, 0);
}

function unit(x: i32, y: i32): usize {
  return ((y >> 2) as usize) * unitStride + ((x >> 2) as usize);
}

function decodeQuad(x: i32, y: i32, log2: i32, depth: i32): void {
  const size = 1 << log2;
  let isSplit: bool;
  if (x + size <= width && y + size <= reach) {
    isSplit = log2 > leastBlockLog2 && decodeSplit(x, y, depth);
  } else isSplit = log2 > leastBlockLog2;
  if (log2 >= quantiserBlockLog2) beginQuantiserGroup(x, y);
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

/** Predicts the quantiser of a group of blocks (8.6.1). */
function beginQuantiserGroup(x: i32, y: i32): void {
  isChangeTold = false;
  const lower = quantisers + ((1 << (treeLog2 - 2)) as usize) * unitStride + unit(x, y);
  const beside = x > treeX ? (load<u8>(lower - 1) as i32) : last;
  const above = y > 0 ? (load<u8>(lower - unitStride) as i32) : last;
  predicted = current = (beside + above + 1) >> 1;
}

function decodeBlock(x: i32, y: i32, log2: i32, depth: i32): void {
  isParted = log2 === leastBlockLog2 && decode(PART_MODE) === 0;
  const units = (1 << (log2 - 2)) as usize;
  const at = unit(x, y);
  for (let row: usize = 0; row < units; row++) fillRun(depths + at + row * unitStride, depth, units);
  const first = decodeModes(x, y, log2);
  chromaMode = decodeChromaMode(first);
  mostDepth = transformDepth + (isParted ? 1 : 0);
  decodeTransforms(x, y, x, y, log2, 0, 0, 1, 1);
  const lower = quantisers + ((1 << (treeLog2 - 2)) as usize) * unitStride + at;
  for (let row: usize = 0; row < units; row++) fillRun(lower + row * unitStride, current, units);
  last = current;
}

/**
 * Decodes the intra prediction modes of a block's luma (8.4.2).
 *
 * @returns the first
 */
function decodeModes(x: i32, y: i32, log2: i32): i32 {
  const parts = isParted ? 4 : 1;
  const partLog2 = isParted ? log2 - 1 : log2;
  let likely: i32 = 0;
  for (let part = 0; part < parts; part++) likely |= (decode(LIKELY_MODE) as i32) << part;
  let first: i32 = 0;
  for (let part = 0; part < parts; part++) {
    const partX = x + ((part & 1) << partLog2);
    const partY = y + ((part >> 1) << partLog2);
    const at = modes + unit(partX, partY);
    const beside = partX > treeX || hasTreeLeft ? (load<u8>(at - 1) as i32) : MEAN;
    const over = partY > 0 ? (load<u8>(at - unitStride) as i32) : MEAN;
    const mode = decodeMode(beside, over, ((likely >> part) & 1) === 1);
    if (part === 0) first = mode;
    const units = (1 << (partLog2 - 2)) as usize;
    for (let row: usize = 0; row < units; row++) fillRun(at + row * unitStride, mode, units);
  }
  return first;
}

function decodeMode(beside: i32, over: i32, isLikely: bool): i32 {
  let one = beside;
  let two = over;
  let three: i32;
  if (one === two) {
    if (one < 2) {
      one = PLANAR;
      two = MEAN;
      three = VERTICAL;
    } else {
      two = 2 + ((one + 29) & 31);
      three = 2 + ((one - 1) & 31);
    }
  } else if (one !== PLANAR && two !== PLANAR) three = PLANAR;
  else if (one !== MEAN && two !== MEAN) three = MEAN;
  else three = VERTICAL;
  if (isLikely) {
    if (decodeEven() === 0) return one;
    return decodeEven() === 0 ? two : three;
  }
  let mode = decodeBits(5) as i32;
  const least = min(one, min(two, three));
  const most = max(one, max(two, three));
  const middle = one + two + three - least - most;
  if (mode >= least) mode++;
  if (mode >= middle) mode++;
  if (mode >= most) mode++;
  return mode;
}

function decodeChromaMode(ofLuma: i32): i32 {
  if (decode(CHROMA_MODE) === 0) return ofLuma;
  const told = decodeBits(2);
  const mode = told === 0 ? PLANAR : told === 1 ? VERTICAL : told === 2 ? HORIZONTAL : MEAN;
  return mode === ofLuma ? 34 : mode;
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

/** Predicts a block and adds what differs (7.3.8.10). */
function decodeUnit(
  x: i32,
  y: i32,
  baseX: i32,
  baseY: i32,
  log2: i32,
  part: i32,
  hasLuma: bool,
  hasBlue: bool,
  hasRed: bool,
): void {
  if ((hasLuma || hasBlue || hasRed) && !isChangeTold) decodeQuantiserChange();
  markEdges(x, y, log2);
  const mode = load<u8>(modes + unit(x, y)) as i32;
  decodeLuma(x, y, log2, mode, hasLuma);
  if (log2 > 2) decodeChroma(x, y, log2 - 1, hasBlue, hasRed);
  else if (part === 3) decodeChroma(baseX, baseY, 2, hasBlue, hasRed);
}

/** 7.3.8.14 */
function decodeQuantiserChange(): void {
  isChangeTold = true;
  let value: i32 = 0;
  while (value < 5 && decode(QUANTISER_CHANGE + (value === 0 ? 0 : 1)) !== 0) value++;
  if (value === 5) {
    let bits = 0;
    while (bits < 8 && decodeEven() !== 0) value += 1 << bits++;
    value += decodeBits(bits) as i32;
  }
  const change = value !== 0 && decodeEven() !== 0 ? -value : value;
  // A change by more than half of all quantisers would be one the other way round.
  if (change < -26 || change > 25) tellBroken();
  current = (predicted + change + 104) % 52;
}

function markEdges(x: i32, y: i32, log2: i32): void {
  const units = (1 << (log2 - 2)) as usize;
  const at = edges + ((1 << (treeLog2 - 2)) as usize) * unitStride + unit(x, y);
  for (let index: usize = 0; index < units; index++) {
    store<u8>(at + index, load<u8>(at + index) | 2);
    const side = at + index * unitStride;
    store<u8>(side, load<u8>(side) | 1);
  }
}

/**
 * Finds out what around a block is decoded already.
 *
 * @param x of the block of luma that it belongs to
 * @param size of that
 * @param log2 how many values of the block there are for a pixel of luma: 0, or 1 for half of them
 */
function findSurroundings(x: i32, y: i32, size: i32, log2: u32): void {
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

function decodeLuma(x: i32, y: i32, log2: i32, mode: i32, isCoded: bool): void {
  const side = (1 << treeLog2) as usize;
  const target = luma + (side + (y as usize)) * stride + (x as usize);
  const row = y === 0 ? lumaAbove + (x as usize) : target - stride;
  findSurroundings(x, y, 1 << log2, 0);
  predict(target, stride, row, log2 as usize, mode, true);
  if (!isCoded) return;
  decodeResidual(log2, log2 < 4 ? scanOf(mode) : 0, 0, current);
  addResidual(log2 as usize, target, stride, log2 === 2);
}

function decodeChroma(x: i32, y: i32, log2: i32, hasBlue: bool, hasRed: bool): void {
  const half = stride >> 1;
  const side = (1 << (treeLog2 - 1)) as usize;
  const at = (side + ((y >> 1) as usize)) * half + ((x >> 1) as usize);
  findSurroundings(x, y, 2 << log2, 1);
  const scan = log2 === 2 ? scanOf(chromaMode) : 0;
  const column = (x >> 1) as usize;
  decodePlane(blue + at, y === 0 ? blueAbove + column : blue + at - half, log2, 1, scan, hasBlue, blueChange);
  decodePlane(red + at, y === 0 ? redAbove + column : red + at - half, log2, 2, scan, hasRed, redChange);
}

function decodePlane(
  target: usize,
  row: usize,
  log2: i32,
  colour: i32,
  scan: i32,
  isCoded: bool,
  offset: i32,
): void {
  const half = stride >> 1;
  predict(target, half, row, log2 as usize, chromaMode, false);
  if (!isCoded) return;
  decodeResidual(log2, scan, colour, chromaQuantiser(max(0, min(57, current + offset))));
  addResidual(log2 as usize, target, half, false);
}

/** Table 8-10. */
export function chromaQuantiser(ofLuma: i32): i32 {
  if (ofLuma < 30) return ofLuma;
  return ofLuma > 43 ? ofLuma - 6 : (load<u8>(CHROMA_QUANTISERS + ((ofLuma - 30) as usize)) as i32);
}

/** In which order coefficients of a small block come (7.4.9.11). */
function scanOf(mode: i32): i32 {
  if (mode >= 6 && mode <= 14) return 2;
  return mode >= 22 && mode <= 30 ? 1 : 0;
}
