import {
  ENTRY_BYTES,
  isOrientation,
  type PixelSize,
  withoutExifSignature,
  writeOrientation,
  writePixelSize,
} from "./exif.ts";
import type { Metadata } from "./metadata.ts";

/**
 * Returns the metadata of a picture whose pixels are upright, so that readers do not rotate it again. Drops the link
 * to the EXIF thumbnail, which is not upright. EXIF states the size of the picture.
 */
export function uprightMetadata(metadata: Metadata, size: PixelSize): Metadata {
  const { exif, xmp } = metadata;
  return { ...metadata, exif: exif && uprightExif(exif, size), xmp: xmp && uprightXmp(xmp) };
}

function uprightExif(exif: Uint8Array, size: PixelSize): Uint8Array {
  const copy = withoutExifSignature(exif).slice();
  writePixelSize(copy, size);
  const view = new DataView(copy.buffer);
  if (copy.length < 8) return copy;
  const little = view.getUint16(0) === 0x4949;
  const directory = view.getUint32(4, little);
  if (directory + 2 > copy.length) return copy;
  const count = view.getUint16(directory, little);
  const end = directory + 2 + count * ENTRY_BYTES;
  for (let at = directory + 2; at + ENTRY_BYTES <= Math.min(end, copy.length); at += ENTRY_BYTES) {
    if (isOrientation(view, at, little)) writeOrientation(view, at, little, 1);
  }
  // The next directory is that of the thumbnail.
  if (end + 4 <= copy.length) view.setUint32(end, 0, little);
  return copy;
}

/**
 * Replaces the orientation as an element or as an attribute. The length stays, so that the padding of the packet fits.
 */
function uprightXmp(xmp: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(xmp);
  const upright = text.replaceAll(
    /(tiff:Orientation(?:>|=["'])\s*)[2-8]/g,
    (_, before: string) => `${before}1`,
  );
  return upright === text ? xmp : new TextEncoder().encode(upright);
}
