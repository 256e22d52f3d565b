// Where things are in memory. The same numbers are in png-decoder.ts.

/** The lengths of the codes of a block, a byte each: of 288 symbols at most, then of 32 distances. */
export const LENGTHS: usize = 0x0400;
/** How many codes have each length, and where the first symbol of each length is among the sorted: 16 × u32 each. */
export const COUNTS: usize = 0x0600;
export const PLACES: usize = 0x0640;
/** Symbols by the length of their code: 288 × u16. */
export const SORTED: usize = 0x0700;
/** What codes of lengths, of literals and lengths, and of distances mean: see codes.ts. */
export const LENGTH_CODES: usize = 0x0a00;
export const SYMBOLS: usize = 0x1000;
export const DISTANCES: usize = 0x4000;

/** Compressed data that is to be unpacked, with as many zeros behind its end as may be looked at. */
export const INPUT: usize = 0x8000;
/** Unpacked data: what may be repeated, and rows that are not whole yet. */
export const UNPACKED: usize = 0x28000;
