import { blockIndex, findNeighbors } from "./availability";
import { scanIdxOf } from "./intra-modes";
import { predict } from "./intra-prediction";
import { addResidual } from "./inverse-transform";
import { blockStride, cb, cbQpOffset, cr, crQpOffset, edges, luma, predModes, stride } from "./picture";
import { currentChromaQp, decodeCuQpDelta, qpY } from "./qp";
import { decodeResidualCoding } from "./residual-coding";

/** IntraPredModeC of the current coding unit. */
let chromaPredMode: i32 = 0;

/** Sets IntraPredModeC of the current coding unit. */
export function setChromaPredMode(mode: i32): void {
  chromaPredMode = mode;
}

/**
 * Predicts and reconstructs the blocks of a transform unit (7.3.8.10).
 *
 * @param baseX the position of the parent, whose chroma is decoded with the last of four 4 × 4 luma blocks
 */
export function decodeTransformUnit(
  x: i32,
  y: i32,
  baseX: i32,
  baseY: i32,
  log2: i32,
  blkIdx: i32,
  cbfLuma: bool,
  cbfCb: bool,
  cbfCr: bool,
): void {
  if (cbfLuma || cbfCb || cbfCr) decodeCuQpDelta();
  markEdges(x, y, log2);
  const mode = load<u8>(predModes + blockIndex(x, y)) as i32;
  decodeLuma(x, y, log2, mode, cbfLuma);
  if (log2 > 2) decodeChroma(x, y, log2 - 1, cbfCb, cbfCr);
  else if (blkIdx === 3) decodeChroma(baseX, baseY, 2, cbfCb, cbfCr);
}

function markEdges(x: i32, y: i32, log2: i32): void {
  const blocks = (1 << (log2 - 2)) as usize;
  const at = edges + blockIndex(x, y);
  for (let index: usize = 0; index < blocks; index++) {
    store<u8>(at + index, load<u8>(at + index) | 2);
    const side = at + index * blockStride;
    store<u8>(side, load<u8>(side) | 1);
  }
}

function decodeLuma(x: i32, y: i32, log2: i32, mode: i32, cbf: bool): void {
  const target = luma + (y as usize) * stride + (x as usize);
  findNeighbors(x, y, 1 << log2, 0);
  predict(target, stride, log2 as usize, mode, true);
  if (!cbf) return;
  decodeResidualCoding(log2, log2 < 4 ? scanIdxOf(mode) : 0, 0, qpY);
  addResidual(log2 as usize, target, stride, log2 === 2);
}

function decodeChroma(x: i32, y: i32, log2: i32, cbfCb: bool, cbfCr: bool): void {
  const at = ((y >> 1) as usize) * (stride >> 1) + ((x >> 1) as usize);
  findNeighbors(x, y, 2 << log2, 1);
  const scanIdx = log2 === 2 ? scanIdxOf(chromaPredMode) : 0;
  decodeChromaPlane(cb + at, log2, 1, scanIdx, cbfCb, cbQpOffset);
  decodeChromaPlane(cr + at, log2, 2, scanIdx, cbfCr, crQpOffset);
}

function decodeChromaPlane(target: usize, log2: i32, cIdx: i32, scanIdx: i32, cbf: bool, offset: i32): void {
  const half = stride >> 1;
  predict(target, half, log2 as usize, chromaPredMode, false);
  if (!cbf) return;
  decodeResidualCoding(log2, scanIdx, cIdx, currentChromaQp(offset));
  addResidual(log2 as usize, target, half, false);
}
