import { ServiceError } from "../../../src/shared/errors.ts";

/** The metadata of an image file, and the color space of its pixels. */
export interface Metadata {
  /** A TIFF structure (Exif 3.0, 4.6), without the signature of JPEG. */
  readonly exif?: Uint8Array | undefined;
  /** Whether EXIF was not read because it is too long. */
  readonly isExifTooLong?: boolean | undefined;
  /** An XMP packet in UTF-8. */
  readonly xmp?: Uint8Array | undefined;
  /** Whether XMP was not read because it is too long. */
  readonly isXmpTooLong?: boolean | undefined;
  /** Extended XMP: the part that does not fit into one segment of a JPEG. */
  readonly extendedXmp?: Uint8Array | undefined;
  /** The ICC profile of the pixel values. */
  readonly icc?: Uint8Array | undefined;
  /** The color space of the pixels, where it is stated without an ICC profile. */
  readonly colorRecords?: readonly ColorRecord[] | undefined;
}

/** A statement about a color space, such as its gamma: the type and the data of a PNG chunk. */
export interface ColorRecord {
  readonly name: string;
  readonly data: Uint8Array;
}

/** The first bytes of the EXIF and the XMP segment of a JPEG. Other formats can hold such segments, too. */
export const APP1_SIGNATURE = { exif: "Exif\0\0", xmp: "http://ns.adobe.com/xap/1.0/\0" } as const;

/** Whether there is anything to write. */
export function hasMetadata(metadata: Metadata | undefined): metadata is Metadata {
  return metadata !== undefined && Object.values(metadata).some((part) => part !== undefined);
}

/**
 * Returns the metadata, if all of it was read.
 *
 * @throws {ServiceError} `invalid_parameter` when some of it was too long to read
 */
export function allRead<Read extends Pick<Metadata, "isExifTooLong" | "isXmpTooLong">>(metadata: Read): Read {
  if (metadata.isExifTooLong) throw tooLong("EXIF block");
  if (metadata.isXmpTooLong) throw tooLong("XMP packet");
  return metadata;
}

function tooLong(what: string): ServiceError {
  return new ServiceError(
    "invalid_parameter",
    `The image's ${what} is longer than Stayput reads: convert it without keep_metadata.`,
    { parameter: "keep_metadata" },
  );
}
