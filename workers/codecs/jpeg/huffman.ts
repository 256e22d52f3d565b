/** A Huffman table (ITU-T T.81, B.2.4.2). */
export interface HuffmanTable {
  /** BITS: the number of codes of each length from 1 to 16. */
  readonly lengths: readonly number[];
  /** HUFFVAL: the symbols in the order of their codes. */
  readonly symbols: readonly number[];
}

/** A symbol and its code of `length` bits. */
interface HuffmanCode {
  readonly symbol: number;
  readonly code: number;
  readonly length: number;
}

const MAX_LENGTH = 16;
/** A symbol for the code of ones only, which must not be used (K.2). */
const RESERVED = 256;

/** A symbol, or a set of symbols whose codes have a common prefix. */
interface Package {
  readonly count: number;
  readonly isSymbol: boolean;
}

/**
 * Returns an optimal table of codes of at most 16 bits (package-merge, by Larmore and Hirschberg).
 *
 * @param counts how often each symbol occurs; a symbol that does not occur gets no code
 */
export function huffmanTable(counts: ArrayLike<number>): HuffmanTable {
  const rarestFirst = [{ symbol: RESERVED, count: 0 }];
  for (let symbol = 0; symbol < counts.length; symbol++) {
    const count = counts[symbol] ?? 0;
    if (count > 0) rarestFirst.push({ symbol, count });
  }
  rarestFirst.sort((one, other) => one.count - other.count);
  const lengths = new Array<number>(MAX_LENGTH).fill(0);
  const symbols: number[] = [];
  // The reserved symbol gets the last of the longest codes: that of ones only.
  for (const [index, length] of codeLengths(rarestFirst.map(({ count }) => count)).entries()) {
    const symbol = rarestFirst[index]?.symbol ?? RESERVED;
    if (symbol === RESERVED) continue;
    lengths[length - 1] = (lengths[length - 1] ?? 0) + 1;
    symbols.unshift(symbol);
  }
  return { lengths, symbols };
}

/** Returns the code length of each symbol. Counts are ascending, so lengths are descending. */
function codeLengths(counts: readonly number[]): readonly number[] {
  const single: readonly Package[] = counts.map((count) => ({ count, isSymbol: true }));
  const rows = [single];
  for (let row = single; rows.length < MAX_LENGTH; rows.push(row)) row = merge(single, pairs(row));
  const lengths = counts.map(() => 0);
  let taken = 2 * (counts.length - 1);
  for (const row of rows.reverse()) {
    // Each symbol taken adds a bit to its code. Each pair taken takes two packages of the row before.
    let symbols = 0;
    for (const { isSymbol } of row.slice(0, taken)) if (isSymbol) symbols++;
    for (let index = 0; index < symbols; index++) lengths[index] = (lengths[index] ?? 0) + 1;
    taken = 2 * (taken - symbols);
  }
  return lengths;
}

function pairs(row: readonly Package[]): readonly Package[] {
  const made: Package[] = [];
  for (let index = 0; index + 1 < row.length; index += 2)
    made.push({ count: (row[index]?.count ?? 0) + (row[index + 1]?.count ?? 0), isSymbol: false });
  return made;
}

/** Merges two rows that are ascending by count. */
function merge(one: readonly Package[], other: readonly Package[]): readonly Package[] {
  const row: Package[] = [];
  let next = 0;
  for (const item of one) {
    for (let before = other[next]; before && before.count < item.count; before = other[++next])
      row.push(before);
    row.push(item);
  }
  return row.concat(other.slice(next));
}

/** Returns the codes of a table (C.2). */
export function huffmanCodes({ lengths, symbols }: HuffmanTable): readonly HuffmanCode[] {
  const codes: HuffmanCode[] = [];
  let code = 0;
  for (const [index, count] of lengths.entries()) {
    const length = index + 1;
    for (const symbol of symbols.slice(codes.length, codes.length + count))
      codes.push({ symbol, code: code++, length });
    code <<= 1;
  }
  return codes;
}
