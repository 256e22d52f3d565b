import { uint32 } from "../../../io/big-endian.ts";
import { lastIndexOf } from "../../../pdf/syntax/characters.ts";

/** The IEND chunk: length, type and checksum. */
export const PNG_END = Uint8Array.of(0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82);
const IDAT = Uint8Array.of(0x49, 0x44, 0x41, 0x54);
const LENGTH_BYTES = 4;
const CHECK_SUM_BYTES = 4;

/**
 * Returns the offset of the last IEND chunk. Searches for its type, because the file may be full of zeros, with which
 * the chunk begins.
 */
export function placeOfEnd(bytes: Uint8Array): number | undefined {
  const [first = 0] = PNG_END.subarray(LENGTH_BYTES);
  for (let at = bytes.lastIndexOf(first); at >= LENGTH_BYTES; at = bytes.lastIndexOf(first, at - 1)) {
    const place = at - LENGTH_BYTES;
    if (PNG_END.every((byte, index) => bytes[place + index] === byte)) return place;
  }
  return undefined;
}

/**
 * Whether only the IEND chunk follows the pixels. False when the last IDAT chunk begins before the given bytes.
 *
 * @param tail the last bytes of the file
 */
export function endsBehindPixels(tail: Uint8Array): boolean {
  const end = tail.length - PNG_END.length;
  if (!PNG_END.every((byte, index) => tail[end + index] === byte)) return false;
  const at = lastIndexOf(tail, IDAT);
  return at >= LENGTH_BYTES && at + IDAT.length + uint32(tail, at - LENGTH_BYTES) + CHECK_SUM_BYTES === end;
}
