import type { ByteSource } from "../../pdf/bytes/source.ts";
import { uint32 } from "../containers/big-endian.ts";
import { readPng } from "../containers/png.ts";
import type { EmbeddedImage } from "./embedded-image.ts";

/** Larger files are read as they go, so that they need not be in memory as a whole. */
const LARGEST_HELD = 64 * 1024 * 1024;
/** Chunks from this length on become slices of the file, which nobody reads. */
const WORTH_A_SLICE = 256 * 1024;

/**
 * A PNG whose pixels lie in small chunks (libpng's have 8 KB), held as a whole: all of it has to be read, and to do so
 * at once takes half the time. Undefined for others, and for what is too large.
 *
 * The bytes are nobody else's.
 */
export async function heldIfScattered(
  file: Blob,
  source: ByteSource,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (file.size > LARGEST_HELD || !isScattered(source)) return undefined;
  // A file that is gone is found out, and said, by who reads the source.
  const buffer = await file.arrayBuffer().catch(() => undefined);
  return buffer && new Uint8Array(buffer);
}

function isScattered(source: ByteSource): boolean {
  try {
    const [pixels] = readPng(source, "pixels").data;
    if (pixels?.kind !== "range") return false;
    // A chunk's length and name stand before its content.
    const length = uint32(source.read(pixels.start - 8, pixels.start - 4), 0);
    const next = pixels.start + length + 4;
    const name = String.fromCharCode(...source.read(next + 4, next + 8));
    return length < WORTH_A_SLICE && name === "IDAT";
  } catch {
    return false;
  }
}

/**
 * The image with its data in one piece, which is put together where it lies: `held` is then good for nothing else.
 *
 * @param held the file that the image is of
 */
export function joinedInPlace(image: EmbeddedImage, held: Uint8Array): EmbeddedImage {
  const [first, ...others] = image.data;
  if (first?.kind !== "range") return image;
  let end = first.end;
  for (const piece of others) {
    if (piece.kind !== "range") return image;
    held.copyWithin(end, piece.start, piece.end);
    end += piece.end - piece.start;
  }
  return { ...image, data: [{ kind: "bytes", bytes: held.subarray(first.start, end) }] };
}
