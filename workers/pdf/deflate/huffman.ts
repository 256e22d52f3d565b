/** The longest code of literals, lengths and distances in Deflate (RFC 1951, 3.2.7). */
export const LONGEST_CODE = 15;
/** A symbol has nine bits at most: it is sorted together with how often it comes. */
const SYMBOL_BITS = 9;
const SYMBOL = (1 << SYMBOL_BITS) - 1;

/** Room for the depths of one tree: codes are made by the thousand, one at a time. */
const depths = new Uint32Array(288);

/** A Huffman code for up to 288 symbols, made anew for each block. */
export class HuffmanCode {
  /** How often each symbol comes: counted by who uses the code. */
  readonly counts: Uint32Array;
  /** How many bits each symbol's code has; 0 when it has none. */
  readonly lengths: Uint8Array;
  /** The codes, their first bit lowest, as Deflate writes them. */
  readonly codes: Uint16Array;
  readonly #longest: number;
  /** Symbols that come at all, the rarest first, and then the nodes of the tree. */
  readonly #sorted: Uint32Array;

  constructor(symbols: number, longest: number) {
    this.counts = new Uint32Array(symbols);
    this.lengths = new Uint8Array(symbols);
    this.codes = new Uint16Array(symbols);
    this.#longest = longest;
    this.#sorted = new Uint32Array(symbols);
  }

  /** Makes the best code for what was counted whose codes are not too long. */
  make(): void {
    const { counts, lengths } = this;
    lengths.fill(0);
    let used = 0;
    for (let symbol = 0; symbol < counts.length; symbol++) {
      const count = counts[symbol] as number;
      if (count > 0) this.#sorted[used++] = (count << SYMBOL_BITS) | symbol;
    }
    // Readers want two codes, and some of them one at least where none is used.
    for (let symbol = 0; used < 2; symbol++) {
      if (counts[symbol] === 0) this.#sorted[used++] = (1 << SYMBOL_BITS) | symbol;
    }
    const sorted = this.#sorted.subarray(0, used).sort();
    const perLength = this.#limited(lengthsOf(sorted), used);
    let next = used;
    for (let length = 1; length <= this.#longest; length++) {
      for (let left = perLength[length] as number; left > 0; left--) {
        lengths[(sorted[--next] as number) & SYMBOL] = length;
      }
    }
    this.#assign(perLength);
  }

  /** Sets the lengths from outside, and makes the codes for them. */
  setLengths(lengths: (symbol: number) => number): void {
    const perLength = new Uint16Array(this.#longest + 1);
    for (let symbol = 0; symbol < this.lengths.length; symbol++) {
      const length = lengths(symbol);
      this.lengths[symbol] = length;
      perLength[length] = (perLength[length] as number) + 1;
    }
    perLength[0] = 0;
    this.#assign(perLength);
  }

  /** How many bits what was counted takes, without the extra bits of its symbols. */
  cost(counts: Uint32Array = this.counts): number {
    let bits = 0;
    for (let symbol = 0; symbol < counts.length; symbol++) {
      bits += (counts[symbol] as number) * (this.lengths[symbol] as number);
    }
    return bits;
  }

  /** How many codes there are of each length, those that are too long made shorter at the cost of others. */
  #limited(depths: Uint32Array, used: number): Uint16Array {
    const longest = this.#longest;
    const perLength = new Uint16Array(longest + 1);
    for (let at = 0; at < used; at++) {
      const length = Math.min(depths[at] as number, longest);
      perLength[length] = (perLength[length] as number) + 1;
    }
    let room = 0;
    for (let length = 1; length <= longest; length++) {
      room += (perLength[length] as number) << (longest - length);
    }
    for (; room > 1 << longest; room--) {
      perLength[longest] = (perLength[longest] as number) - 1;
      let shorter = longest - 1;
      while (perLength[shorter] === 0) shorter--;
      perLength[shorter] = (perLength[shorter] as number) - 1;
      perLength[shorter + 1] = (perLength[shorter + 1] as number) + 2;
    }
    return perLength;
  }

  /** Codes in order, the shorter before the longer (RFC 1951, 3.2.2). */
  #assign(perLength: Uint16Array): void {
    const next = new Uint16Array(this.#longest + 2);
    for (let length = 1; length <= this.#longest; length++) {
      next[length + 1] = ((next[length] as number) + (perLength[length] as number)) << 1;
    }
    for (let symbol = 0; symbol < this.lengths.length; symbol++) {
      const length = this.lengths[symbol] as number;
      if (length === 0) continue;
      const code = next[length] as number;
      next[length] = code + 1;
      let reversed = 0;
      for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
      this.codes[symbol] = reversed;
    }
  }
}

/**
 * How deep the symbols lie in the best tree (Moffat and Katajainen, "In-place calculation of minimum-redundancy codes",
 * 1995).
 *
 * @param sorted counts with their symbols, the smallest first
 * @returns room that the next call writes into
 */
function lengthsOf(sorted: Uint32Array): Uint32Array {
  const many = sorted.length;
  const tree = depths;
  for (let index = 0; index < many; index++) tree[index] = (sorted[index] as number) >>> SYMBOL_BITS;
  const at = (index: number) => tree[index] as number;
  tree[0] = at(0) + at(1);
  let root = 0;
  let leaf = 2;
  for (let next = 1; next < many - 1; next++) {
    let sum = 0;
    for (let child = 0; child < 2; child++) {
      if (leaf >= many || (root < next && at(root) < at(leaf))) {
        sum += at(root);
        tree[root++] = next;
      } else sum += at(leaf++);
    }
    tree[next] = sum;
  }
  tree[many - 2] = 0;
  for (let next = many - 3; next >= 0; next--) tree[next] = at(at(next)) + 1;
  let available = 1;
  let used = 0;
  let depth = 0;
  let node = many - 2;
  let next = many - 1;
  while (available > 0) {
    for (; node >= 0 && at(node) === depth; node--) used++;
    for (; available > used; available--) tree[next--] = depth;
    available = 2 * used;
    depth++;
    used = 0;
  }
  return tree;
}
