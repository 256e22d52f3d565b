/**
 * Decodes HEVC still pictures (ITU-T H.265): intra prediction, 8 bits, 4:2:0, slices without tiles. It trusts the
 * parameters from hevc-decoder.ts, but not the coded data.
 *
 * This is AssemblyScript. `scripts/assemble.mjs` compiles it.
 */

import { setCtb } from "./availability";
import { CONTEXT_BYTES, CONTEXTS, decodeTerminate, initContexts, initDecoding, nextByte } from "./cabac";
import { decodeCodingTree } from "./coding-quadtree";
import { beginDeblocking, deblockRow } from "./deblocking";
import { initTransforms } from "./inverse-transform";
import {
  beginCtbRow,
  ctbColumns,
  ctbLog2,
  ctbRows,
  entropyCodingSync,
  height,
  input,
  layOut,
  output,
  PARAMETERS,
  SCALING_FACTORS,
  sliceAddrs,
} from "./picture";
import { beginSliceQp, resetQp } from "./qp";
import { clearDamage, isDamaged } from "./residual-coding";
import { beginSliceSao, decodeSao, finishRow } from "./sao";
import { initTables } from "./tables";

/** The parameters of a slice, i32 each, in the order of {@link beginSlice}. hevc-decoder.ts writes them. */
const SLICE_PARAMETERS = memory.data(4 * 8, 16);

/** Contexts stored after the second CTU of a row, for entropy coding sync, and after a slice segment (9.3.2). */
const SYNC_CONTEXTS = memory.data(CONTEXT_BYTES);
const SEGMENT_CONTEXTS = memory.data(CONTEXT_BYTES);
let hasSyncContexts: bool = false;
let sliceQp: i32 = 0;

/** The address of the next CTU, and of the first CTU of its slice. */
let ctbAddr: i32 = 0;
let sliceAddr: i32 = 0;

/** Where the caller puts the parameters of a picture. */
export function parametersAt(): usize {
  return PARAMETERS;
}

/** Where the caller puts the parameters of a slice. */
export function sliceParametersAt(): usize {
  return SLICE_PARAMETERS;
}

/** Where the caller puts the scaling factors, if the picture has any. */
export function scalingFactorsAt(): usize {
  return SCALING_FACTORS;
}

/**
 * Starts a picture. The caller has set the parameters.
 *
 * @param inputBytes the length of the longest slice segment
 * @returns where to put coded data
 */
export function beginPicture(inputBytes: usize): usize {
  initTables();
  initTransforms();
  layOut(inputBytes);
  clearDamage();
  ctbAddr = sliceAddr = 0;
  hasSyncContexts = false;
  return input;
}

/** Starts a slice. The caller has set the slice parameters. */
export function beginSlice(): void {
  sliceQp = sliceParameter(0);
  sliceAddr = ctbAddr;
  beginSliceQp(sliceQp, sliceParameter(1), sliceParameter(2));
  beginSliceSao(sliceParameter(3) !== 0, sliceParameter(4) !== 0);
  beginDeblocking(sliceParameter(5) !== 0, sliceParameter(6), sliceParameter(7));
}

function sliceParameter(index: usize): i32 {
  return load<i32>(SLICE_PARAMETERS + 4 * index);
}

/**
 * Decodes a slice segment. A dependent segment restores the CABAC contexts of the previous one (9.3.2).
 *
 * @param length the length of the data that the caller has put into the input
 * @param address of its first CTU, which must be the next one of the picture
 * @returns whether the data are sound
 */
export function decodeSegment(length: usize, address: i32, isDependent: bool): bool {
  if (address !== ctbAddr) return false;
  const end = input + length;
  initDecoding(input);
  if (isDependent) memory.copy(CONTEXTS, SEGMENT_CONTEXTS, CONTEXT_BYTES);
  else initContexts(sliceQp);
  while (ctbAddr < ctbColumns * ctbRows) {
    const column = ctbAddr % ctbColumns;
    if (column === 0) beginRow();
    decodeCtu(column);
    if (isDamaged || nextByte() > end) return false;
    if (entropyCodingSync && (column === 1 || ctbColumns === 1)) {
      memory.copy(SYNC_CONTEXTS, CONTEXTS, CONTEXT_BYTES);
      hasSyncContexts = ctbColumns > 1;
    }
    const isSegmentEnded = decodeTerminate();
    if (nextByte() > end) return false;
    ctbAddr++;
    if (isSegmentEnded) {
      memory.copy(SEGMENT_CONTEXTS, CONTEXTS, CONTEXT_BYTES);
      return true;
    }
    if (entropyCodingSync && ctbAddr % ctbColumns === 0) {
      if (!decodeTerminate()) return false;
      initDecoding(nextByte());
    }
  }
  return false;
}

/**
 * Deblocks the picture.
 *
 * @returns whether all of it is decoded
 */
export function finishPicture(): bool {
  if (ctbAddr !== ctbColumns * ctbRows) return false;
  for (let row = 0; row < ctbRows; row++) {
    beginCtbRow(row);
    deblockRow((min(1 << ctbLog2, height - (row << ctbLog2)) >> 2) as usize, row === 0);
  }
  return true;
}

/**
 * Applies SAO to a CTB row of the finished picture.
 *
 * @returns where its samples are: luma as wide as the picture, then Cb, then Cr
 */
export function outputRow(row: i32): usize {
  beginCtbRow(row);
  finishRow(row);
  return output;
}

function beginRow(): void {
  beginCtbRow(ctbAddr / ctbColumns);
  if (!entropyCodingSync || ctbAddr === sliceAddr) return;
  resetQp(sliceQp);
  // Synchronizes with the second CTU of the row above, if it is in the same slice.
  const above = ctbAddr - ctbColumns + 1;
  if (hasSyncContexts && above >= sliceAddr) memory.copy(CONTEXTS, SYNC_CONTEXTS, CONTEXT_BYTES);
  else initContexts(sliceQp);
}

function decodeCtu(column: i32): void {
  const at = sliceAddrs + 4 * (ctbAddr as usize);
  store<i32>(at, sliceAddr);
  const row = 4 * (ctbColumns as usize);
  const isNotTop = ctbAddr >= ctbColumns;
  const hasLeft = column > 0 && load<i32>(at - 4) === sliceAddr;
  const hasAbove = isNotTop && load<i32>(at - row) === sliceAddr;
  const hasAboveRight = isNotTop && column + 1 < ctbColumns && load<i32>(at - row + 4) === sliceAddr;
  const hasAboveLeft = isNotTop && column > 0 && load<i32>(at - row - 4) === sliceAddr;
  decodeSao(ctbAddr, hasLeft, hasAbove);
  const rowsLeft = height - ((ctbAddr / ctbColumns) << ctbLog2);
  setCtb(column << ctbLog2, rowsLeft, hasLeft, hasAbove, hasAboveRight, hasAboveLeft);
  decodeCodingTree();
}
