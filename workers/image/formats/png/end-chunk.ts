import { uint32 } from "../../../io/big-endian.ts";
import { lastIndexOf } from "../../../pdf/syntax/characters.ts";

/** The chunk that ends every PNG: its length, its name, its check sum. */
export const PNG_END = Uint8Array.of(0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82);
const IDAT = Uint8Array.of(0x49, 0x44, 0x41, 0x54);
const LENGTH_BYTES = 4;
const CHECK_SUM_BYTES = 4;

/** Where the last end marker begins. Its name is looked for: of zeros, with which it begins, a file may be full. */
export function placeOfEnd(bytes: Uint8Array): number | undefined {
  const [first = 0] = PNG_END.subarray(LENGTH_BYTES);
  for (let at = bytes.lastIndexOf(first); at >= LENGTH_BYTES; at = bytes.lastIndexOf(first, at - 1)) {
    const place = at - LENGTH_BYTES;
    if (PNG_END.every((byte, index) => bytes[place + index] === byte)) return place;
  }
  return undefined;
}

/**
 * Whether a PNG's pixels are followed by nothing but its end, where their last chunk begins in what is given: else nobody
 * knows what comes behind them.
 *
 * @param tail the file's last bytes
 */
export function endsBehindPixels(tail: Uint8Array): boolean {
  const end = tail.length - PNG_END.length;
  if (!PNG_END.every((byte, index) => tail[end + index] === byte)) return false;
  const at = lastIndexOf(tail, IDAT);
  return at >= LENGTH_BYTES && at + IDAT.length + uint32(tail, at - LENGTH_BYTES) + CHECK_SUM_BYTES === end;
}
