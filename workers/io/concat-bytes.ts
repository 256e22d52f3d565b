/** Concatenates arrays of bytes. */
export function concatBytes(parts: readonly ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Concatenates arrays of bytes. Returns a single array as it is, without a copy. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  return parts.length === 1 && only ? only : concatBytes(parts);
}
