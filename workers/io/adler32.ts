const MODULUS = 65_521;

/** Returns the Adler-32 checksum of zlib (RFC 1950, 8.2). */
export function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (const byte of bytes) {
    low = (low + byte) % MODULUS;
    high = (high + low) % MODULUS;
  }
  return high * 0x10000 + low;
}
