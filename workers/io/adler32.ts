const MODULUS = 65_521;
/** With this many bytes between two divisions, the sums stay small integers in V8. */
const STEP = 2048;

/**
 * Returns the Adler-32 checksum of zlib (RFC 1950, 8.2).
 *
 * @param before the checksum of the bytes before
 */
export function adler32(bytes: Uint8Array, before = 1): number {
  const { length } = bytes;
  let low = before & 0xffff;
  let high = before >>> 16;
  for (let at = 0; at < length; ) {
    const end = Math.min(length, at + STEP);
    // Four bytes in each round take half as long as one.
    for (; at + 4 <= end; at += 4) {
      const one = bytes[at] as number;
      const two = bytes[at + 1] as number;
      const three = bytes[at + 2] as number;
      const four = bytes[at + 3] as number;
      high += 4 * (low + one) + 3 * two + 2 * three + four;
      low += one + two + three + four;
    }
    for (; at < end; at++) {
      low += bytes[at] as number;
      high += low;
    }
    low %= MODULUS;
    high %= MODULUS;
  }
  return high * 0x10000 + low;
}
