import type { HuffmanTables } from "./header.ts";
import { eachCode, huffmanTable } from "./huffman.ts";

/** How many counts and codes there are: for each byte that may be a symbol of one of the four tables. */
export const SYMBOLS = 4 * 256;

/** Symbols of DC coefficients are their lengths; those of AC have the zeros before them in the higher half. */
const LONGEST_DC = 11;
const LONGEST_AC = 10;

const DC_SYMBOLS = Array.from({ length: LONGEST_DC + 1 }, (_, length) => length);
const AC_SYMBOLS = [
  0x00,
  0xf0,
  ...Array.from({ length: 16 }, (_, run) =>
    Array.from({ length: LONGEST_AC }, (_, length) => (run << 4) | (length + 1)),
  ).flat(),
];

/** Tables, and what they have written for each symbol: see assembly/layout.ts. */
export interface CodingTables {
  readonly tables: HuffmanTables;
  readonly codes: Uint32Array<ArrayBuffer>;
}

/**
 * The best tables for symbols that are met so often.
 *
 * @param counts those of luma's DC and AC coefficients, then of chroma's
 * @param hasGaps whether symbols that have not been counted may come
 */
export function codingTables(counts: Uint32Array, hasGaps: boolean): CodingTables {
  const codes = new Uint32Array(SYMBOLS);
  const table = (index: number, symbols: readonly number[]) => {
    const some = counts.slice(256 * index, 256 * (index + 1));
    if (hasGaps) for (const symbol of symbols) some[symbol] = (some[symbol] ?? 0) + 1;
    const made = huffmanTable(some);
    eachCode(made, (symbol, code, length) => {
      const further = symbol & 0x0f;
      codes[256 * index + symbol] = (((code << further) << 5) | (length + further)) >>> 0;
    });
    return made;
  };
  const tables = {
    lumaDc: table(0, DC_SYMBOLS),
    lumaAc: table(1, AC_SYMBOLS),
    chromaDc: table(2, DC_SYMBOLS),
    chromaAc: table(3, AC_SYMBOLS),
  };
  return { tables, codes };
}
