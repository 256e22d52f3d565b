import { NEXT, SHORTENED } from "./tables";

/**
 * The arithmetic decoder (ITU-T H.265, 9.3.4.3). Of the offset more bits are held than the standard's nine: `spare` of
 * them, which stand behind those.
 */
let offset: u64 = 0;
let range: u32 = 0;
let spare: i32 = 0;
/** Where the next four bytes are. */
let at: usize = 0;

/** Contexts, a byte each: a state doubled, and the more likely value. */
export const CONTEXTS = memory.data(256, 16);
export const CONTEXT_BYTES: usize = 192;

/** Of which syntax elements contexts are where. */
export const MERGE: usize = CONTEXTS;
export const OFFSET_KIND: usize = MERGE + 1;
export const SPLIT_BLOCK: usize = OFFSET_KIND + 1;
export const PART_MODE: usize = SPLIT_BLOCK + 3;
export const LIKELY_MODE: usize = PART_MODE + 1;
export const CHROMA_MODE: usize = LIKELY_MODE + 1;
export const SPLIT_TRANSFORM: usize = CHROMA_MODE + 1;
export const LUMA_CODED: usize = SPLIT_TRANSFORM + 3;
export const CHROMA_CODED: usize = LUMA_CODED + 2;
export const TRANSFORM_SKIP: usize = CHROMA_CODED + 4;
export const QUANTISER_CHANGE: usize = TRANSFORM_SKIP + 2;
export const LAST_X: usize = QUANTISER_CHANGE + 2;
export const LAST_Y: usize = LAST_X + 18;
export const GROUP_CODED: usize = LAST_Y + 18;
export const SIGNIFICANT: usize = GROUP_CODED + 4;
export const GREATER_1: usize = SIGNIFICANT + 42;
export const GREATER_2: usize = GREATER_1 + 24;
const CONTEXT_COUNT: usize = GREATER_2 + 6 - CONTEXTS;

/** Of slices of intra prediction, in the order above (tables 9-5 to 9-37). */
const BEGINNINGS = memory.data<u8>([
  153, 200, 139, 141, 157, 184, 184, 63, 153, 138, 138, 111, 141, 94, 138, 182, 154, 139, 139, 154, 154, 110,
  110, 124, 125, 140, 153, 125, 127, 140, 109, 111, 143, 127, 111, 79, 108, 123, 63, 110, 110, 124, 125, 140,
  153, 125, 127, 140, 109, 111, 143, 127, 111, 79, 108, 123, 63, 91, 171, 134, 141, 111, 111, 125, 110, 110,
  94, 124, 108, 124, 107, 125, 141, 179, 153, 125, 107, 125, 141, 179, 153, 125, 107, 125, 141, 179, 153, 125,
  140, 139, 182, 182, 152, 136, 152, 136, 153, 136, 139, 111, 136, 139, 111, 140, 92, 137, 138, 140, 152, 138,
  139, 153, 74, 149, 92, 139, 107, 122, 152, 140, 179, 166, 182, 140, 227, 122, 197, 138, 153, 136, 167, 152,
  152,
]);

/** Contexts as they are at the beginning of a slice (9.3.2.2). */
export function beginContexts(quantizer: i32): void {
  for (let index: usize = 0; index < CONTEXT_COUNT; index++) {
    const value = load<u8>(BEGINNINGS + index) as i32;
    const slope = (value >> 4) * 5 - 45;
    const start = ((value & 15) << 3) - 16;
    const state = max(1, min(126, ((slope * quantizer) >> 4) + start));
    const context = state <= 63 ? (63 - state) << 1 : ((state - 64) << 1) | 1;
    store<u8>(CONTEXTS + index, context as u8);
  }
}

/** Begins to decode at a byte. Behind the data there are at least eight bytes more. */
export function beginAt(byte: usize): void {
  offset = bswap<u64>(load<u64>(byte)) >> 16;
  range = 510;
  spare = 39;
  at = byte + 6;
}

/** The first byte of which nothing was decoded yet. */
export function nextByte(): usize {
  return at - ((spare >> 3) as usize);
}

/** One value of a context. */
export function decode(context: usize): u32 {
  if (spare < 8) refill();
  const state = load<u8>(context) as usize;
  const less = load<u8>(SHORTENED + 4 * state + ((range >> 6) & 3)) as u32;
  const more = range - less;
  const limit = (more as u64) << spare;
  if (offset < limit) {
    store<u8>(context, load<u8>(NEXT + state));
    const short = (more >> 8) ^ 1;
    range = more << short;
    spare -= short;
    return (state & 1) as u32;
  }
  offset -= limit;
  const short = clz<u32>(less) - 23;
  range = less << short;
  spare -= short;
  store<u8>(context, load<u8>(NEXT + 128 + state));
  return ((state & 1) ^ 1) as u32;
}

// What follows is decode() written out, with all that it works on in variables of its own, and without branches that
// depend on the values: for coefficients, which values are hard to foresee.

/**
 * Decodes which places of a group hold coefficients (9.3.4.2.5), from one on down to the second.
 *
 * @param base of the contexts
 * @param contexts for each place, which
 * @param places where those go that do
 * @returns how many do
 */
export function decodeSignificant(base: usize, contexts: usize, from: i32, places: usize): usize {
  let value = offset;
  let width = range;
  let left = spare;
  let count: usize = 0;
  for (let place = from; place > 0; place--) {
    if (left < 8) {
      value = (value << 32) | (bswap<u32>(load<u32>(at)) as u64);
      at += 4;
      left += 32;
    }
    const context = base + load<u8>(contexts + (place as usize));
    const state = load<u8>(context) as usize;
    const less = load<u8>(SHORTENED + 4 * state + ((width >> 6) & 3)) as u32;
    const more = width - less;
    const limit = (more as u64) << left;
    const isLess = (value >= limit) as usize;
    value -= limit & -(isLess as u64);
    width = isLess ? less : more;
    const short = clz<u32>(width) - 23;
    width <<= short;
    left -= short;
    store<u8>(context, load<u8>(NEXT + (isLess << 7) + state));
    store<u8>(places + count, place as u8);
    count += (state ^ isLess) & 1;
  }
  offset = value;
  range = width;
  spare = left;
  return count;
}

/** By how many small coefficients came before (0: a large one) and whether this one is large: how many then. */
const STEPS = memory.data<u8>([0, 0, 2, 0, 3, 0, 3, 0]);

/** How many small coefficients came before the next, one more than there were; 0 behind a large one. */
export let steps: usize = 1;

/**
 * Decodes which coefficients are greater than one (9.3.4.2.6).
 *
 * @returns a bit for each, from the lowest on
 */
export function decodeGreater(contexts: usize, count: usize): u32 {
  let value = offset;
  let width = range;
  let left = spare;
  let before: usize = 1;
  let large: u32 = 0;
  for (let index: usize = 0; index < count; index++) {
    if (left < 8) {
      value = (value << 32) | (bswap<u32>(load<u32>(at)) as u64);
      at += 4;
      left += 32;
    }
    const context = contexts + before;
    const state = load<u8>(context) as usize;
    const less = load<u8>(SHORTENED + 4 * state + ((width >> 6) & 3)) as u32;
    const more = width - less;
    const limit = (more as u64) << left;
    const isLess = (value >= limit) as usize;
    value -= limit & -(isLess as u64);
    width = isLess ? less : more;
    const short = clz<u32>(width) - 23;
    width <<= short;
    left -= short;
    store<u8>(context, load<u8>(NEXT + (isLess << 7) + state));
    const isLarge = (state ^ isLess) & 1;
    large |= (isLarge as u32) << (index as u32);
    before = load<u8>(STEPS + 2 * before + isLarge);
  }
  offset = value;
  range = width;
  spare = left;
  steps = before;
  return large;
}

/** How many bits {@link peek} gives. */
export const PEEKED: i32 = 22;

/** The next values that are as likely as the others, which stay where they are. */
export function peek(): u32 {
  if (spare < 23) refill();
  return (offset / ((range as u64) << (spare - PEEKED))) as u32;
}

/** Passes over the first of those that were {@link peek}ed. */
export function pass(peeked: u32, count: i32): void {
  spare -= count;
  offset -= ((peeked >> (PEEKED - count)) as u64) * ((range as u64) << spare);
}

/** One value that is as likely as the other (9.3.4.3.4). */
export function decodeEven(): u32 {
  if (spare < 8) refill();
  spare--;
  const limit = (range as u64) << spare;
  if (offset < limit) return 0;
  offset -= limit;
  return 1;
}

/** Up to 16 of them, as a number. */
export function decodeBits(count: i32): u32 {
  if (spare < 23) refill();
  spare -= count;
  const scaled = (range as u64) << spare;
  const quotient = offset / scaled;
  offset -= quotient * scaled;
  return quotient as u32;
}

/** Whether something ends (9.3.4.3.5). Where it does, what follows begins at {@link nextByte}. */
export function decodeEnd(): bool {
  if (spare < 8) refill();
  range -= 2;
  const limit = (range as u64) << spare;
  // The last of the nine bits is then the one that ends the data.
  if (offset >= limit) return true;
  const short = (range >> 8) ^ 1;
  range <<= short;
  spare -= short;
  return false;
}

function refill(): void {
  offset = (offset << 32) | (bswap<u32>(load<u32>(at)) as u64);
  at += 4;
  spare += 32;
}
