const HASH_BITS = 15;
/** Matches are looked for by their first four bytes. */
const SHORTEST = 4;
const LONGEST = 258;
/** A distance has to be one that Deflate can say. */
export const FARTHEST = 32768;
/** From farther away, so short a match takes more bits than its bytes do by themselves. */
const FARTHEST_OF_FOUR = 1024;
const FARTHEST_OF_FIVE = 8192;
/** So many places are looked at for each match. */
const TRIES = 4;
/** A match of this length is taken at once. */
const GOOD = 32;
/** Of a longer match only the last places are remembered. */
const REMEMBERED_WHOLE = 32;
const REMEMBERED_AT_END = 2;
/** After so many places without a match one more is passed over at a time: pixels with noise have hardly any. */
const PATIENCE_BITS = 5;
const MOST_PASSED_OVER = 8;
/** A block ends after so much: what comes then has symbols that are as common as others. */
const MOST_MATCHES = 8192;
const MOST_LITERALS = 60_000;
/** Positions of all data together, before the tables are cleared. */
const MOST_POSITIONS = 0x3fffffff;

/**
 * Data as literals and matches, which are repetitions of what came before (LZ77). The tables are used again for the next
 * data: what was put in them for earlier ones is told by its position.
 */
export class Matches {
  /** How many literals come, then a match as `distance << 9 | length`, and so on; how many literals come last. */
  readonly runs = new Uint32Array(2 * MOST_MATCHES + 1);
  count = 0;
  readonly #heads = new Int32Array(1 << HASH_BITS);
  /** The place before each that has the same hash. */
  readonly #earlier = new Int32Array(FARTHEST);
  /** The position of the data's first byte. */
  #base = 1;

  /**
   * Looks through data for one block; the result is in {@link runs}.
   *
   * @param start what is before has been looked through
   * @returns where the block ends
   */
  find(data: Uint8Array, start: number, end: number): number {
    const { runs } = this;
    const heads = this.#heads;
    const earlier = this.#earlier;
    const base = this.#base;
    const last = end - SHORTEST;
    let count = 0;
    let literals = 0;
    let barren = 0;
    let done = start;
    let at = start;
    for (; at <= last; at += 1 + Math.min(barren++ >> PATIENCE_BITS, MOST_PASSED_OVER)) {
      if (count + 1 === runs.length || literals + at - done > MOST_LITERALS) break;
      const four = fourAt(data, at);
      const hash = hashOf(four);
      const head = heads[hash] as number;
      let candidate = head - base;
      earlier[(at + base) & (FARTHEST - 1)] = head;
      heads[hash] = at + base;
      if (candidate < 0 || at - candidate > FARTHEST || fourAt(data, candidate) !== four) continue;
      const most = Math.min(LONGEST, end - at);
      let best = lengthFrom(SHORTEST, data, candidate, at, most);
      let distance = at - candidate;
      for (let tries = TRIES; tries > 1 && best < GOOD && best < most; tries--) {
        candidate = (earlier[(candidate + base) & (FARTHEST - 1)] as number) - base;
        if (candidate < 0 || at - candidate > FARTHEST) break;
        if (data[candidate + best] !== data[at + best]) continue;
        const length = lengthFrom(0, data, candidate, at, most);
        if (length <= best) continue;
        best = length;
        distance = at - candidate;
      }
      if (best === SHORTEST && distance > FARTHEST_OF_FOUR) continue;
      if (best === SHORTEST + 1 && distance > FARTHEST_OF_FIVE) continue;
      runs[count++] = at - done;
      runs[count++] = (distance << 9) | best;
      literals += at - done;
      done = at + best;
      const remembered = Math.min(done - 1, last);
      let inside = best > REMEMBERED_WHOLE ? done - REMEMBERED_AT_END : at + 1;
      for (; inside <= remembered; inside++) {
        const hash = hashOf(fourAt(data, inside));
        earlier[(inside + base) & (FARTHEST - 1)] = heads[hash] as number;
        heads[hash] = inside + base;
      }
      at = done - 1;
      barren = 0;
    }
    const stop = at <= last ? at : end;
    runs[count++] = stop - done;
    this.count = count;
    return stop;
  }

  /** What was looked through begins so many bytes later from now on. */
  dropFirst(length: number): void {
    this.#base += length;
    if (this.#base < MOST_POSITIONS) return;
    this.#heads.fill(0);
    this.#base = 1;
  }
}

function lengthFrom(known: number, data: Uint8Array, one: number, other: number, most: number): number {
  let length = known;
  while (length < most && data[one + length] === data[other + length]) length++;
  return length;
}

function fourAt(data: Uint8Array, at: number): number {
  return (
    (data[at] as number) |
    ((data[at + 1] as number) << 8) |
    ((data[at + 2] as number) << 16) |
    ((data[at + 3] as number) << 24)
  );
}

const hashOf = (four: number) => Math.imul(four, 0x9e3779b1) >>> (32 - HASH_BITS);
