import { type HuffmanTable, huffmanCodes, huffmanTable } from "./huffman.ts";

/** The four Huffman tables of an image. */
export interface HuffmanTables {
  readonly lumaDc: HuffmanTable;
  readonly lumaAc: HuffmanTable;
  readonly chromaDc: HuffmanTable;
  readonly chromaAc: HuffmanTable;
}

/** The Huffman tables of an image, and their codes as assembly/memory-layout.ts describes them. */
interface EntropyCoding {
  readonly tables: HuffmanTables;
  readonly codes: Uint32Array<ArrayBuffer>;
}

/** The number of counts and codes: 256 symbols for each of the four tables. */
export const SYMBOLS = 4 * 256;

/** Symbols of DC coefficients are their category SSSS. Those of AC coefficients are RRRRSSSS, EOB and ZRL (F.1.2). */
const MAX_DC_CATEGORY = 11;
const MAX_AC_CATEGORY = 10;
const EOB = 0x00;
const ZRL = 0xf0;

const DC_SYMBOLS = Array.from({ length: MAX_DC_CATEGORY + 1 }, (_, category) => category);
const AC_SYMBOLS = [EOB, ZRL];
for (let run = 0; run < 16; run++)
  for (let category = 1; category <= MAX_AC_CATEGORY; category++) AC_SYMBOLS.push((run << 4) | category);

/**
 * Returns the optimal Huffman tables for symbol counts.
 *
 * @param counts of DC and AC of luma, then of chroma
 * @param isSample whether symbols may occur that are not counted
 */
export function optimalCoding(counts: Uint32Array, isSample: boolean): EntropyCoding {
  const codes = new Uint32Array(SYMBOLS);
  const table = (index: number, symbols: readonly number[]) => {
    const base = 256 * index;
    const counted = [...counts.subarray(base, base + 256)];
    if (isSample) for (const symbol of symbols) counted[symbol] = (counted[symbol] ?? 0) + 1;
    const made = huffmanTable(counted);
    for (const { symbol, code, length } of huffmanCodes(made)) {
      const additionalBits = symbol & 0x0f;
      codes[base + symbol] = (((code << additionalBits) << 5) | (length + additionalBits)) >>> 0;
    }
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
