/**
 * What takes time in writing a JPEG (ITU-T T.81, baseline, chroma halved both ways), for pixels in strips of one row of
 * MCUs. It keeps no state but the entropy coder's, allocates nothing, and trusts its caller for what is in memory: see
 * jpeg-encoder.ts, which lays it out.
 *
 * This is AssemblyScript: `scripts/assemble.mjs` compiles it.
 */
import { clearBits, countBlock, encodeBlock, flushBits, setTarget, targetEnd } from "./entropy";
import { BLOCK, BLOCKS, CHROMA_TABLES, CODES, COUNTS } from "./layout";
import { setShifts, transform } from "./transform";

/** The last DC coefficients. */
let lastY: i32 = 0;
let lastCb: i32 = 0;
let lastCr: i32 = 0;

/** Begins an image, or begins it again. */
export function start(luma: i32, chroma: i32): void {
  setShifts(luma, chroma);
  lastY = lastCb = lastCr = 0;
  clearBits();
}

/** Counts the symbols of a strip. */
export function count(strip: usize, stride: usize, mcus: i32): void {
  for (let mcu = 0; mcu < mcus; mcu++) {
    transform(strip + 64 * (mcu as usize), stride);
    for (let block: usize = 0; block < 4; block++) lastY = countBlock(BLOCKS + block * BLOCK, COUNTS, lastY);
    lastCb = countBlock(BLOCKS + 4 * BLOCK, COUNTS + CHROMA_TABLES, lastCb);
    lastCr = countBlock(BLOCKS + 5 * BLOCK, COUNTS + CHROMA_TABLES, lastCr);
  }
}

/**
 * Encodes a strip.
 *
 * @param strip its pixels, RGBA, 16 rows of `stride` bytes
 * @param target where to write
 * @returns how many bytes
 */
export function encode(strip: usize, stride: usize, mcus: i32, target: usize): usize {
  setTarget(target);
  for (let mcu = 0; mcu < mcus; mcu++) {
    transform(strip + 64 * (mcu as usize), stride);
    for (let block: usize = 0; block < 4; block++) lastY = encodeBlock(BLOCKS + block * BLOCK, CODES, lastY);
    lastCb = encodeBlock(BLOCKS + 4 * BLOCK, CODES + CHROMA_TABLES, lastCb);
    lastCr = encodeBlock(BLOCKS + 5 * BLOCK, CODES + CHROMA_TABLES, lastCr);
  }
  return targetEnd() - target;
}

/** Writes what waits, filled up with ones to whole bytes. */
export function finish(target: usize): usize {
  setTarget(target);
  flushBits();
  return targetEnd() - target;
}
