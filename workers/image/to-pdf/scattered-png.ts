import { ServiceError } from "../../../src/shared/errors.ts";
import { uint32 } from "../../io/big-endian.ts";
import { WORTH_A_SLICE } from "../../io/byte-ranges.ts";
import type { ByteSource } from "../../io/source.ts";
import { readPng } from "../formats/png/read-png.ts";
import type { EmbeddedImage } from "./embedded-image.ts";

/** Whether the pixels of a PNG are in small chunks (of 8 KB in libpng), so that the whole file must be read. */
export function isScattered(source: ByteSource): boolean {
  try {
    const [pixels] = readPng(source, "pixels").data;
    if (pixels?.kind !== "range") return false;
    // The length and the type of a chunk are before its content.
    const length = uint32(source.read(pixels.start - 8, pixels.start - 4), 0);
    const next = pixels.start + length + 4;
    const name = String.fromCharCode(...source.read(next + 4, next + 8));
    return length < WORTH_A_SLICE && name === "IDAT";
  } catch (thrown) {
    if (thrown instanceof ServiceError) return false;
    throw thrown;
  }
}

/**
 * Returns the image with its data in one piece. Joins the data in place, which overwrites `held`.
 *
 * @param held the file of the image
 */
export function joinedInPlace(image: EmbeddedImage, held: Uint8Array): EmbeddedImage {
  const ranges = image.data.flatMap((piece) => (piece.kind === "range" ? [piece] : []));
  const start = ranges[0]?.start;
  if (start === undefined || ranges.length < image.data.length) return image;
  let end = start;
  for (const piece of ranges) {
    held.copyWithin(end, piece.start, piece.end);
    end += piece.end - piece.start;
  }
  return { ...image, data: [{ kind: "bytes", bytes: held.subarray(start, end) }] };
}
