/// <reference path="./untyped-packages.d.ts" />
import {
  JpegImage,
  setVerbosityLevel,
  VerbosityLevel,
} from "pdfjs-dist/image_decoders/pdf.image_decoders.mjs";
import { concatBytes } from "../../../../io/concat-bytes.ts";

setVerbosityLevel(VerbosityLevel.ERRORS);

/** An empty comment and the end marker. */
const COMMENT_AND_END = Uint8Array.of(0xff, 0xfe, 0, 2, 0xff, 0xd9);

/** The samples of a CMYK JPEG. */
interface Inks {
  readonly width: number;
  readonly height: number;
  /** Cyan, magenta, yellow and black of each pixel as stored, row by row from the top. */
  readonly samples: Uint8ClampedArray;
}

/**
 * Decodes a JPEG to CMYK samples. Converts YCCK to CMYK.
 *
 * @returns `undefined` for another JPEG, or one that cannot be decoded
 */
export function storedInks(bytes: Uint8Array): Inks | undefined {
  try {
    const jpeg = new JpegImage();
    jpeg.parse(bytes);
    const { width, height, numComponents } = jpeg;
    if (numComponents !== 4) return undefined;
    return { width, height, samples: jpeg.getData({ width, height, isSourcePDF: true }) };
  } catch (thrown) {
    // Memory is short.
    if (thrown instanceof RangeError) throw thrown;
    return undefined;
  }
}

/**
 * Whether a JPEG with an end marker can be decoded to its last pixel, in any color space.
 *
 * When coded data is missing, PDF.js accepts an end marker, but no other marker. So a comment precedes it here.
 */
export function isSoundlyCoded(bytes: Uint8Array): boolean {
  try {
    new JpegImage().parse(concatBytes([bytes.subarray(0, -2), COMMENT_AND_END]));
    return true;
  } catch (thrown) {
    // Memory is short.
    if (thrown instanceof RangeError) throw thrown;
    return false;
  }
}
