import {
  decode,
  decodeBits,
  decodeEven,
  decodeGreater,
  decodeSignificant,
  GREATER_1,
  GREATER_2,
  GROUP_CODED,
  LAST_X,
  LAST_Y,
  PEEKED,
  pass,
  peek,
  SIGNIFICANT,
  steps,
  TRANSFORM_SKIP,
} from "./arithmetic";
import { hidesSigns, isScaled, SCALING, skipsTransforms } from "./picture";
import { LEVEL_SCALES, SCAN_BYTES, SCANS, SCANS_OF_A_KIND, SIGNIFICANCE, SMALL_SIGNIFICANCE } from "./tables";

/** The coefficients of a block, i16 each, row by row; zeros but while a block is decoded. */
export const COEFFICIENTS = memory.data(2 * 32 * 32, 16);
/** Whether each group of 4 × 4 coefficients has any: 8 × 8, with one more at the right and below. */
const GROUPS = memory.data(9 * 16);
/** Where coefficients of a group stand in the order of the scan, from the last one on. */
const PLACES = memory.data(16);

/** How far coefficients reach across and down: behind the last. */
export let columns: i32 = 0;
export let rows: i32 = 0;
export let isTransformSkipped: bool = false;
/** Whether the data make no sense. */
export let isBroken: bool = false;

export function clearBroken(): void {
  isBroken = false;
}

export function tellBroken(): void {
  isBroken = true;
}

/**
 * Decodes the coefficients of a block (ITU-T H.265, 7.3.8.11) and scales them (8.6.3).
 *
 * @param scan 0 diagonal, 1 horizontal, 2 vertical
 * @param color 0 luma, 1 blue, 2 red
 */
export function decodeResidual(log2: i32, scan: i32, color: i32, quantizer: i32): void {
  const isLuma = color === 0;
  isTransformSkipped = skipsTransforms && log2 === 2 && decode(TRANSFORM_SKIP + (isLuma ? 0 : 1)) === 1;
  let lastX = decodeLast(LAST_X, log2, isLuma);
  let lastY = decodeLast(LAST_Y, log2, isLuma);
  lastX = withSuffix(lastX);
  lastY = withSuffix(lastY);
  if (scan === 2) {
    const x = lastX;
    lastX = lastY;
    lastY = x;
  }
  columns = rows = 0;
  const groupsLog2 = log2 - 2;
  const scans = SCANS + (scan as usize) * SCANS_OF_A_KIND;
  const groupScan = scans + ((groupsLog2 - 1) as usize) * SCAN_BYTES;
  const scanInGroup = scans + SCAN_BYTES;
  let group = groupsLog2 === 0 ? 0 : indexOf(groupScan, lastX >> 2, lastY >> 2);
  const lastGroup = group;
  const lastPlace = indexOf(scanInGroup, lastX & 3, lastY & 3);
  for (let y: usize = 0; y <= 1 << (groupsLog2 as usize); y++) store<u64>(GROUPS + 16 * y, 0);

  const significant = isLuma ? SIGNIFICANT : SIGNIFICANT + 27;
  const greater1 = isLuma ? GREATER_1 : GREATER_1 + 16;
  const shift = log2 + 3;
  const scale = (load<u8>(LEVEL_SCALES + ((quantizer % 6) as usize)) as i32) << (quantizer / 6);
  const factors = isScaled ? factorsOf(log2, color) : 0;
  for (; group >= 0; group--) {
    const groupPlace = groupsLog2 === 0 ? 0 : (load<u8>(groupScan + (group as usize)) as i32);
    const groupX = groupPlace & 15;
    const groupY = groupPlace >> 4;
    const flag = GROUPS + 16 * (groupY as usize) + (groupX as usize);
    const neighbors = (load<u8>(flag + 1) | (load<u8>(flag + 16) << 1)) as usize;
    let isInferred = false;
    if (group < lastGroup && group > 0) {
      const context = GROUP_CODED + (neighbors !== 0 ? 1 : 0) + (isLuma ? 0 : 2);
      if (decode(context) === 0) continue;
      isInferred = true;
    }
    store<u8>(flag, 1);

    // Which are not zero.
    let contexts: usize;
    let base = significant;
    if (log2 === 2) contexts = SMALL_SIGNIFICANCE + 16 * (scan as usize);
    else {
      contexts = SIGNIFICANCE + 64 * (scan as usize) + 16 * neighbors;
      if (isLuma) base += (group > 0 ? 3 : 0) + (log2 === 3 ? (scan === 0 ? 9 : 15) : 21);
      else base += log2 === 3 ? 9 : 12;
    }
    let count: usize = 0;
    let place = 15;
    if (group === lastGroup) {
      store<u8>(PLACES, lastPlace as u8);
      count = 1;
      place = lastPlace - 1;
    }
    count += decodeSignificant(base, contexts, place, PLACES + count);
    if (place >= 0) {
      if (isInferred && count === 0) store<u8>(PLACES + count++, 0);
      else {
        // That of the block's mean has a context of its own.
        const first = log2 === 2 || group > 0 ? base + load<u8>(contexts) : significant;
        if (decode(first) !== 0) store<u8>(PLACES + count++, 0);
      }
    }
    if (count === 0) continue;

    // How large they are.
    let set: usize = group === 0 || !isLuma ? 0 : 2;
    if (group !== lastGroup && steps === 0) set++;
    const large = decodeGreater(greater1 + 4 * set, min<usize>(count, 8));
    const firstLarge: i32 = large === 0 ? -1 : (ctz<u32>(large) as i32);
    let isLarger: u32 = 0;
    if (firstLarge >= 0) isLarger = decode((isLuma ? GREATER_2 : GREATER_2 + 4) + set);
    const firstPlace = load<u8>(PLACES) as i32;
    const endPlace = load<u8>(PLACES + count - 1) as i32;
    const isHidden = hidesSigns && firstPlace - endPlace > 3;
    const signCount = (count as i32) - (isHidden ? 1 : 0);
    let signs = (decodeBits(signCount) << (16 - signCount)) << 16;

    let sum: i32 = 0;
    let rice: i32 = 0;
    for (let index: usize = 0; index < count; index++) {
      const isFirstLarge = (index as i32) === firstLarge;
      let level: i32 = 1;
      if (index < 8) level += ((large >> (index as u32)) & 1) as i32;
      if (isFirstLarge) level += isLarger as i32;
      if (level === (index >= 8 ? 1 : isFirstLarge ? 3 : 2)) {
        level += decodeRemaining(rice);
        if (level > 3 << rice && rice < 4) rice++;
      }
      sum += level;
      if ((signs as i32) < 0) level = -level;
      signs <<= 1;
      if (isHidden && index === count - 1 && (sum & 1) === 1) level = -level;
      const inGroup = load<u8>(scanInGroup + load<u8>(PLACES + index)) as i32;
      const x = 4 * groupX + (inGroup & 15);
      const y = 4 * groupY + (inGroup >> 4);
      const at = (y << log2) + x;
      const factor = isScaled ? (load<u8>(factors + (at as usize)) as i32) : 16;
      const scaled =
        ((level as i64) * ((factor * scale) as i64) + (1 << ((shift - 1) as i64))) >> (shift as i64);
      store<i16>(COEFFICIENTS + 2 * (at as usize), max<i64>(-32768, min<i64>(32767, scaled)) as i16);
      columns = max(columns, x + 1);
      rows = max(rows, y + 1);
    }
  }
}

function decodeLast(contexts: usize, log2: i32, isLuma: bool): i32 {
  const first = isLuma ? 3 * (log2 - 2) + ((log2 - 1) >> 2) : 15;
  const shift = isLuma ? (log2 + 1) >> 2 : log2 - 2;
  const most = 2 * log2 - 1;
  let prefix = 0;
  while (prefix < most && decode(contexts + ((first + (prefix >> shift)) as usize)) !== 0) prefix++;
  return prefix;
}

function withSuffix(prefix: i32): i32 {
  if (prefix < 4) return prefix;
  const bits = (prefix >> 1) - 1;
  return ((2 + (prefix & 1)) << bits) + (decodeBits(bits) as i32);
}

function indexOf(scan: usize, x: i32, y: i32): i32 {
  const wanted = ((y << 4) | x) as u8;
  let index: usize = 0;
  while (index < 63 && load<u8>(scan + index) !== wanted) index++;
  return index as i32;
}

/** What of a level goes beyond what is known of it (9.3.3.11). */
function decodeRemaining(rice: i32): i32 {
  // Nearly always, all of it is in what can be seen at once.
  const peeked = peek();
  const ones = clz<u32>(~(peeked << (32 - PEEKED))) as i32;
  const further = ones < 4 ? rice : ones - 3 + rice;
  const length = ones + 1 + further;
  if (length <= PEEKED) {
    pass(peeked, length);
    const suffix = (peeked >> (PEEKED - length)) & ((1 << further) - 1);
    return ((ones < 4 ? ones : (1 << (ones - 3)) + 2) << rice) + (suffix as i32);
  }
  let prefix = 0;
  while (prefix < 32 && decodeEven() !== 0) prefix++;
  if (prefix < 4) return (prefix << rice) + (rice > 0 ? (decodeBits(rice) as i32) : 0);
  const bits = prefix - 3 + rice;
  if (bits > 16) {
    isBroken = true;
    return 0;
  }
  return (((1 << (prefix - 3)) + 2) << rice) + (decodeBits(bits) as i32);
}

function factorsOf(log2: i32, color: i32): usize {
  const before: usize = log2 === 2 ? 0 : log2 === 3 ? 48 : log2 === 4 ? 240 : 1008;
  return SCALING + before + ((color as usize) << (2 * log2));
}
