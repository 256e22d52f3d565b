import { uint32 } from "../../../io/big-endian.ts";
import { concatBytes } from "../../../io/concat-bytes.ts";
import { crc32 } from "../../../io/crc32.ts";

/** The IEND chunk: length, type and checksum. */
const PNG_END = Uint8Array.of(0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82);
const LENGTH_BYTES = 4;
const SIGNATURE_BYTES = 8;
const FRAME_BYTES = 12;
const HEADER_BYTES = 13;
/** Chunks that are kept even with a wrong checksum. */
const NEEDED: readonly string[] = ["IHDR", "PLTE", "IDAT"];
/** Chunks that are kept when they are sound. */
const WELCOME: readonly string[] = ["tRNS", "cICP", "iCCP", "sRGB", "gAMA", "cHRM", "eXIf"];
const VALUES: readonly string[] = ["tRNS"];
const MOST_CHUNKS = 1_000_000;

/**
 * Repairs a damaged PNG: wrong checksums and lengths, invalid chunks, a missing end. Missing pixels cannot be repaired.
 *
 * @param content `"values"` leaves out what states the colors
 * @returns `undefined` when the file cannot be repaired
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

/** Whether all IDAT chunks are whole and their checksums right. */
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

/**
 * Returns the offset of the last IEND chunk. Searches for its type, because the file may be full of zeros, with which
 * the chunk begins.
 */
function placeOfEnd(bytes: Uint8Array): number | undefined {
  const [first = 0] = PNG_END.subarray(LENGTH_BYTES);
  for (let at = bytes.lastIndexOf(first); at >= LENGTH_BYTES; at = bytes.lastIndexOf(first, at - 1)) {
    const place = at - LENGTH_BYTES;
    if (PNG_END.every((byte, index) => bytes[place + index] === byte)) return place;
  }
  return undefined;
}

/** Shortens a pixel chunk whose length is too large. */
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
