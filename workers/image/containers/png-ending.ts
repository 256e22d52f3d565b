import { uint32 } from "./big-endian.ts";

/** The chunk that ends every PNG: its length, its name, its check sum. */
export const PNG_END = Uint8Array.of(0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82);
const IDAT = Uint8Array.of(0x49, 0x44, 0x41, 0x54);
const CHECK_SUM_BYTES = 4;

/** Whether a PNG goes on to its end marker: one that does not is cut off, whatever else may be wrong with it. */
export function hasPngEnd(bytes: Uint8Array): boolean {
  return placeOfEnd(bytes) !== undefined;
}

/** Where the last end marker begins. */
export function placeOfEnd(bytes: Uint8Array): number | undefined {
  return lastPlace(bytes, PNG_END, 4, () => true);
}

/**
 * Whether a PNG's pixels are followed by nothing but its end, where a chunk of pixels begins in what is given: else
 * nobody knows what comes behind them.
 *
 * @param tail the file's last bytes
 */
export function endsBehindPixels(tail: Uint8Array): boolean {
  const end = tail.length - PNG_END.length;
  if (!PNG_END.every((byte, index) => tail[end + index] === byte)) return false;
  const isLast = (at: number) => at >= 4 && at + IDAT.length + uint32(tail, at - 4) + CHECK_SUM_BYTES === end;
  return lastPlace(tail, IDAT, 0, isLast) !== undefined;
}

/**
 * The last place where a pattern begins, as long as something holds there.
 *
 * @param rare which of the pattern's bytes is looked for first
 */
function lastPlace(
  bytes: Uint8Array,
  pattern: Uint8Array,
  rare: number,
  holds: (at: number) => boolean,
): number | undefined {
  const [byte = 0] = pattern.subarray(rare);
  for (let end = bytes.length; end > rare; ) {
    const found = bytes.subarray(0, end).lastIndexOf(byte);
    const at = found - rare;
    if (at < 0) return undefined;
    if (pattern.every((one, index) => bytes[at + index] === one) && holds(at)) return at;
    end = found;
  }
  return undefined;
}
