/**
 * Decodes HEVC still pictures (ITU-T H.265): intra prediction, 8 bits, 4:2:0, slices without tiles. It decodes one
 * CTB row at a time and holds two. It trusts the parameters from hevc-decoder.ts, but not the coded data.
 *
 * This is AssemblyScript. `scripts/assemble.mjs` compiles it.
 */

import { setCtb } from "./availability";
import { CONTEXT_BYTES, CONTEXTS, decodeTerminate, initContexts, initDecoding, nextByte } from "./cabac";
import { decodeCodingTree } from "./coding-quadtree";
import { beginDeblocking, deblockRow } from "./deblocking";
import { initTransforms } from "./inverse-transform";
import {
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
  saveLastRow,
  shiftWindow,
  sliceAddrs,
} from "./picture";
import { beginSliceQp, resetQp } from "./qp";
import { clearDamage, isDamaged } from "./residual-coding";
import { beginSliceSao, decodeSao, finishRow } from "./sao";
import { initTables } from "./tables";

/** How {@link decodeRow} ends. hevc-decoder.ts has the same numbers. */
const DAMAGED: i32 = 0;
const SEGMENT_ENDED: i32 = 1;
const ROW_READY: i32 = 2;

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
let inputEnd: usize = 0;
/** Whether a decoded row still has to be finished. */
let isRowPending: bool = false;
let isSegmentEnded: bool = false;
/** The CTB row that is output next. */
let outputRow: i32 = 0;

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
  ctbAddr = sliceAddr = outputRow = 0;
  isRowPending = isSegmentEnded = hasSyncContexts = false;
  return input;
}

/** Where finished rows are: luma as wide as the picture, then Cb, then Cr. */
export function outputAt(): usize {
  return output;
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
 * Starts a slice segment. A dependent segment restores the CABAC contexts of the previous one (9.3.2).
 *
 * @returns whether the segment starts at the next CTU
 */
export function beginSegment(length: usize, address: i32, isDependent: bool): bool {
  if (address !== ctbAddr || isRowPending) return false;
  inputEnd = input + length;
  isSegmentEnded = false;
  initDecoding(input);
  if (isDependent) memory.copy(CONTEXTS, SEGMENT_CONTEXTS, CONTEXT_BYTES);
  else initContexts(sliceQp);
  return true;
}

/** Decodes to the end of a CTB row or of the slice segment. */
export function decodeRow(): i32 {
  if (isRowPending) return finishRowAbove();
  while (!isSegmentEnded) {
    if (ctbAddr >= ctbColumns * ctbRows) return DAMAGED;
    const column = ctbAddr % ctbColumns;
    if (column === 0) beginRow();
    decodeCtu(column);
    if (isDamaged || nextByte() > inputEnd) return DAMAGED;
    if (entropyCodingSync && (column === 1 || ctbColumns === 1)) {
      memory.copy(SYNC_CONTEXTS, CONTEXTS, CONTEXT_BYTES);
      hasSyncContexts = ctbColumns > 1;
    }
    isSegmentEnded = decodeTerminate();
    if (nextByte() > inputEnd) return DAMAGED;
    ctbAddr++;
    if (isSegmentEnded) memory.copy(SEGMENT_CONTEXTS, CONTEXTS, CONTEXT_BYTES);
    if (ctbAddr % ctbColumns !== 0) continue;
    if (!isSegmentEnded && entropyCodingSync) {
      if (!decodeTerminate()) return DAMAGED;
      initDecoding(nextByte());
    }
    isRowPending = true;
    return finishRowAbove();
  }
  return SEGMENT_ENDED;
}

/** How many luma rows of the picture are finished. */
export function rowsDone(): i32 {
  return min(outputRow << ctbLog2, height);
}

/** Whether all rows are decoded and finished. */
export function isComplete(): bool {
  return outputRow === ctbRows;
}

/** Deblocks the decoded row, then finishes the row above, or both at the bottom of the picture. */
function finishRowAbove(): i32 {
  const row = ctbAddr / ctbColumns - 1;
  if (outputRow < row) {
    // SAO of the row above needed the deblocked samples of this row.
    saveLastRow();
    deblockRow(blockRowsOf(row), false);
    finishRow(outputRow << ctbLog2);
    outputRow++;
    shiftWindow();
    isRowPending = row === ctbRows - 1;
    return ROW_READY;
  }
  if (row === 0) {
    saveLastRow();
    deblockRow(blockRowsOf(row), true);
    shiftWindow();
    if (ctbRows > 1) {
      isRowPending = false;
      return isSegmentEnded ? SEGMENT_ENDED : decodeRow();
    }
  }
  finishRow(outputRow << ctbLog2);
  outputRow++;
  isRowPending = false;
  return ROW_READY;
}

function blockRowsOf(row: i32): usize {
  return (min(1 << ctbLog2, height - (row << ctbLog2)) >> 2) as usize;
}

function beginRow(): void {
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
  decodeSao(column as usize, hasLeft, hasAbove);
  const rowsLeft = height - ((ctbAddr / ctbColumns) << ctbLog2);
  setCtb(column << ctbLog2, rowsLeft, hasLeft, hasAbove, hasAboveRight, hasAboveLeft);
  decodeCodingTree();
}
