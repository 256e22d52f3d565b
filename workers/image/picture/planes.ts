import type { Size } from "./size.ts";

/**
 * The values of an opaque picture as JPEG has them (JFIF 1.02: BT.601 in full range), a byte each, row after row from
 * the top: as many of luma as there are pixels, and of both kinds of chroma one for two pixels across and down.
 */
export interface Planes {
  readonly luma: Uint8Array<ArrayBuffer>;
  readonly blue: Uint8Array<ArrayBuffer>;
  readonly red: Uint8Array<ArrayBuffer>;
}

/** Of a picture's chroma. */
export function chromaSize({ width, height }: Size): Size {
  return { width: Math.ceil(width / 2), height: Math.ceil(height / 2) };
}

/** Of zeros, one behind the other. */
export function newPlanes(size: Size): Planes {
  const chroma = chromaSize(size);
  const [pixels, pairs] = [size.width * size.height, chroma.width * chroma.height];
  const values = new Uint8Array(pixels + 2 * pairs);
  return {
    luma: values.subarray(0, pixels),
    blue: values.subarray(pixels, pixels + pairs),
    red: values.subarray(pixels + pairs),
  };
}

/** Black. */
export function emptyPlanes(size: Size): Planes {
  const planes = newPlanes(size);
  planes.blue.fill(128);
  planes.red.fill(128);
  return planes;
}

// In 256ths, and rounded as libheif does, so that both give the same values.
const RED = 359;
const GREEN_BLUE = -88;
const GREEN_RED = -183;
const BLUE = 454;
const HALF = 128;

/** Red, green, blue and alpha of each pixel. */
export function pixelsOfPlanes(
  { luma, blue, red }: Planes,
  { width, height }: Size,
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(4 * width * height);
  const chromaWidth = chromaSize({ width, height }).width;
  for (let y = 0, at = 0; y < height; y++) {
    const chromaRow = (y >> 1) * chromaWidth;
    for (let x = 0; x < width; x++, at++) {
      const light = luma[at] ?? 0;
      const cb = (blue[chromaRow + (x >> 1)] ?? 0) - 128;
      const cr = (red[chromaRow + (x >> 1)] ?? 0) - 128;
      pixels[4 * at] = light + ((RED * cr + HALF) >> 8);
      pixels[4 * at + 1] = light + ((GREEN_BLUE * cb + GREEN_RED * cr + HALF) >> 8);
      pixels[4 * at + 2] = light + ((BLUE * cb + HALF) >> 8);
      pixels[4 * at + 3] = 255;
    }
  }
  return pixels;
}
