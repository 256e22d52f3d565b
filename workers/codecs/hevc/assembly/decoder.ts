/**
 * Decodes HEVC still pictures (ITU-T H.265): intra prediction, 8 bits, 4:2:0, one slice segment. It trusts the
 * parameters from hevc-decoder.ts, but not the coded data.
 *
 * This is AssemblyScript. `scripts/assemble.mjs` compiles it.
 */

import { setCtb } from "./availability";
import { CONTEXT_BYTES, CONTEXTS, decodeTerminate, initContexts, initDecoding, nextByte } from "./cabac";
import { decodeCodingTree } from "./coding-quadtree";
import { deblockRow } from "./deblocking";
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
  sliceQp,
} from "./picture";
import { resetQp } from "./qp";
import { clearDamage, isDamaged } from "./residual-coding";
import { decodeSao, finishRow } from "./sao";
import { initTables } from "./tables";

/** Contexts stored after the second CTU of a row, for entropy coding sync (9.3.2). */
const SYNC_CONTEXTS = memory.data(CONTEXT_BYTES);

initTables();
initTransforms();

/** Where the caller puts the parameters of a picture. */
export function parametersAt(): usize {
  return PARAMETERS;
}

/** Where the caller puts the scaling factors, if the picture has any. */
export function scalingFactorsAt(): usize {
  return SCALING_FACTORS;
}

/**
 * Starts a picture. The caller has set the parameters.
 *
 * @param inputBytes the length of the coded data
 * @returns where to put them
 */
export function beginPicture(inputBytes: usize): usize {
  layOut(inputBytes);
  clearDamage();
  return input;
}

/**
 * Decodes the picture and deblocks it.
 *
 * @param length the length of the coded data
 * @returns whether they are sound
 */
export function decodePicture(length: usize): bool {
  const end = input + length;
  initDecoding(input);
  initContexts(sliceQp);
  resetQp();
  for (let row = 0; row < ctbRows; row++) {
    beginCtbRow(row);
    for (let column = 0; column < ctbColumns; column++) {
      decodeSao(column, row);
      setCtb(column << ctbLog2, height - (row << ctbLog2), row > 0);
      decodeCodingTree();
      if (isDamaged || nextByte() > end) return false;
      if (column === 1) memory.copy(SYNC_CONTEXTS, CONTEXTS, CONTEXT_BYTES);
      // end_of_slice_segment_flag.
      const isLast = row === ctbRows - 1 && column === ctbColumns - 1;
      if (decodeTerminate() !== isLast || nextByte() > end) return false;
    }
    if (entropyCodingSync && row < ctbRows - 1 && !synchronize()) return false;
  }
  for (let row = 0; row < ctbRows; row++) {
    beginCtbRow(row);
    deblockRow((min(1 << ctbLog2, height - (row << ctbLog2)) >> 2) as usize, row === 0);
  }
  return true;
}

/** Begins the data of the next CTB row. It takes over the contexts after the second CTU of the row before (9.3.2). */
function synchronize(): bool {
  // end_of_subset_one_bit.
  if (!decodeTerminate()) return false;
  initDecoding(nextByte());
  resetQp();
  if (ctbColumns > 1) memory.copy(CONTEXTS, SYNC_CONTEXTS, CONTEXT_BYTES);
  else initContexts(sliceQp);
  return true;
}

/**
 * Applies SAO to a CTB row of the decoded picture.
 *
 * @returns where its samples are: luma as wide as the picture, then Cb, then Cr
 */
export function outputRow(row: i32): usize {
  beginCtbRow(row);
  finishRow(row);
  return output;
}
