import {
  CODED_SUB_BLOCK_FLAG,
  COEFF_ABS_LEVEL_GREATER1_FLAG,
  COEFF_ABS_LEVEL_GREATER2_FLAG,
  decodeBin,
  decodeBypass,
  decodeBypassBits,
  decodeGreater1Flags,
  decodeSigCoeffFlags,
  greater1Ctx,
  LAST_SIG_COEFF_X_PREFIX,
  LAST_SIG_COEFF_Y_PREFIX,
  PEEKED_BITS,
  peekBypass,
  SIG_COEFF_FLAG,
  skipBypass,
  TRANSFORM_SKIP_FLAG,
} from "./cabac";
import { SCALING_FACTORS, scalingListEnabled, signDataHiding, transformSkipEnabled } from "./picture";
import { LEVEL_SCALE, SCAN_BYTES, SCAN_TYPE_BYTES, SCANS, SIG_CTX, SIG_CTX_4X4 } from "./tables";

/** The coefficients of the current block, i16 each, row by row. All are zero between blocks. */
export const COEFFICIENTS = memory.data(2 * 32 * 32, 16);
/** coded_sub_block_flag of 8 × 8 sub-blocks, and of one more at the right and below. */
const CODED_SUB_BLOCKS = memory.data(9 * 16);
/** The scan positions of the significant coefficients of a sub-block, from the last one on. */
const POSITIONS = memory.data(16);

/** One more than the largest x and y position of a coefficient. */
export let codedColumns: i32 = 0;
export let codedRows: i32 = 0;
export let transformSkipFlag: bool = false;
/** Whether the data is damaged. */
export let isDamaged: bool = false;

/** Forgets the damage of the previous picture. */
export function clearDamage(): void {
  isDamaged = false;
}

/** Makes decoding of the picture end. */
export function markDamaged(): void {
  isDamaged = true;
}

/**
 * Decodes residual_coding() (ITU-T H.265, 7.3.8.11) and scales the coefficients (8.6.4.2).
 *
 * @param scanIdx 0 diagonal, 1 horizontal, 2 vertical
 * @param cIdx 0 luma, 1 Cb, 2 Cr
 */
export function decodeResidualCoding(log2: i32, scanIdx: i32, cIdx: i32, qp: i32): void {
  const isLuma = cIdx === 0;
  transformSkipFlag =
    transformSkipEnabled && log2 === 2 && decodeBin(TRANSFORM_SKIP_FLAG + (isLuma ? 0 : 1)) === 1;
  let lastX = decodeLastPrefix(LAST_SIG_COEFF_X_PREFIX, log2, isLuma);
  let lastY = decodeLastPrefix(LAST_SIG_COEFF_Y_PREFIX, log2, isLuma);
  lastX = withSuffix(lastX);
  lastY = withSuffix(lastY);
  if (scanIdx === 2) {
    const x = lastX;
    lastX = lastY;
    lastY = x;
  }
  codedColumns = codedRows = 0;
  const subBlocksLog2 = log2 - 2;
  const scans = SCANS + (scanIdx as usize) * SCAN_TYPE_BYTES;
  const subBlockScan = scans + ((subBlocksLog2 - 1) as usize) * SCAN_BYTES;
  const scanInSubBlock = scans + SCAN_BYTES;
  let subBlock = subBlocksLog2 === 0 ? 0 : indexOf(subBlockScan, lastX >> 2, lastY >> 2);
  const lastSubBlock = subBlock;
  const lastPosition = indexOf(scanInSubBlock, lastX & 3, lastY & 3);
  for (let y: usize = 0; y <= 1 << (subBlocksLog2 as usize); y++) store<u64>(CODED_SUB_BLOCKS + 16 * y, 0);

  const sigContexts = isLuma ? SIG_COEFF_FLAG : SIG_COEFF_FLAG + 27;
  const greater1Contexts = isLuma ? COEFF_ABS_LEVEL_GREATER1_FLAG : COEFF_ABS_LEVEL_GREATER1_FLAG + 16;
  const shift = log2 + 3;
  const scale = (load<u8>(LEVEL_SCALE + ((qp % 6) as usize)) as i32) << (qp / 6);
  const factors = scalingListEnabled ? scalingFactorsOf(log2, cIdx) : 0;
  for (; subBlock >= 0; subBlock--) {
    const subBlockPosition = subBlocksLog2 === 0 ? 0 : (load<u8>(subBlockScan + (subBlock as usize)) as i32);
    const subBlockX = subBlockPosition & 15;
    const subBlockY = subBlockPosition >> 4;
    const flag = CODED_SUB_BLOCKS + 16 * (subBlockY as usize) + (subBlockX as usize);
    const csbf = (load<u8>(flag + 1) | (load<u8>(flag + 16) << 1)) as usize;
    let inferSbDcSig = false;
    if (subBlock < lastSubBlock && subBlock > 0) {
      const context = CODED_SUB_BLOCK_FLAG + (csbf !== 0 ? 1 : 0) + (isLuma ? 0 : 2);
      if (decodeBin(context) === 0) continue;
      inferSbDcSig = true;
    }
    store<u8>(flag, 1);

    // Significance.
    let contexts: usize;
    let base = sigContexts;
    if (log2 === 2) contexts = SIG_CTX_4X4 + 16 * (scanIdx as usize);
    else {
      contexts = SIG_CTX + 64 * (scanIdx as usize) + 16 * csbf;
      if (isLuma) base += (subBlock > 0 ? 3 : 0) + (log2 === 3 ? (scanIdx === 0 ? 9 : 15) : 21);
      else base += log2 === 3 ? 9 : 12;
    }
    let count: usize = 0;
    let position = 15;
    if (subBlock === lastSubBlock) {
      store<u8>(POSITIONS, lastPosition as u8);
      count = 1;
      position = lastPosition - 1;
    }
    count += decodeSigCoeffFlags(base, contexts, position, POSITIONS + count);
    if (position >= 0) {
      if (inferSbDcSig && count === 0) store<u8>(POSITIONS + count++, 0);
      else {
        // The DC coefficient has a context of its own.
        const first = log2 === 2 || subBlock > 0 ? base + load<u8>(contexts) : sigContexts;
        if (decodeBin(first) !== 0) store<u8>(POSITIONS + count++, 0);
      }
    }
    if (count === 0) continue;

    // Levels.
    let ctxSet: usize = subBlock === 0 || !isLuma ? 0 : 2;
    if (subBlock !== lastSubBlock && greater1Ctx === 0) ctxSet++;
    const greater1 = decodeGreater1Flags(greater1Contexts + 4 * ctxSet, min<usize>(count, 8));
    const firstGreater1: i32 = greater1 === 0 ? -1 : (ctz<u32>(greater1) as i32);
    let greater2: u32 = 0;
    if (firstGreater1 >= 0)
      greater2 = decodeBin(
        (isLuma ? COEFF_ABS_LEVEL_GREATER2_FLAG : COEFF_ABS_LEVEL_GREATER2_FLAG + 4) + ctxSet,
      );
    const lastSigScanPos = load<u8>(POSITIONS) as i32;
    const firstSigScanPos = load<u8>(POSITIONS + count - 1) as i32;
    const signHidden = signDataHiding && lastSigScanPos - firstSigScanPos > 3;
    const signCount = (count as i32) - (signHidden ? 1 : 0);
    let signs = (decodeBypassBits(signCount) << (16 - signCount)) << 16;

    let sum: i32 = 0;
    let riceParam: i32 = 0;
    for (let index: usize = 0; index < count; index++) {
      const isFirstGreater1 = (index as i32) === firstGreater1;
      let level: i32 = 1;
      if (index < 8) level += ((greater1 >> (index as u32)) & 1) as i32;
      if (isFirstGreater1) level += greater2 as i32;
      if (level === (index >= 8 ? 1 : isFirstGreater1 ? 3 : 2)) {
        level += decodeAbsLevelRemaining(riceParam);
        if (level > 3 << riceParam && riceParam < 4) riceParam++;
      }
      sum += level;
      if ((signs as i32) < 0) level = -level;
      signs <<= 1;
      if (signHidden && index === count - 1 && (sum & 1) === 1) level = -level;
      const inSubBlock = load<u8>(scanInSubBlock + load<u8>(POSITIONS + index)) as i32;
      const x = 4 * subBlockX + (inSubBlock & 15);
      const y = 4 * subBlockY + (inSubBlock >> 4);
      const at = (y << log2) + x;
      const factor = scalingListEnabled ? (load<u8>(factors + (at as usize)) as i32) : 16;
      const scaled =
        ((level as i64) * ((factor * scale) as i64) + (1 << ((shift - 1) as i64))) >> (shift as i64);
      store<i16>(COEFFICIENTS + 2 * (at as usize), max<i64>(-32768, min<i64>(32767, scaled)) as i16);
      codedColumns = max(codedColumns, x + 1);
      codedRows = max(codedRows, y + 1);
    }
  }
}

/** Decodes last_sig_coeff_x_prefix or last_sig_coeff_y_prefix (9.3.4.2.3). */
function decodeLastPrefix(contexts: usize, log2: i32, isLuma: bool): i32 {
  const first = isLuma ? 3 * (log2 - 2) + ((log2 - 1) >> 2) : 15;
  const shift = isLuma ? (log2 + 1) >> 2 : log2 - 2;
  const maxPrefix = 2 * log2 - 1;
  let prefix = 0;
  while (prefix < maxPrefix && decodeBin(contexts + ((first + (prefix >> shift)) as usize)) !== 0) prefix++;
  return prefix;
}

/** Adds last_sig_coeff_x_suffix or last_sig_coeff_y_suffix (7.4.9.11). */
function withSuffix(prefix: i32): i32 {
  if (prefix < 4) return prefix;
  const bits = (prefix >> 1) - 1;
  return ((2 + (prefix & 1)) << bits) + (decodeBypassBits(bits) as i32);
}

function indexOf(scan: usize, x: i32, y: i32): i32 {
  const wanted = ((y << 4) | x) as u8;
  let index: usize = 0;
  while (index < 63 && load<u8>(scan + index) !== wanted) index++;
  return index as i32;
}

/** Decodes coeff_abs_level_remaining (9.3.3.11). */
function decodeAbsLevelRemaining(riceParam: i32): i32 {
  // Fast path: nearly always the whole value is in the peeked bins.
  const peeked = peekBypass();
  const ones = clz<u32>(~(peeked << (32 - PEEKED_BITS))) as i32;
  const suffixBits = ones < 4 ? riceParam : ones - 3 + riceParam;
  const length = ones + 1 + suffixBits;
  if (length <= PEEKED_BITS) {
    skipBypass(peeked, length);
    const suffix = (peeked >> (PEEKED_BITS - length)) & ((1 << suffixBits) - 1);
    return ((ones < 4 ? ones : (1 << (ones - 3)) + 2) << riceParam) + (suffix as i32);
  }
  let prefix = 0;
  while (prefix < 32 && decodeBypass() !== 0) prefix++;
  if (prefix < 4) return (prefix << riceParam) + (riceParam > 0 ? (decodeBypassBits(riceParam) as i32) : 0);
  const bits = prefix - 3 + riceParam;
  if (bits > 16) {
    isDamaged = true;
    return 0;
  }
  return (((1 << (prefix - 3)) + 2) << riceParam) + (decodeBypassBits(bits) as i32);
}

/** Returns the address of the scaling factors of a block. */
function scalingFactorsOf(log2: i32, cIdx: i32): usize {
  const before: usize = log2 === 2 ? 0 : log2 === 3 ? 48 : log2 === 4 ? 240 : 1008;
  return SCALING_FACTORS + before + ((cIdx as usize) << (2 * log2));
}
