const MODULUS = 65_521;
/** So many bytes cannot carry the sums beyond what numbers hold exactly. */
const STEP = 2048;

/** The check sum of zlib (RFC 1950, 8.2). */
export function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (let start = 0; start < bytes.length; start += STEP) {
    for (const byte of bytes.subarray(start, start + STEP)) {
      low += byte;
      high += low;
    }
    low %= MODULUS;
    high %= MODULUS;
  }
  return high * 0x10000 + low;
}
