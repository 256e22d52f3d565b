import { predict } from "./intra";
import { scanOf } from "./intra-modes";
import {
  blue,
  blueAbove,
  edges,
  luma,
  lumaAbove,
  modes,
  red,
  redAbove,
  stride,
  treeLog2,
  unitStride,
} from "./picture";
import { blueChange, current, currentOfChroma, decodeQuantizer, redChange } from "./quantizing";
import { decodeResidual } from "./residual";
import { addResidual } from "./transform";
import { findSurroundings, lowerUnits, unit } from "./tree-place";

/** The intra prediction mode of chroma, of the coding block that is decoded. */
let chromaMode: i32 = 0;

export function setChromaMode(mode: i32): void {
  chromaMode = mode;
}

/** Predicts a block and adds what differs (7.3.8.10). */
export function decodeUnit(
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
  if (hasLuma || hasBlue || hasRed) decodeQuantizer();
  markEdges(x, y, log2);
  const mode = load<u8>(modes + unit(x, y)) as i32;
  decodeLuma(x, y, log2, mode, hasLuma);
  if (log2 > 2) decodeChroma(x, y, log2 - 1, hasBlue, hasRed);
  else if (part === 3) decodeChroma(baseX, baseY, 2, hasBlue, hasRed);
}

function markEdges(x: i32, y: i32, log2: i32): void {
  const units = (1 << (log2 - 2)) as usize;
  const at = edges + lowerUnits() + unit(x, y);
  for (let index: usize = 0; index < units; index++) {
    store<u8>(at + index, load<u8>(at + index) | 2);
    const side = at + index * unitStride;
    store<u8>(side, load<u8>(side) | 1);
  }
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
  color: i32,
  scan: i32,
  isCoded: bool,
  offset: i32,
): void {
  const half = stride >> 1;
  predict(target, half, row, log2 as usize, chromaMode, false);
  if (!isCoded) return;
  decodeResidual(log2, scan, color, currentOfChroma(offset));
  addResidual(log2 as usize, target, half, false);
}
