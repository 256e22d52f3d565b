/**
 * What takes time in writing a JPEG (ITU-T T.81, baseline, chroma halved both ways), for strips of one row of MCUs: of
 * pixels, or of planes. It keeps no state but the entropy coder's and how values are laid out and rounded, allocates
 * nothing, and trusts its caller for what is in memory: see jpeg-encoder.ts and strips.ts, which lay it out.
 *
 * This is AssemblyScript: `scripts/assemble.mjs` compiles it.
 */
export { layOver, multiply } from "./backdrop";
export { halveBothWays, halveDown } from "./chroma";

import { setOrder } from "./colors";
import { clearBits, countBlock, encodeBlock, flushBits, setTarget, targetEnd } from "./entropy";
import { BLOCK, BLOCKS, CHROMA_TABLES, CODES, COUNTS } from "./layout";
import { setShifts, transform, transformPlanes } from "./transform";

/** The last DC coefficients. */
let lastY: i32 = 0;
let lastCb: i32 = 0;
let lastCr: i32 = 0;

/** Begins an image, an interval between restarts, or either again. */
export function start(luma: i32, chroma: i32, isBlueFirst: bool): void {
  setShifts(luma, chroma);
  setOrder(isBlueFirst);
  lastY = lastCb = lastCr = 0;
  clearBits();
}

/**
 * Counts the symbols of a strip.
 *
 * @param strip its pixels, four bytes each, 16 rows of `stride` bytes
 */
export function count(strip: usize, stride: usize, mcus: i32): void {
  for (let mcu = 0; mcu < mcus; mcu++) {
    transform(strip + 64 * (mcu as usize), stride);
    countBlocks();
  }
}

/**
 * The same of a strip of planes.
 *
 * @param strip 16 rows of `stride` bytes of luma, then 8 rows of half as many of blue, then of red
 */
export function countPlanes(strip: usize, stride: usize, mcus: i32): void {
  for (let mcu = 0; mcu < mcus; mcu++) {
    transformPlanes(strip, stride, mcu);
    countBlocks();
  }
}

/**
 * Encodes a strip, which is as for {@link count}.
 *
 * @param target where to write
 * @returns how many bytes
 */
export function encode(strip: usize, stride: usize, mcus: i32, target: usize): usize {
  setTarget(target);
  for (let mcu = 0; mcu < mcus; mcu++) {
    transform(strip + 64 * (mcu as usize), stride);
    encodeBlocks();
  }
  return targetEnd() - target;
}

/** The same of a strip as for {@link countPlanes}. */
export function encodePlanes(strip: usize, stride: usize, mcus: i32, target: usize): usize {
  setTarget(target);
  for (let mcu = 0; mcu < mcus; mcu++) {
    transformPlanes(strip, stride, mcu);
    encodeBlocks();
  }
  return targetEnd() - target;
}

function countBlocks(): void {
  for (let block: usize = 0; block < 4; block++) lastY = countBlock(BLOCKS + block * BLOCK, COUNTS, lastY);
  lastCb = countBlock(BLOCKS + 4 * BLOCK, COUNTS + CHROMA_TABLES, lastCb);
  lastCr = countBlock(BLOCKS + 5 * BLOCK, COUNTS + CHROMA_TABLES, lastCr);
}

function encodeBlocks(): void {
  for (let block: usize = 0; block < 4; block++) lastY = encodeBlock(BLOCKS + block * BLOCK, CODES, lastY);
  lastCb = encodeBlock(BLOCKS + 4 * BLOCK, CODES + CHROMA_TABLES, lastCb);
  lastCr = encodeBlock(BLOCKS + 5 * BLOCK, CODES + CHROMA_TABLES, lastCr);
}

/** Writes what waits, filled up with ones to whole bytes. */
export function finish(target: usize): usize {
  setTarget(target);
  flushBits();
  return targetEnd() - target;
}
