/// <reference path="./untyped-packages.d.ts" />
import {
  JpegImage,
  setVerbosityLevel,
  VerbosityLevel,
} from "pdfjs-dist/image_decoders/pdf.image_decoders.mjs";

setVerbosityLevel(VerbosityLevel.ERRORS);

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
