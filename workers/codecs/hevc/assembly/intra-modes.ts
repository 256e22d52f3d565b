import { CHROMA_MODE, decode, decodeBits, decodeEven, LIKELY_MODE } from "./arithmetic";
import { HORIZONTAL, MEAN, PLANAR, VERTICAL } from "./intra";
import { modes, unitStride } from "./picture";
import { fillRun } from "./runs";
import { hasTreeLeft, treeX, unit } from "./tree-place";

/**
 * Decodes the intra prediction modes of a block's luma (8.4.2).
 *
 * @returns the first
 */
export function decodeModes(x: i32, y: i32, log2: i32, isParted: bool): i32 {
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

/** Decodes that of a block's chroma (8.4.3). */
export function decodeChromaMode(ofLuma: i32): i32 {
  if (decode(CHROMA_MODE) === 0) return ofLuma;
  const told = decodeBits(2);
  const mode = told === 0 ? PLANAR : told === 1 ? VERTICAL : told === 2 ? HORIZONTAL : MEAN;
  return mode === ofLuma ? 34 : mode;
}

/** In which order coefficients of a small block come (7.4.9.11). */
export function scanOf(mode: i32): i32 {
  if (mode >= 6 && mode <= 14) return 2;
  return mode >= 22 && mode <= 30 ? 1 : 0;
}
