/** Codes have at most 12 bits (GIF89a specification, appendix F). */
const MOST_BITS = 12;
/** Of more than 8 bits they name more colors than a palette has, which browsers do not mind. */
const LARGEST_MINIMUM = 11;

/**
 * Whether the coded pixels of a GIF's frame are at least so many. They are counted without being unpacked: of each
 * string in the table, only its length is known.
 *
 * @param start where the smallest size of codes stands, before the blocks
 */
export function holdsPixels(bytes: Uint8Array, start: number, wanted: number): boolean {
  if (wanted === 0) return true;
  const minimum = bytes[start] ?? 0;
  if (minimum < 1 || minimum > LARGEST_MINIMUM) return false;
  const clear = 1 << minimum;
  const lengths = new Uint16Array(1 << MOST_BITS).fill(1, 0, clear);
  let [next, size, previous, count] = [clear + 2, minimum + 1, 0, 0];
  let [held, heldBits] = [0, 0];
  for (const [from, to] of blocksOf(bytes, start + 1)) {
    for (let at = from; at < to; at++) {
      held |= (bytes[at] ?? 0) << heldBits;
      heldBits += 8;
      while (heldBits >= size) {
        const code = held & ((1 << size) - 1);
        held >>>= size;
        heldBits -= size;
        if (code === clear) {
          [next, size, previous] = [clear + 2, minimum + 1, 0];
          continue;
        }
        // The code behind the clearing one ends the pixels, and a string is made of one before it.
        if (code === clear + 1 || code > next || (previous === 0 && code > clear)) return false;
        const length = code < next ? (lengths[code] ?? 0) : previous + 1;
        if (previous > 0 && next < lengths.length) {
          lengths[next++] = previous + 1;
          if (next === 1 << size && size < MOST_BITS) size++;
        }
        previous = length;
        count += length;
        if (count >= wanted) return true;
      }
    }
  }
  return false;
}

/** Where each block begins and ends, its length left out; they may break off. */
function* blocksOf(bytes: Uint8Array, start: number): Generator<readonly [from: number, to: number]> {
  for (let at = start; at < bytes.length; ) {
    const length = bytes[at] ?? 0;
    if (length === 0) return;
    yield [at + 1, Math.min(bytes.length, at + 1 + length)];
    at += 1 + length;
  }
}
