import { uint32 } from "../../../io/big-endian.ts";
import { concatBytes } from "../../../io/concat-bytes.ts";
import { crc32 } from "../../../io/crc32.ts";
import { PNG_END, placeOfEnd } from "./end-chunk.ts";

const SIGNATURE_BYTES = 8;
const FRAME_BYTES = 12;
const HEADER_BYTES = 13;
/** The picture itself: kept whatever its check sums say. */
const NEEDED: readonly string[] = ["IHDR", "PLTE", "IDAT"];
/** How its colors are meant: kept where nothing is wrong with it. */
const WELCOME: readonly string[] = ["tRNS", "cICP", "iCCP", "sRGB", "gAMA", "cHRM", "eXIf"];
const VALUES: readonly string[] = ["tRNS"];
const MOST_CHUNKS = 1_000_000;

/**
 * A damaged PNG with what can be mended mended: check sums and lengths that are wrong, chunks that make no sense, an
 * end that is missing. Pixels that are cut off cannot be mended.
 *
 * @param content `"values"` leaves out what says how colors are meant
 * @returns undefined when there is nothing to be had of it
 */
export function repairedPng(
  bytes: Uint8Array<ArrayBuffer>,
  content: "picture" | "values" = "picture",
): Uint8Array<ArrayBuffer> | undefined {
  const welcome = content === "picture" ? WELCOME : VALUES;
  const parts: Uint8Array<ArrayBuffer>[] = [bytes.subarray(0, SIGNATURE_BYTES)];
  const pngEnd = placeOfEnd(bytes);
  let hasPixels = false;
  let at = SIGNATURE_BYTES;
  for (let count = 0; count < MOST_CHUNKS && at + FRAME_BYTES <= bytes.length; count++) {
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const end = at + FRAME_BYTES + uint32(bytes, at);
    if (count === 0 && (name !== "IHDR" || end !== at + FRAME_BYTES + HEADER_BYTES)) return undefined;
    if (name === "IEND") break;
    if (end > bytes.length) {
      if (name !== "IDAT") break;
      if (pngEnd === undefined) return undefined;
      parts.push(clipped(bytes.subarray(at, pngEnd)));
      hasPixels = true;
      break;
    }
    const isWhole = crc32(bytes.subarray(at + 4, end - 4)) === uint32(bytes, end - 4);
    if (NEEDED.includes(name)) parts.push(withCheckSum(bytes.subarray(at, end)));
    else if (welcome.includes(name) && isWhole) parts.push(bytes.subarray(at, end));
    hasPixels ||= name === "IDAT";
    at = end;
  }
  if (!hasPixels) return undefined;
  parts.push(PNG_END);
  return concatBytes(parts);
}

/** Whether the chunks of a PNG's pixels are whole, their check sums right. */
export function hasIntactPixels(bytes: Uint8Array): boolean {
  for (let at = SIGNATURE_BYTES; at + FRAME_BYTES <= bytes.length; ) {
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const end = at + FRAME_BYTES + uint32(bytes, at);
    if (name === "IEND") return true;
    if (end > bytes.length) return false;
    if (name === "IDAT" && crc32(bytes.subarray(at + 4, end - 4)) !== uint32(bytes, end - 4)) return false;
    at = end;
  }
  return false;
}

/** The pixels of a chunk that says that it is longer than it can be: all that is there. */
function clipped(chunk: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const copy = chunk.slice();
  new DataView(copy.buffer).setUint32(0, copy.length - FRAME_BYTES);
  return withCheckSum(copy);
}

function withCheckSum(chunk: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const copy = chunk.slice();
  new DataView(copy.buffer).setUint32(copy.length - 4, crc32(copy.subarray(4, -4)));
  return copy;
}
