/// <reference path="./untyped-packages.d.ts" />
import {
  JpegImage,
  setVerbosityLevel,
  VerbosityLevel,
} from "pdfjs-dist/image_decoders/pdf.image_decoders.mjs";
import { concatBytes } from "../../../../io/concat-bytes.ts";

setVerbosityLevel(VerbosityLevel.ERRORS);

/** An empty comment, and the end. */
const COMMENT_AND_END = Uint8Array.of(0xff, 0xfe, 0, 2, 0xff, 0xd9);

/** What a JPEG of four inks holds. */
export interface Inks {
  readonly width: number;
  readonly height: number;
  /** Cyan, magenta, yellow and black of each pixel as they are stored, row after row from the top. */
  readonly samples: Uint8ClampedArray;
}

/**
 * Decodes a JPEG to its inks, YCCK as CMYK.
 *
 * @returns nothing for one that has not four, or cannot be decoded
 */
export function storedInks(bytes: Uint8Array): Inks | undefined {
  try {
    const jpeg = new JpegImage();
    jpeg.parse(bytes);
    const { width, height, numComponents } = jpeg;
    if (numComponents !== 4) return undefined;
    return { width, height, samples: jpeg.getData({ width, height, isSourcePDF: true }) };
  } catch (thrown) {
    // For want of memory.
    if (thrown instanceof RangeError) throw thrown;
    return undefined;
  }
}

/**
 * Whether a JPEG that ends with its end marker can be decoded to its last pixel, in whatever colors.
 *
 * Where coded data is missing, the decoder makes do with an end marker, but with no other.
 */
export function isSoundlyCoded(bytes: Uint8Array): boolean {
  try {
    new JpegImage().parse(concatBytes([bytes.subarray(0, -2), COMMENT_AND_END]));
    return true;
  } catch (thrown) {
    // For want of memory.
    if (thrown instanceof RangeError) throw thrown;
    return false;
  }
}
