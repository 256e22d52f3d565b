import { LPS_RANGES, NEXT_CONTEXTS } from "./tables";

/**
 * The CABAC arithmetic decoder (ITU-T H.265, 9.3.4.3): ivlOffset and ivlCurrRange. `offset` holds `spareBits` more
 * bits than the 9 of the standard. They follow those.
 */
let offset: u64 = 0;
let range: u32 = 0;
let spareBits: i32 = 0;
/** The address of the next 4 bytes to read. */
let position: usize = 0;

/** Context variables, a byte each: pStateIdx << 1 | valMps. */
export const CONTEXTS = memory.data(256, 16);
export const CONTEXT_BYTES: usize = 192;

/** The address of the contexts of each syntax element. */
export const SAO_MERGE_FLAG: usize = CONTEXTS;
export const SAO_TYPE_IDX: usize = SAO_MERGE_FLAG + 1;
export const SPLIT_CU_FLAG: usize = SAO_TYPE_IDX + 1;
export const PART_MODE: usize = SPLIT_CU_FLAG + 3;
export const PREV_INTRA_LUMA_PRED_FLAG: usize = PART_MODE + 1;
export const INTRA_CHROMA_PRED_MODE: usize = PREV_INTRA_LUMA_PRED_FLAG + 1;
export const SPLIT_TRANSFORM_FLAG: usize = INTRA_CHROMA_PRED_MODE + 1;
export const CBF_LUMA: usize = SPLIT_TRANSFORM_FLAG + 3;
export const CBF_CHROMA: usize = CBF_LUMA + 2;
export const TRANSFORM_SKIP_FLAG: usize = CBF_CHROMA + 4;
export const CU_QP_DELTA_ABS: usize = TRANSFORM_SKIP_FLAG + 2;
export const LAST_SIG_COEFF_X_PREFIX: usize = CU_QP_DELTA_ABS + 2;
export const LAST_SIG_COEFF_Y_PREFIX: usize = LAST_SIG_COEFF_X_PREFIX + 18;
export const CODED_SUB_BLOCK_FLAG: usize = LAST_SIG_COEFF_Y_PREFIX + 18;
export const SIG_COEFF_FLAG: usize = CODED_SUB_BLOCK_FLAG + 4;
export const COEFF_ABS_LEVEL_GREATER1_FLAG: usize = SIG_COEFF_FLAG + 42;
export const COEFF_ABS_LEVEL_GREATER2_FLAG: usize = COEFF_ABS_LEVEL_GREATER1_FLAG + 24;
const CONTEXT_COUNT: usize = COEFF_ABS_LEVEL_GREATER2_FLAG + 6 - CONTEXTS;

/** initValue for I slices, in the order above (tables 9-5 to 9-37). */
const INIT_VALUES = memory.data<u8>([
  153, 200, 139, 141, 157, 184, 184, 63, 153, 138, 138, 111, 141, 94, 138, 182, 154, 139, 139, 154, 154, 110,
  110, 124, 125, 140, 153, 125, 127, 140, 109, 111, 143, 127, 111, 79, 108, 123, 63, 110, 110, 124, 125, 140,
  153, 125, 127, 140, 109, 111, 143, 127, 111, 79, 108, 123, 63, 91, 171, 134, 141, 111, 111, 125, 110, 110,
  94, 124, 108, 124, 107, 125, 141, 179, 153, 125, 107, 125, 141, 179, 153, 125, 107, 125, 141, 179, 153, 125,
  140, 139, 182, 182, 152, 136, 152, 136, 153, 136, 139, 111, 136, 139, 111, 140, 92, 137, 138, 140, 152, 138,
  139, 153, 74, 149, 92, 139, 107, 122, 152, 140, 179, 166, 182, 140, 227, 122, 197, 138, 153, 136, 167, 152,
  152,
]);

/** Initializes the contexts for the QP of a slice (9.3.2.2). */
export function initContexts(qp: i32): void {
  for (let index: usize = 0; index < CONTEXT_COUNT; index++) {
    const value = load<u8>(INIT_VALUES + index) as i32;
    const slope = (value >> 4) * 5 - 45;
    const start = ((value & 15) << 3) - 16;
    const state = max(1, min(126, ((slope * qp) >> 4) + start));
    const context = state <= 63 ? (63 - state) << 1 : ((state - 64) << 1) | 1;
    store<u8>(CONTEXTS + index, context as u8);
  }
}

/** Starts arithmetic decoding at a byte (9.3.2). At least 8 readable bytes must follow the data. */
export function initDecoding(byte: usize): void {
  offset = bswap<u64>(load<u64>(byte)) >> 16;
  range = 510;
  spareBits = 39;
  position = byte + 6;
}

/** The address of the first byte that has not been consumed. */
export function nextByte(): usize {
  return position - ((spareBits >> 3) as usize);
}

/** Decodes one bin with a context (9.3.4.3.2). */
export function decodeBin(context: usize): u32 {
  if (spareBits < 8) refill();
  const state = load<u8>(context) as usize;
  const less = load<u8>(LPS_RANGES + 4 * state + ((range >> 6) & 3)) as u32;
  const more = range - less;
  const limit = (more as u64) << spareBits;
  if (offset < limit) {
    store<u8>(context, load<u8>(NEXT_CONTEXTS + state));
    const short = (more >> 8) ^ 1;
    range = more << short;
    spareBits -= short;
    return (state & 1) as u32;
  }
  offset -= limit;
  const short = clz<u32>(less) - 23;
  range = less << short;
  spareBits -= short;
  store<u8>(context, load<u8>(NEXT_CONTEXTS + 128 + state));
  return ((state & 1) ^ 1) as u32;
}

// The next two functions inline decodeBin() with local copies of its state and without branches that depend on the
// data. The values of coefficient flags are hard to predict, so branches would be slow.

/**
 * Decodes sig_coeff_flag of a sub-block (9.3.4.2.5), from position `from` down to position 1.
 *
 * @param base the first context of the syntax element
 * @param contexts the context index of each position
 * @param positions where to store the positions of significant coefficients
 * @returns how many are significant
 */
export function decodeSigCoeffFlags(base: usize, contexts: usize, from: i32, positions: usize): usize {
  let value = offset;
  let width = range;
  let left = spareBits;
  let count: usize = 0;
  for (let place = from; place > 0; place--) {
    if (left < 8) {
      value = (value << 32) | (bswap<u32>(load<u32>(position)) as u64);
      position += 4;
      left += 32;
    }
    const context = base + load<u8>(contexts + (place as usize));
    const state = load<u8>(context) as usize;
    const less = load<u8>(LPS_RANGES + 4 * state + ((width >> 6) & 3)) as u32;
    const more = width - less;
    const limit = (more as u64) << left;
    const isLess = (value >= limit) as usize;
    value -= limit & -(isLess as u64);
    width = isLess ? less : more;
    const short = clz<u32>(width) - 23;
    width <<= short;
    left -= short;
    store<u8>(context, load<u8>(NEXT_CONTEXTS + (isLess << 7) + state));
    store<u8>(positions + count, place as u8);
    count += (state ^ isLess) & 1;
  }
  offset = value;
  range = width;
  spareBits = left;
  return count;
}

/** The next greater1Ctx, by the current one and the flag: 0 after a coefficient greater than 1, else at most 3. */
const NEXT_GREATER1_CTX = memory.data<u8>([0, 0, 2, 0, 3, 0, 3, 0]);

/** greater1Ctx after the last flag of a sub-block (9.3.4.2.6): 0 if a coefficient was greater than 1. */
export let greater1Ctx: usize = 1;

/**
 * Decodes coeff_abs_level_greater1_flag of up to 8 coefficients (9.3.4.2.6).
 *
 * @returns one bit per coefficient, the first in the lowest bit
 */
export function decodeGreater1Flags(contexts: usize, count: usize): u32 {
  let value = offset;
  let width = range;
  let left = spareBits;
  let before: usize = 1;
  let large: u32 = 0;
  for (let index: usize = 0; index < count; index++) {
    if (left < 8) {
      value = (value << 32) | (bswap<u32>(load<u32>(position)) as u64);
      position += 4;
      left += 32;
    }
    const context = contexts + before;
    const state = load<u8>(context) as usize;
    const less = load<u8>(LPS_RANGES + 4 * state + ((width >> 6) & 3)) as u32;
    const more = width - less;
    const limit = (more as u64) << left;
    const isLess = (value >= limit) as usize;
    value -= limit & -(isLess as u64);
    width = isLess ? less : more;
    const short = clz<u32>(width) - 23;
    width <<= short;
    left -= short;
    store<u8>(context, load<u8>(NEXT_CONTEXTS + (isLess << 7) + state));
    const isLarge = (state ^ isLess) & 1;
    large |= (isLarge as u32) << (index as u32);
    before = load<u8>(NEXT_GREATER1_CTX + 2 * before + isLarge);
  }
  offset = value;
  range = width;
  spareBits = left;
  greater1Ctx = before;
  return large;
}

/** How many bins {@link peekBypass} returns. */
export const PEEKED_BITS: i32 = 22;

/** Returns the next bypass bins without consuming them. */
export function peekBypass(): u32 {
  if (spareBits < 23) refill();
  return (offset / ((range as u64) << (spareBits - PEEKED_BITS))) as u32;
}

/** Consumes the first `count` bins of a value that {@link peekBypass} returned. */
export function skipBypass(peeked: u32, count: i32): void {
  spareBits -= count;
  offset -= ((peeked >> (PEEKED_BITS - count)) as u64) * ((range as u64) << spareBits);
}

/** Decodes one bypass bin (9.3.4.3.4). */
export function decodeBypass(): u32 {
  if (spareBits < 8) refill();
  spareBits--;
  const limit = (range as u64) << spareBits;
  if (offset < limit) return 0;
  offset -= limit;
  return 1;
}

/** Decodes up to 16 bypass bins as a number, most significant first. */
export function decodeBypassBits(count: i32): u32 {
  if (spareBits < 23) refill();
  spareBits -= count;
  const scaled = (range as u64) << spareBits;
  const quotient = offset / scaled;
  offset -= quotient * scaled;
  return quotient as u32;
}

/** Decodes a bin before termination (9.3.4.3.5). After true, the next data start at {@link nextByte}. */
export function decodeTerminate(): bool {
  if (spareBits < 8) refill();
  range -= 2;
  const limit = (range as u64) << spareBits;
  // The last of the 9 bits is then rbsp_stop_one_bit or the like.
  if (offset >= limit) return true;
  const short = (range >> 8) ^ 1;
  range <<= short;
  spareBits -= short;
  return false;
}

function refill(): void {
  offset = (offset << 32) | (bswap<u32>(load<u32>(position)) as u64);
  position += 4;
  spareBits += 32;
}
