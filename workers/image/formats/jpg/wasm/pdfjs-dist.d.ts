declare module "pdfjs-dist/image_decoders/pdf.image_decoders.mjs" {
  /** The decoder of PDF.js. Throws when it fails. */
  export class JpegImage {
    readonly width: number;
    readonly height: number;
    readonly numComponents: number;
    parse(bytes: Uint8Array): void;
    /** @param options `isSourcePDF`: samples stay as stored, and YCCK becomes CMYK */
    getData(options: { width: number; height: number; isSourcePDF: boolean }): Uint8ClampedArray;
  }

  export const VerbosityLevel: { readonly ERRORS: number };
  export function setVerbosityLevel(level: number): void;
}
