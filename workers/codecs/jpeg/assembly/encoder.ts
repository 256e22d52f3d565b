/**
 * The inner loops of a baseline JPEG encoder (ITU-T T.81) for 4:2:0, and for gray. They work on one MCU row of pixels or
 * planes at a time, or on one row of blocks of gray, and allocate nothing. jpeg-encoder.ts lays out the memory, and is trusted.
 *
 * This is AssemblyScript. `scripts/assemble.mjs` compiles it.
 */
export { subsampleBoth, subsampleVertically } from "./subsampling";

import { clearBits, countBlock, encodeBlock, flushBits, setTarget, targetEnd } from "./entropy-coding";
import { setReciprocalShifts, transformMcu, transformSamples } from "./mcu";
import { BLOCK_BYTES, BLOCKS, CHROMA_TABLES, CODES, COUNTS } from "./memory-layout";

/** The previous DC coefficients (F.1.1.5.1). */
let lastDcY: i32 = 0;
let lastDcCb: i32 = 0;
let lastDcCr: i32 = 0;

/** Starts to count or to encode an image. The shifts are those of {@link setReciprocalShifts}. */
export function begin(luma: i32, chroma: i32): void {
  setReciprocalShifts(luma, chroma);
  lastDcY = lastDcCb = lastDcCr = 0;
  clearBits();
}

/**
 * Counts the symbols of an MCU row.
 *
 * @param mcuRow pixels of 4 bytes, 16 rows of `stride` bytes; or planes: 16 rows of luma, `stride` bytes each, then 8 rows
 *   of Cb and 8 of Cr, half as long
 */
export function countRow(isPlanes: bool, mcuRow: usize, stride: usize, mcus: usize): void {
  for (let mcu: usize = 0; mcu < mcus; mcu++) {
    transformMcu(isPlanes, mcuRow, stride, mcu);
    for (let block: usize = 0; block < 4; block++)
      lastDcY = countBlock(BLOCKS + block * BLOCK_BYTES, COUNTS, lastDcY);
    lastDcCb = countBlock(BLOCKS + 4 * BLOCK_BYTES, COUNTS + CHROMA_TABLES, lastDcCb);
    lastDcCr = countBlock(BLOCKS + 5 * BLOCK_BYTES, COUNTS + CHROMA_TABLES, lastDcCr);
  }
}

/**
 * Encodes an MCU row, see {@link countRow}.
 *
 * @returns how many bytes it wrote to `target`
 */
export function encodeRow(isPlanes: bool, mcuRow: usize, stride: usize, mcus: usize, target: usize): usize {
  setTarget(target);
  for (let mcu: usize = 0; mcu < mcus; mcu++) {
    transformMcu(isPlanes, mcuRow, stride, mcu);
    for (let block: usize = 0; block < 4; block++)
      lastDcY = encodeBlock(BLOCKS + block * BLOCK_BYTES, CODES, lastDcY);
    lastDcCb = encodeBlock(BLOCKS + 4 * BLOCK_BYTES, CODES + CHROMA_TABLES, lastDcCb);
    lastDcCr = encodeBlock(BLOCKS + 5 * BLOCK_BYTES, CODES + CHROMA_TABLES, lastDcCr);
  }
  return targetEnd() - target;
}

/**
 * Counts the symbols of a row of blocks of gray.
 *
 * @param rows 8 rows of samples, `stride` bytes each
 */
export function countGrayRow(rows: usize, stride: usize, blocks: usize): void {
  for (let block: usize = 0; block < blocks; block++) {
    transformSamples(rows + 8 * block, stride);
    lastDcY = countBlock(BLOCKS, COUNTS, lastDcY);
  }
}

/** Encodes a row of blocks of gray, see {@link countGrayRow}. Returns what {@link encodeRow} returns. */
export function encodeGrayRow(rows: usize, stride: usize, blocks: usize, target: usize): usize {
  setTarget(target);
  for (let block: usize = 0; block < blocks; block++) {
    transformSamples(rows + 8 * block, stride);
    lastDcY = encodeBlock(BLOCKS, CODES, lastDcY);
  }
  return targetEnd() - target;
}

/** Pads the pending bits with ones to a whole byte and writes them (F.1.2.3). */
export function flush(target: usize): usize {
  setTarget(target);
  flushBits();
  return targetEnd() - target;
}
