// Where things are in memory. The same numbers are in jpeg-encoder.ts.

/** Reciprocals of the quantizers of both kinds of components, 64 × i16 each, column by column. */
export const RECIPROCALS: usize = 0x0400;
/** For each place in zigzag order, where its coefficient is in a block, in bytes. */
export const PLACES: usize = 0x0600;
/** For each column of a block and each set of its coefficients, the same set in zigzag order: 8 × 256 × u64. */
export const ORDERED: usize = 0x1000;
/**
 * What is written for the symbols of the four tables (DC and AC of luma, then of chroma), 256 × u32 each: the code with
 * as many zeros behind it as there are further bits, and in the lowest five bits the length of both.
 */
export const CODES: usize = 0x5000;
/** How often each symbol has been met, laid out as the codes. */
export const COUNTS: usize = 0x6000;
/** The blocks of an MCU, 64 × i16 each: four of luma, then two of chroma; their coefficients column by column. */
export const BLOCKS: usize = 0x7000;

/** How many bytes a block has, or a component's reciprocals. */
export const BLOCK: usize = 128;
/** How many bytes the codes or the counts of one table have. */
export const TABLE: usize = 1024;
/** How far those of chroma stand behind those of luma. */
export const CHROMA_TABLES: usize = 2 * TABLE;
