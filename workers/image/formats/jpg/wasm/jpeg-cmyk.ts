/// <reference path="./pdfjs-dist.d.ts" />
import {
  JpegImage,
  setVerbosityLevel,
  VerbosityLevel,
} from "pdfjs-dist/image_decoders/pdf.image_decoders.mjs";

setVerbosityLevel(VerbosityLevel.ERRORS);

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
