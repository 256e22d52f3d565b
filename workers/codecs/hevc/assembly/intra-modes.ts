import { blockIndex } from "./availability";
import {
  decodeBin,
  decodeBypass,
  decodeBypassBits,
  INTRA_CHROMA_PRED_MODE,
  PREV_INTRA_LUMA_PRED_FLAG,
} from "./cabac";
import { DC, HORIZONTAL, PLANAR, VERTICAL } from "./intra-prediction";
import { blockStride, predModes } from "./picture";
import { fillRun } from "./runs";

/**
 * Decodes IntraPredModeY of a coding unit (8.4.2).
 *
 * @returns the mode of the first part
 */
export function decodeLumaModes(x: i32, y: i32, log2: i32, isPartNxN: bool): i32 {
  const parts = isPartNxN ? 4 : 1;
  const partLog2 = isPartNxN ? log2 - 1 : log2;
  let mostProbable: i32 = 0;
  for (let part = 0; part < parts; part++)
    mostProbable |= (decodeBin(PREV_INTRA_LUMA_PRED_FLAG) as i32) << part;
  let first: i32 = 0;
  for (let part = 0; part < parts; part++) {
    const partX = x + ((part & 1) << partLog2);
    const partY = y + ((part >> 1) << partLog2);
    const at = predModes + blockIndex(partX, partY);
    const candA = partX > 0 ? (load<u8>(at - 1) as i32) : DC;
    const candB = partY > 0 ? (load<u8>(at - blockStride) as i32) : DC;
    const mode = decodeMode(candA, candB, ((mostProbable >> part) & 1) === 1);
    if (part === 0) first = mode;
    const blocks = (1 << (partLog2 - 2)) as usize;
    for (let row: usize = 0; row < blocks; row++) fillRun(at + row * blockStride, mode, blocks);
  }
  return first;
}

function decodeMode(candA: i32, candB: i32, isMostProbable: bool): i32 {
  let candModeA = candA;
  let candModeB = candB;
  let candModeC: i32;
  if (candModeA === candModeB) {
    if (candModeA < 2) {
      candModeA = PLANAR;
      candModeB = DC;
      candModeC = VERTICAL;
    } else {
      candModeB = 2 + ((candModeA + 29) & 31);
      candModeC = 2 + ((candModeA - 1) & 31);
    }
  } else if (candModeA !== PLANAR && candModeB !== PLANAR) candModeC = PLANAR;
  else if (candModeA !== DC && candModeB !== DC) candModeC = DC;
  else candModeC = VERTICAL;
  if (isMostProbable) {
    if (decodeBypass() === 0) return candModeA;
    return decodeBypass() === 0 ? candModeB : candModeC;
  }
  let mode = decodeBypassBits(5) as i32;
  const least = min(candModeA, min(candModeB, candModeC));
  const most = max(candModeA, max(candModeB, candModeC));
  const middle = candModeA + candModeB + candModeC - least - most;
  if (mode >= least) mode++;
  if (mode >= middle) mode++;
  if (mode >= most) mode++;
  return mode;
}

/** Decodes IntraPredModeC (8.4.3). */
export function decodeChromaMode(ofLuma: i32): i32 {
  if (decodeBin(INTRA_CHROMA_PRED_MODE) === 0) return ofLuma;
  const syntax = decodeBypassBits(2);
  const mode = syntax === 0 ? PLANAR : syntax === 1 ? VERTICAL : syntax === 2 ? HORIZONTAL : DC;
  return mode === ofLuma ? 34 : mode;
}

/** Returns scanIdx for a small block of this mode (7.4.9.11): 0 diagonal, 1 horizontal, 2 vertical. */
export function scanIdxOf(mode: i32): i32 {
  if (mode >= 6 && mode <= 14) return 2;
  return mode >= 22 && mode <= 30 ? 1 : 0;
}
