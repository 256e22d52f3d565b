/** The two bytes at `at` as a number, the high byte first; 0 for bytes that are not there. */
export function uint16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

/** The four bytes at `at` as a number from 0, the highest byte first; 0 for bytes that are not there. */
export function uint32(bytes: Uint8Array, at: number): number {
  return uint16(bytes, at) * 0x10000 + uint16(bytes, at + 2);
}
