const HASH_BITS = 13;
/** Matches are looked for by their first four bytes. */
const SHORTEST = 4;
const LONGEST = 258;
/** A distance has to be one that Deflate can say. */
const FARTHEST = 32768;
/** So many places are looked at for each match. */
const TRIES = 4;
/** A match of this length is taken at once. */
const GOOD = 32;
/** Positions of all data together, before the tables are cleared. */
const MOST_POSITIONS = 0x3fffffff;

/**
 * Data as literals and matches, which are repetitions of what came before (LZ77). The tables are used again for the next
 * data: what was put in them for earlier ones is told by its position.
 */
export class Matches {
  /** Literals, and matches as `distance << 9 | length`. */
  readonly symbols: Uint32Array;
  count = 0;
  readonly #heads = new Int32Array(1 << HASH_BITS);
  readonly #earlier: Int32Array;
  /** The position of the data's first byte. */
  #base = 1;

  /** @param most how long data may be at the most */
  constructor(most: number) {
    this.symbols = new Uint32Array(most);
    this.#earlier = new Int32Array(most);
  }

  /** Looks through data; the result is in {@link symbols}. */
  find(data: Uint8Array): void {
    const { symbols } = this;
    const heads = this.#heads;
    const earlier = this.#earlier;
    const base = this.#base;
    const { length } = data;
    const last = length - SHORTEST;
    let count = 0;
    let at = 0;
    let four = length >= SHORTEST ? fourAt(data, 0) : 0;
    while (at <= last) {
      const hash = hashOf(four);
      let candidate = (heads[hash] as number) - base;
      earlier[at] = candidate;
      heads[hash] = at + base;
      const most = Math.min(LONGEST, length - at);
      let best = SHORTEST - 1;
      let distance = 0;
      for (let tries = TRIES; candidate >= 0 && at - candidate <= FARTHEST && tries > 0; tries--) {
        if (data[candidate + best] === data[at + best]) {
          let same = 0;
          while (same < most && data[candidate + same] === data[at + same]) same++;
          if (same > best) {
            best = same;
            distance = at - candidate;
            if (same >= GOOD || same === most) break;
          }
        }
        candidate = earlier[candidate] as number;
      }
      if (distance === 0) {
        symbols[count++] = data[at++] as number;
        if (at <= last) four = next(four, data, at);
        continue;
      }
      symbols[count++] = (distance << 9) | best;
      const end = at + best;
      for (at++; at < end && at <= last; at++) {
        four = next(four, data, at);
        const inside = hashOf(four);
        earlier[at] = (heads[inside] as number) - base;
        heads[inside] = at + base;
      }
      at = end;
      if (at <= last) four = next(four, data, at);
    }
    for (; at < length; at++) symbols[count++] = data[at] as number;
    this.count = count;
    this.#base += length;
    if (this.#base < MOST_POSITIONS) return;
    heads.fill(0);
    this.#base = 1;
  }
}

function fourAt(data: Uint8Array, at: number): number {
  return (
    (data[at] as number) |
    ((data[at + 1] as number) << 8) |
    ((data[at + 2] as number) << 16) |
    ((data[at + 3] as number) << 24)
  );
}

/** The four bytes at `at`, those before it given. */
const next = (four: number, data: Uint8Array, at: number) =>
  (four >>> 8) | ((data[at + SHORTEST - 1] as number) << 24);

const hashOf = (four: number) => Math.imul(four, 0x9e3779b1) >>> (32 - HASH_BITS);
