import { uint32 } from "./big-endian.ts";
import { crc32 } from "./crc32.ts";

const SIGNATURE_BYTES = 8;
const FRAME_BYTES = 12;
const HEADER_BYTES = 13;
const END = Uint8Array.of(0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82);
/** The picture itself: kept whatever its check sums say. */
const NEEDED: readonly string[] = ["IHDR", "PLTE", "IDAT"];
/** How its colours are meant: kept where nothing is wrong with it. */
const WELCOME: readonly string[] = ["tRNS", "cICP", "iCCP", "sRGB", "gAMA", "cHRM", "eXIf"];
const MOST_CHUNKS = 1_000_000;

/**
 * A damaged PNG with what can be mended mended: check sums that are wrong, chunks that make no sense, an end that is
 * missing. Pixels that are cut off cannot be mended.
 *
 * @returns undefined when there is nothing to be had of it
 */
export function repairedPng(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined {
  const parts: Uint8Array<ArrayBuffer>[] = [bytes.subarray(0, SIGNATURE_BYTES)];
  let hasPixels = false;
  let at = SIGNATURE_BYTES;
  for (let count = 0; count < MOST_CHUNKS && at + FRAME_BYTES <= bytes.length; count++) {
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const end = at + FRAME_BYTES + uint32(bytes, at);
    if (count === 0 && (name !== "IHDR" || end !== at + FRAME_BYTES + HEADER_BYTES)) return undefined;
    if (name === "IEND") break;
    if (end > bytes.length) {
      if (name === "IDAT") return undefined;
      break;
    }
    const isWhole = crc32(bytes.subarray(at + 4, end - 4)) === uint32(bytes, end - 4);
    if (NEEDED.includes(name)) parts.push(withCheckSum(bytes.subarray(at, end)));
    else if (WELCOME.includes(name) && isWhole) parts.push(bytes.subarray(at, end));
    hasPixels ||= name === "IDAT";
    at = end;
  }
  if (!hasPixels) return undefined;
  parts.push(END);
  const repaired = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let length = 0;
  for (const part of parts) {
    repaired.set(part, length);
    length += part.length;
  }
  return repaired;
}

function withCheckSum(chunk: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const copy = chunk.slice();
  new DataView(copy.buffer).setUint32(copy.length - 4, crc32(copy.subarray(4, -4)));
  return copy;
}
