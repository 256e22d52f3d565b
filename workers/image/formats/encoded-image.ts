import { entryName } from "../../../src/shared/entry-name.ts";
import { FORMATS, type FormatId } from "../../../src/shared/formats.ts";
import { padded } from "../../../src/shared/page-selection.ts";

/** An encoded image file. Bytes where the encoder has them in memory. */
export type EncodedImage = Blob | Uint8Array<ArrayBuffer>;

/** Returns an encoded image as a Blob of its MIME type. */
export function asBlob(content: EncodedImage, format: FormatId): Blob {
  return content instanceof Blob ? content : new Blob([content], { type: FORMATS[format].mime });
}

/** Returns the length of an encoded image, in bytes. */
export function bytesIn(encoded: EncodedImage): number {
  return encoded instanceof Blob ? encoded.size : encoded.length;
}

/**
 * Returns the name of one of several images in an archive: its number has as many digits as the last one.
 *
 * @param count the number of images or pages in the file
 */
export function numberedName(name: string, number: number, count: number, extension: string): string {
  return entryName(name, `-${padded(number, count)}.${extension}`);
}
