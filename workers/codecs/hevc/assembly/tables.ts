/** Tables of ITU-T H.265, and tables derived from them. */

/** rangeTabLps, 4 entries for each of 64 states (table 9-46). */
const RANGE_TAB_LPS = memory.data<u8>([
  128, 176, 208, 240, 128, 167, 197, 227, 128, 158, 187, 216, 123, 150, 178, 205, 116, 142, 169, 195, 111,
  135, 160, 185, 105, 128, 152, 175, 100, 122, 144, 166, 95, 116, 137, 158, 90, 110, 130, 150, 85, 104, 123,
  142, 81, 99, 117, 135, 77, 94, 111, 128, 73, 89, 105, 122, 69, 85, 100, 116, 66, 80, 95, 110, 62, 76, 90,
  104, 59, 72, 86, 99, 56, 69, 81, 94, 53, 65, 77, 89, 51, 62, 73, 85, 48, 59, 69, 80, 46, 56, 66, 76, 43, 53,
  63, 72, 41, 50, 59, 69, 39, 48, 56, 65, 37, 45, 54, 62, 35, 43, 51, 59, 33, 41, 48, 56, 32, 39, 46, 53, 30,
  37, 43, 50, 29, 35, 41, 48, 27, 33, 39, 45, 26, 31, 37, 43, 24, 30, 35, 41, 23, 28, 33, 39, 22, 27, 32, 37,
  21, 26, 30, 35, 20, 24, 29, 33, 19, 23, 27, 31, 18, 22, 26, 30, 17, 21, 25, 28, 16, 20, 23, 27, 15, 19, 22,
  25, 14, 18, 21, 24, 14, 17, 20, 23, 13, 16, 19, 22, 12, 15, 18, 21, 12, 14, 17, 20, 11, 14, 16, 19, 11, 13,
  15, 18, 10, 12, 15, 17, 10, 12, 14, 16, 9, 11, 13, 15, 9, 11, 12, 14, 8, 10, 12, 14, 8, 9, 11, 13, 7, 9, 11,
  12, 7, 9, 10, 12, 7, 8, 10, 11, 6, 8, 9, 11, 6, 7, 9, 10, 6, 7, 8, 9, 2, 2, 2, 2,
]);

/** transIdxLps (table 9-47). */
const TRANS_IDX_LPS = memory.data<u8>([
  0, 0, 1, 2, 2, 4, 4, 5, 6, 7, 8, 9, 9, 11, 11, 12, 13, 13, 15, 15, 16, 16, 18, 18, 19, 19, 21, 21, 22, 22,
  23, 24, 24, 25, 26, 26, 27, 27, 28, 29, 29, 30, 30, 30, 31, 32, 32, 33, 33, 33, 34, 34, 35, 35, 35, 36, 36,
  36, 37, 37, 37, 38, 38, 63,
]);

/** rangeTabLps by the byte of a context (see cabac.ts): 4 entries each. */
export const LPS_RANGES = memory.data(512);
/**
 * The next byte of a context: after the most probable symbol, and 128 bytes further after the least probable one.
 */
export const NEXT_CONTEXTS = memory.data(256);

/**
 * transMatrix for size 32 (8.6.4.2), i16 each, row by row by frequency. Smaller matrices use the first columns of
 * every 2nd, 4th or 8th row.
 */
export const DCT_MATRIX = memory.data(2 * 32 * 32, 16);
/** The first column of the matrix by angle. All other entries follow from it. */
const DCT_FIRST_COLUMN = memory.data<i8>([
  64, 90, 90, 90, 89, 88, 87, 85, 83, 82, 80, 78, 75, 73, 70, 67, 64, 61, 57, 54, 50, 46, 43, 38, 36, 31, 25,
  22, 18, 13, 9, 4,
]);

/**
 * Scan orders (6.5.3 to 6.5.5), a byte per position: x in the lower, y in the upper 4 bits. Diagonal, horizontal,
 * vertical, each with 64 bytes for blocks of 2, 4 and 8.
 */
export const SCANS = memory.data(3 * 3 * 64);
export const SCAN_BYTES: usize = 64;
export const SCAN_TYPE_BYTES: usize = 3 * SCAN_BYTES;

/** sigCtx by scanIdx, csbfCtx and scan position (9.3.4.2.5). */
export const SIG_CTX = memory.data(3 * 4 * 16);
/** sigCtx of 4 × 4 blocks by scanIdx and scan position. */
export const SIG_CTX_4X4 = memory.data(3 * 16);
const CTX_IDX_MAP = memory.data<u8>([0, 1, 4, 5, 2, 3, 4, 5, 6, 6, 8, 8, 7, 7, 8, 8]);

/** The order of 4 × 4 blocks in a CTB of 64 × 64 (6.5.2), by row and column. */
export const Z_SCAN_ORDER = memory.data(256);

/** intraPredAngle by mode (table 8-5), i8 each. */
export const INTRA_PRED_ANGLES = memory.data<i8>([
  0, 0, 32, 26, 21, 17, 13, 9, 5, 2, 0, -2, -5, -9, -13, -17, -21, -26, -32, -26, -21, -17, -13, -9, -5, -2,
  0, 2, 5, 9, 13, 17, 21, 26, 32,
]);
/** invAngle of modes 11 to 25 (table 8-6), i16 each. */
export const INV_ANGLES = memory.data<i16>([
  -4096, -1638, -910, -630, -482, -390, -315, -256, -315, -390, -482, -630, -910, -1638, -4096,
]);

/** QpC by qPi from 30 to 43 (table 8-10). */
export const CHROMA_QPS = memory.data<u8>([29, 30, 31, 32, 33, 33, 34, 34, 35, 35, 36, 36, 37, 37]);
/** levelScale (8.6.4.2). */
export const LEVEL_SCALE = memory.data<u8>([40, 45, 51, 57, 64, 72]);

/** β′ and tC′ by Q (table 8-12). */
export const BETA_TABLE = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 22, 24,
  26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64,
]);
export const TC_TABLE = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4,
  4, 4, 5, 5, 6, 6, 7, 8, 9, 10, 11, 13, 14, 16, 18, 20, 22, 24,
]);

/** Initializes the derived tables. */
export function initTables(): void {
  initContextTables();
  initDctMatrix();
  initScans();
  for (let at: usize = 0; at < 256; at++) {
    let order: usize = 0;
    for (let bit: usize = 0; bit < 4; bit++) {
      order |= ((at >> bit) & 1) << (2 * bit);
      order |= ((at >> (4 + bit)) & 1) << (2 * bit + 1);
    }
    store<u8>(Z_SCAN_ORDER + at, order as u8);
  }
}

function initContextTables(): void {
  for (let context: usize = 0; context < 128; context++) {
    const state = context >> 1;
    const likely = context & 1;
    for (let part: usize = 0; part < 4; part++)
      store<u8>(LPS_RANGES + 4 * context + part, load<u8>(RANGE_TAB_LPS + 4 * state + part));
    store<u8>(NEXT_CONTEXTS + context, ((min<usize>(state + 1, 62) << 1) | likely) as u8);
    const turned = state === 0 ? likely ^ 1 : likely;
    store<u8>(
      NEXT_CONTEXTS + 128 + context,
      (((load<u8>(TRANS_IDX_LPS + state) as usize) << 1) | turned) as u8,
    );
  }
}

function initDctMatrix(): void {
  for (let frequency: usize = 0; frequency < 32; frequency++) {
    for (let position: usize = 0; position < 32; position++) {
      // The cosine of an angle in blocks of π / 64.
      let angle = (frequency * (2 * position + 1)) & 127;
      if (angle > 64) angle = 128 - angle;
      let value: i32 = 0;
      if (frequency === 0) value = 64;
      else if (angle < 32) value = load<i8>(DCT_FIRST_COLUMN + angle);
      else if (angle > 32) value = -(load<i8>(DCT_FIRST_COLUMN + 64 - angle) as i32);
      store<i16>(DCT_MATRIX + 2 * (32 * frequency + position), value as i16);
    }
  }
}

function initScans(): void {
  for (let log2: usize = 1; log2 <= 3; log2++) {
    const side: i32 = 1 << (log2 as i32);
    const at = SCANS + (log2 - 1) * SCAN_BYTES;
    let next = at;
    for (let sum = 0; sum < 2 * side - 1; sum++) {
      for (let y = min(sum, side - 1); y >= 0 && sum - y < side; y--)
        store<u8>(next++, ((y << 4) | (sum - y)) as u8);
    }
    for (let index = 0; index < side * side; index++) {
      const major = index / side;
      const minor = index % side;
      store<u8>(at + SCAN_TYPE_BYTES + (index as usize), ((major << 4) | minor) as u8);
      store<u8>(at + 2 * SCAN_TYPE_BYTES + (index as usize), ((minor << 4) | major) as u8);
    }
  }
  for (let kind: usize = 0; kind < 3; kind++) {
    const scan = SCANS + kind * SCAN_TYPE_BYTES + SCAN_BYTES;
    for (let index: usize = 0; index < 16; index++) {
      const position = load<u8>(scan + index) as i32;
      const x = position & 15;
      const y = position >> 4;
      store<u8>(SIG_CTX_4X4 + 16 * kind + index, load<u8>(CTX_IDX_MAP + ((4 * y + x) as usize)));
      const sum = x + y;
      const alone = sum === 0 ? 2 : sum < 3 ? 1 : 0;
      const right = y === 0 ? 2 : y === 1 ? 1 : 0;
      const below = x === 0 ? 2 : x === 1 ? 1 : 0;
      const at = SIG_CTX + 64 * kind + index;
      store<u8>(at, alone as u8);
      store<u8>(at + 16, right as u8);
      store<u8>(at + 32, below as u8);
      store<u8>(at + 48, 2);
    }
  }
}
