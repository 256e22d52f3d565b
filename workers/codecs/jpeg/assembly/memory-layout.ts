// Addresses. jpeg-encoder.ts has the same numbers.

/** The reciprocals of the quantization tables of luma and chroma, 64 × i16 each, column by column. */
export const RECIPROCALS: usize = 0x0400;
/** By zigzag index, the offset of a coefficient in a block, in bytes. */
export const ZIGZAG_OFFSETS: usize = 0x0600;
/** By column of a block and set of its coefficients, the same set in zigzag order: 8 × 256 × u64. */
export const ZIGZAG_MASKS: usize = 0x1000;
/**
 * The Huffman codes of the four tables (DC and AC of luma, then of chroma), 256 × u32 each: the code, shifted left
 * by the number of additional bits, then in the lowest 5 bits the length of both.
 */
export const CODES: usize = 0x5000;
/** How often each symbol occurs, laid out as the codes. */
export const COUNTS: usize = 0x6000;
/** The blocks of an MCU, 64 × i16 each: 4 of luma, Cb, Cr. Their coefficients are column by column. */
export const BLOCKS: usize = 0x7000;

/** The size of a block, and of the reciprocals of a table. */
export const BLOCK_BYTES: usize = 128;
/** The size of the codes or counts of a table. */
export const TABLE_BYTES: usize = 1024;
/** The distance from the tables of luma to those of chroma. */
export const CHROMA_TABLES: usize = 2 * TABLE_BYTES;
