/** The longest LZW code (GIF89a specification, appendix F). */
const MOST_BITS = 12;
/**
 * The largest initial code size that browsers accept. Codes of more than 8 bits name more colors than a palette has.
 */
const LARGEST_MINIMUM = 11;

/**
 * Whether a frame has at least that many pixels. Counts them without decoding: only the length of each string in the
 * table is known.
 *
 * @param start the offset of the initial code size, before the blocks
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
        // The code after the clear code ends the pixels. A string extends an earlier one.
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

/** Yields the start and the end of each data block, without its length byte. The last block may be cut off. */
function* blocksOf(bytes: Uint8Array, start: number): Generator<readonly [from: number, to: number]> {
  for (let at = start; at < bytes.length; ) {
    const length = bytes[at] ?? 0;
    if (length === 0) return;
    yield [at + 1, Math.min(bytes.length, at + 1 + length)];
    at += 1 + length;
  }
}
