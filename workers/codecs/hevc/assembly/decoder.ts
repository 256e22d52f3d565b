/**
 * Decodes still pictures of HEVC (ITU-T H.265): of intra prediction, 8 bits, chroma halved both ways, in slices without
 * tiles. Row by row of coding tree blocks, of which it holds two. It trusts its caller for the parameters, and nobody
 * for the data: see hevc-decoder.ts.
 *
 * This is AssemblyScript: `scripts/assemble.mjs` compiles it.
 */
import { beginAt, beginContexts, CONTEXT_BYTES, CONTEXTS, decodeEnd, nextByte } from "./arithmetic";
import { decodeTree } from "./coding-tree";
import { beginDeblocking, smoothEdges } from "./deblocking";
import { beginOffsets, decodeOffsets, finishRow } from "./offsets";
import {
  beginsRowsAnew,
  finished,
  height,
  input,
  keepLastRow,
  layOut,
  moveUp,
  PARAMETERS,
  SCALING,
  slices,
  treeColumns,
  treeLog2,
  treeRows,
} from "./picture";
import { beginQuantizers, restartQuantizers } from "./quantizing";
import { clearBroken, isBroken } from "./residual";
import { makeTables } from "./tables";
import { makeTransforms } from "./transform";
import { setTreePlace } from "./tree-place";

/** How a call ends. */
const BROKEN: i32 = 0;
const SEGMENT_ENDED: i32 = 1;
const ROW_FINISHED: i32 = 2;

/** Contexts behind the second coding tree block of a row, and behind a segment. */
const OF_ROW = memory.data(CONTEXT_BYTES);
const OF_SEGMENT = memory.data(CONTEXT_BYTES);
let hasOfRow: bool = false;
let quantizer: i32 = 0;

/** The coding tree block that comes next, and the first of its slice. */
let next: i32 = 0;
let slice: i32 = 0;
let end: usize = 0;
/** Whether the row was decoded, and what follows is to be finished. */
let isRowDecoded: bool = false;
let isSegmentEnded: bool = false;
/** The row of coding tree blocks that is handed out next. */
let finishing: i32 = 0;

export function parametersAt(): usize {
  return PARAMETERS;
}

export function scalingAt(): usize {
  return SCALING;
}

/**
 * Begins a picture, whose parameters are there.
 *
 * @returns where coded data go
 */
export function beginPicture(inputBytes: usize): usize {
  makeTables();
  makeTransforms();
  layOut(inputBytes);
  clearBroken();
  next = slice = finishing = 0;
  isRowDecoded = isSegmentEnded = hasOfRow = false;
  return input;
}

/** Where rows are taken, once they are finished: luma as wide as the picture, then blue, then red. */
export function finishedAt(): usize {
  return finished;
}

/** What a slice says. */
export function beginSlice(
  ofQuantizer: i32,
  blueOffset: i32,
  redOffset: i32,
  offsetsOfLuma: bool,
  offsetsOfChroma: bool,
  isNotSmoothed: bool,
  beta: i32,
  limit: i32,
): void {
  quantizer = ofQuantizer;
  slice = next;
  beginQuantizers(quantizer, blueOffset, redOffset);
  beginOffsets(offsetsOfLuma, offsetsOfChroma);
  beginDeblocking(isNotSmoothed, beta, limit);
}

/** Begins a segment, of a slice that has begun: one that goes on takes over what the one before has learned. */
export function beginSegment(length: usize, address: i32, goesOn: bool): bool {
  if (address !== next || isRowDecoded) return false;
  end = input + length;
  isSegmentEnded = false;
  beginAt(input);
  if (goesOn) memory.copy(CONTEXTS, OF_SEGMENT, CONTEXT_BYTES);
  else beginContexts(quantizer);
  return true;
}

/** Decodes on, up to the end of a row or of the segment. */
export function decodeOn(): i32 {
  if (isRowDecoded) return finish();
  while (!isSegmentEnded) {
    if (next >= treeColumns * treeRows) return BROKEN;
    const column = next % treeColumns;
    if (column === 0) beginRow();
    decodeNext(column);
    if (isBroken || nextByte() > end) return BROKEN;
    if (beginsRowsAnew && (column === 1 || treeColumns === 1)) {
      memory.copy(OF_ROW, CONTEXTS, CONTEXT_BYTES);
      hasOfRow = treeColumns > 1;
    }
    isSegmentEnded = decodeEnd();
    if (nextByte() > end) return BROKEN;
    next++;
    if (isSegmentEnded) memory.copy(OF_SEGMENT, CONTEXTS, CONTEXT_BYTES);
    if (next % treeColumns !== 0) continue;
    if (!isSegmentEnded && beginsRowsAnew) {
      if (!decodeEnd()) return BROKEN;
      beginAt(nextByte());
    }
    isRowDecoded = true;
    return finish();
  }
  return SEGMENT_ENDED;
}

/** How many rows of pixels are finished in all, of those of luma. */
export function rowsFinished(): i32 {
  return min(finishing << treeLog2, height);
}

/** Whether all is decoded and was taken. */
export function isComplete(): bool {
  return finishing === treeRows;
}

/** Smooths what was decoded, and finishes the row above, or the last of all. */
function finish(): i32 {
  const row = next / treeColumns - 1;
  if (finishing < row) {
    // The row above has waited for this one.
    keepLastRow();
    smoothEdges(unitsOf(row), false);
    finishRow(finishing << treeLog2);
    finishing++;
    moveUp();
    isRowDecoded = row === treeRows - 1;
    return ROW_FINISHED;
  }
  if (row === 0) {
    keepLastRow();
    smoothEdges(unitsOf(row), true);
    moveUp();
    if (treeRows > 1) {
      isRowDecoded = false;
      return isSegmentEnded ? SEGMENT_ENDED : decodeOn();
    }
  }
  finishRow(finishing << treeLog2);
  finishing++;
  isRowDecoded = false;
  return ROW_FINISHED;
}

function unitsOf(row: i32): usize {
  return (min(1 << treeLog2, height - (row << treeLog2)) >> 2) as usize;
}

function beginRow(): void {
  if (!beginsRowsAnew || next === slice) return;
  restartQuantizers(quantizer);
  // What the second block of the row above has left, where that is of the same slice.
  const above = next - treeColumns + 1;
  if (hasOfRow && above >= slice) memory.copy(CONTEXTS, OF_ROW, CONTEXT_BYTES);
  else beginContexts(quantizer);
}

function decodeNext(column: i32): void {
  const at = slices + 4 * (next as usize);
  store<i32>(at, slice);
  const row = 4 * (treeColumns as usize);
  const isNotTop = next >= treeColumns;
  const hasLeft = column > 0 && load<i32>(at - 4) === slice;
  const hasAbove = isNotTop && load<i32>(at - row) === slice;
  const hasAboveRight = isNotTop && column + 1 < treeColumns && load<i32>(at - row + 4) === slice;
  const hasAboveLeft = isNotTop && column > 0 && load<i32>(at - row - 4) === slice;
  decodeOffsets(column as usize, hasLeft, hasAbove);
  const rowsLeft = height - ((next / treeColumns) << treeLog2);
  setTreePlace(column << treeLog2, rowsLeft, hasLeft, hasAbove, hasAboveRight, hasAboveLeft);
  decodeTree();
}
