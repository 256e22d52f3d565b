import { ENTRY_BYTES, isOrientation, withoutExifSignature, writeOrientation } from "./exif.ts";
import type { Metadata } from "./metadata.ts";

/**
 * Metadata for a picture that is stored upright: whoever reads it must not turn the picture again. The small preview
 * that EXIF may hold is no longer pointed at, since it is not upright.
 */
export function uprightMetadata(metadata: Metadata): Metadata {
  const { exif, xmp } = metadata;
  return { ...metadata, exif: exif && uprightExif(exif), xmp: xmp && uprightXmp(xmp) };
}

function uprightExif(exif: Uint8Array): Uint8Array {
  const copy = withoutExifSignature(exif).slice();
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
  // The next directory is the preview's.
  if (end + 4 <= copy.length) view.setUint32(end, 0, little);
  return copy;
}

/** As an element or as an attribute; the replacement is as long, so that a packet's padding still fits. */
function uprightXmp(xmp: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(xmp);
  const upright = text.replaceAll(
    /(tiff:Orientation(?:>|=["'])\s*)[2-8]/g,
    (_, before: string) => `${before}1`,
  );
  return upright === text ? xmp : new TextEncoder().encode(upright);
}
