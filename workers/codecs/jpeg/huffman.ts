/** A Huffman table as a JPEG has it (ITU-T T.81, B.2.4.2). */
export interface HuffmanTable {
  /** How many codes there are of each length, from 1 to 16. */
  readonly lengths: readonly number[];
  /** Symbols by rising code. */
  readonly symbols: readonly number[];
}

const LONGEST_CODE = 16;
/** The code of ones only is not to be used: the standard keeps it for filling up. */
const RESERVED = 256;

/** A symbol, or several that share what their codes begin with. */
interface Package {
  readonly count: number;
  readonly isSymbol: boolean;
}

/**
 * The shortest codes for symbols that occur so often, none longer than a JPEG may have (package-merge, by Larmore and
 * Hirschberg).
 *
 * @param counts of each symbol; those of none get no code
 */
export function huffmanTable(counts: ArrayLike<number>): HuffmanTable {
  const rarestFirst = [{ symbol: RESERVED, count: 0 }];
  for (let symbol = 0; symbol < counts.length; symbol++) {
    const count = counts[symbol] ?? 0;
    if (count > 0) rarestFirst.push({ symbol, count });
  }
  rarestFirst.sort((one, other) => one.count - other.count);
  const lengths: number[] = Array.from({ length: LONGEST_CODE }, () => 0);
  const symbols: number[] = [];
  // The reserved one has the last of the longest codes, which is that of ones.
  codeLengths(rarestFirst.map(({ count }) => count)).forEach((length, index) => {
    const symbol = rarestFirst[index]?.symbol ?? RESERVED;
    if (symbol === RESERVED) return;
    lengths[length - 1] = (lengths[length - 1] ?? 0) + 1;
    symbols.unshift(symbol);
  });
  return { lengths, symbols };
}

/** How long codes become. The rarer a symbol, the longer is its code, or as long. */
function codeLengths(counts: readonly number[]): readonly number[] {
  const alone: readonly Package[] = counts.map((count) => ({ count, isSymbol: true }));
  const rows = [alone];
  for (let row = alone; rows.length < LONGEST_CODE; rows.push(row)) row = merged(alone, paired(row));
  const lengths = counts.map(() => 0);
  let taken = 2 * (counts.length - 1);
  for (const row of rows.reverse()) {
    // Each time that a symbol is taken, its code is a bit longer; a pair takes two of the row before.
    let symbols = 0;
    for (const { isSymbol } of row.slice(0, taken)) if (isSymbol) symbols++;
    for (let index = 0; index < symbols; index++) lengths[index] = (lengths[index] ?? 0) + 1;
    taken = 2 * (taken - symbols);
  }
  return lengths;
}

function paired(row: readonly Package[]): readonly Package[] {
  const pairs: Package[] = [];
  row.forEach(({ count }, index) => {
    const before = index % 2 === 1 ? row[index - 1] : undefined;
    if (before) pairs.push({ count: before.count + count, isSymbol: false });
  });
  return pairs;
}

/** Both in one row, by rising counts as they are. */
function merged(one: readonly Package[], other: readonly Package[]): readonly Package[] {
  const row: Package[] = [];
  let next = 0;
  for (const item of one) {
    for (let before = other[next]; before && before.count < item.count; before = other[++next])
      row.push(before);
    row.push(item);
  }
  return row.concat(other.slice(next));
}

/** Calls for each symbol of a table, with its code and how many bits that has (ITU-T T.81, C.2). */
export function eachCode(
  { lengths, symbols }: HuffmanTable,
  call: (symbol: number, code: number, length: number) => void,
): void {
  let next = 0;
  let code = 0;
  lengths.forEach((count, index) => {
    for (const symbol of symbols.slice(next, next + count)) call(symbol, code++, index + 1);
    next += count;
    code <<= 1;
  });
}
