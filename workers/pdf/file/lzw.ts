const CLEAR = 256;
const END_OF_DATA = 257;
const CODES = 4096;

/** The largest length of a chunk, in bytes. */
const CHUNK = 64 * 1024;

/**
 * Decodes LZW (ISO 32000-2, 7.4.4.2). Codes have 9 to 12 bits and grow one code early unless `earlyChange` is 0. Stops at
 * the end of the data or at an invalid code.
 *
 * @param onDamage called at an invalid code, and when the code for the end of the data is missing
 */
export function* lzwChunks(
  input: Iterable<Uint8Array>,
  earlyChange: number,
  onDamage: () => void,
): Generator<Uint8Array> {
  const prefix = new Uint16Array(CODES);
  const suffix = new Uint8Array(CODES);
  const lengths = new Uint16Array(CODES).fill(1, 0, 256);
  for (let code = 0; code < 256; code++) suffix[code] = code;
  let out = new Uint8Array(CHUNK);
  let length = 0;
  let next = 258;
  let width = 9;
  let previous = -1;
  let bits = 0;
  let held = 0;
  let isWhole = false;
  decoding: for (const data of input) {
    for (const byte of data) {
      held = ((held << 8) | byte) & 0xffffff;
      bits += 8;
      if (bits < width) continue;
      bits -= width;
      const code = (held >> bits) & ((1 << width) - 1);
      isWhole = code === END_OF_DATA;
      if (isWhole) break decoding;
      if (code === CLEAR) {
        next = 258;
        width = 9;
        previous = -1;
        continue;
      }
      if (code > next || (code === next && previous < 0)) break decoding;
      const isNew = code === next;
      const known = isNew ? previous : code;
      const run = lengths[known] as number;
      const total = isNew ? run + 1 : run;
      if (length + total > CHUNK) {
        yield out.subarray(0, length);
        out = new Uint8Array(CHUNK);
        length = 0;
      }
      let symbol = known;
      for (let at = length + run - 1; at >= length; at--) {
        out[at] = suffix[symbol] as number;
        symbol = prefix[symbol] as number;
      }
      const first = out[length] as number;
      if (isNew) out[length + run] = first;
      length += total;
      if (previous >= 0 && next < CODES) {
        prefix[next] = previous;
        suffix[next] = first;
        lengths[next] = (lengths[previous] as number) + 1;
        next++;
      }
      if (next + earlyChange >= 1 << width && width < 12) width++;
      previous = code;
    }
  }
  if (!isWhole) onDamage();
  // A copy of a short last chunk frees the large buffer.
  yield 2 * length < CHUNK ? out.slice(0, length) : out.subarray(0, length);
}
