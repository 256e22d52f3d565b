import { ServiceError } from "../../../src/shared/errors.ts";
import { type PixelSize, uprightExif } from "./exif.ts";

/** The metadata of an image file, and the ICC profile of its pixels. */
export interface Metadata {
  /** A TIFF structure (Exif 3.0, 4.6), without the signature of JPEG. */
  readonly exif?: Uint8Array | undefined;
  /** An XMP packet in UTF-8. */
  readonly xmp?: Uint8Array | undefined;
  /** Extended XMP: the part that does not fit into one segment of a JPEG. */
  readonly extendedXmp?: Uint8Array | undefined;
  /** Set when there is EXIF or XMP that is too long to be read. */
  readonly isTooLong?: true | undefined;
  /** The ICC profile of the pixel values. */
  readonly icc?: Uint8Array | undefined;
}

/** The first bytes of the EXIF and the XMP segment of a JPEG. Other formats can hold such segments, too. */
export const APP1_SIGNATURE = { exif: "Exif\0\0", xmp: "http://ns.adobe.com/xap/1.0/\0" } as const;

/** Whether there is anything to write. */
export function hasMetadata(metadata: Metadata | undefined): metadata is Metadata {
  return metadata !== undefined && Object.values(metadata).some((part) => part !== undefined);
}

/**
 * Returns metadata that is to be kept, if all of it was read.
 *
 * @throws {ServiceError} `invalid_parameter` when some of it was too long
 */
export function allRead<Read extends Pick<Metadata, "isTooLong">>(metadata: Read): Read {
  if (!metadata.isTooLong) return metadata;
  throw new ServiceError(
    "invalid_parameter",
    "The metadata of the image is too long to be kept. Convert the image without its metadata.",
    { parameter: "keep_metadata" },
  );
}

/** Returns the metadata of a picture whose pixels are upright, so that readers do not rotate it again. */
export function uprightMetadata(metadata: Metadata, size: PixelSize): Metadata {
  const { exif, xmp } = metadata;
  return { ...metadata, exif: exif && uprightExif(exif, size), xmp: xmp && uprightXmp(xmp) };
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
