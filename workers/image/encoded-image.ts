import { FORMATS, type FormatId } from "../../src/shared/formats.ts";

/** An encoded image file. Bytes where the encoder has them in memory. */
export type EncodedImage = Blob | Uint8Array<ArrayBuffer>;

/** Returns an encoded image as a Blob of its MIME type. */
export function asBlob(content: EncodedImage, format: FormatId): Blob {
  return content instanceof Blob ? content : new Blob([content], { type: FORMATS[format].mime });
}
