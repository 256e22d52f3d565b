import type { Subsampling } from "../../codecs/jpeg/index.ts";
import type { Size } from "./size.ts";

/**
 * The values of an opaque picture in the color space of JPEG (JFIF 1.02: BT.601 in full range), one byte each, row by
 * row from the top. Luma has one value per pixel. Cb and Cr have one value for two by two pixels.
 */
export interface Planes {
  readonly luma: Uint8Array<ArrayBuffer>;
  readonly cb: Uint8Array<ArrayBuffer>;
  readonly cr: Uint8Array<ArrayBuffer>;
}

/** How many pixels share a chroma sample, in frames of each format that has planes. */
export const SUBSAMPLINGS = new Map<string | null, Subsampling>([
  ["I420", { across: 2, down: 2 }],
  ["I422", { across: 2, down: 1 }],
  ["I444", { across: 1, down: 1 }],
]);

/** Returns the size of the chroma planes. */
export function chromaSize({ width, height }: Size, subsampling: Subsampling = { across: 2, down: 2 }): Size {
  return { width: Math.ceil(width / subsampling.across), height: Math.ceil(height / subsampling.down) };
}

/** Returns planes of zeros in one buffer. */
export function newPlanes(size: Size, chroma = chromaSize(size)): Planes {
  const [pixels, pairs] = [size.width * size.height, chroma.width * chroma.height];
  const values = new Uint8Array(pixels + 2 * pairs);
  return {
    luma: values.subarray(0, pixels),
    cb: values.subarray(pixels, pixels + pairs),
    cr: values.subarray(pixels + pairs),
  };
}

// In 1/256, rounded as in libheif, so that both give the same values.
const R_FROM_CR = 359;
const G_FROM_CB = -88;
const G_FROM_CR = -183;
const B_FROM_CB = 454;
const HALF = 128;

/**
 * Returns red, green, blue and alpha of each pixel.
 *
 * @param chroma the size of the chroma planes: half the picture, or the picture itself
 */
export function pixelsOfPlanes(
  { luma, cb: cbPlane, cr: crPlane }: Planes,
  { width, height }: Size,
  chroma = chromaSize({ width, height }),
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(4 * width * height);
  const chromaWidth = chroma.width;
  const across = chromaWidth < width ? 1 : 0;
  const down = chroma.height < height ? 1 : 0;
  for (let y = 0, at = 0; y < height; y++) {
    const chromaRow = (y >> down) * chromaWidth;
    for (let x = 0; x < width; x++, at++) {
      const light = luma[at] ?? 0;
      const cb = (cbPlane[chromaRow + (x >> across)] ?? 0) - 128;
      const cr = (crPlane[chromaRow + (x >> across)] ?? 0) - 128;
      pixels[4 * at] = light + ((R_FROM_CR * cr + HALF) >> 8);
      pixels[4 * at + 1] = light + ((G_FROM_CB * cb + G_FROM_CR * cr + HALF) >> 8);
      pixels[4 * at + 2] = light + ((B_FROM_CB * cb + HALF) >> 8);
      pixels[4 * at + 3] = 255;
    }
  }
  return pixels;
}
