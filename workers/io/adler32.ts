const MODULUS = 65_521;

/**
 * Returns the Adler-32 checksum of zlib (RFC 1950, 8.2).
 *
 * @param before the checksum of the bytes before
 */
export function adler32(bytes: Uint8Array, before = 1): number {
  let low = before % 0x10000;
  let high = Math.floor(before / 0x10000);
  for (const byte of bytes) {
    low = (low + byte) % MODULUS;
    high = (high + low) % MODULUS;
  }
  return high * 0x10000 + low;
}
