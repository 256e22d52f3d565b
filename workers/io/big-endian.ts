/** Reads an unsigned 16-bit big-endian number at `at`. Missing bytes count as 0. */
export function uint16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

/** Reads an unsigned 32-bit big-endian number at `at`. Missing bytes count as 0. */
export function uint32(bytes: Uint8Array, at: number): number {
  return uint16(bytes, at) * 0x10000 + uint16(bytes, at + 2);
}
