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

// In 1/256, as in libheif.
const R_FROM_CR = 359;
const G_FROM_CB = -88;
const G_FROM_CR = -183;
const B_FROM_CB = 454;
/** Interpolated chroma is in 1/16. */
const SHIFT = 12;
const HALF = 2 ** (SHIFT - 1);
const NEUTRAL = 16 * 128;

/**
 * Returns red, green, blue and alpha of each pixel. Chroma is interpolated between the centers of its samples (JFIF 1.02,
 * sampling): three quarters of the nearest sample and one of the next, across and down.
 *
 * @param chroma the size of the chroma planes: half the picture, or the picture itself, across and down
 * @param rows the rows that are returned. All by default
 */
export function pixelsOfPlanes(
  { luma, cb, cr }: Planes,
  { width, height }: Size,
  chroma = chromaSize({ width, height }),
  rows = { first: 0, count: height },
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(4 * width * rows.count);
  const across = chroma.width < width ? 1 : 0;
  const down = chroma.height < height ? 1 : 0;
  const cbRow = new Int32Array(chroma.width + 2);
  const crRow = new Int32Array(chroma.width + 2);
  for (let row = 0, at = 0; row < rows.count; row++) {
    const y = rows.first + row;
    interpolateDown(cb, chroma, { y, down }, cbRow);
    interpolateDown(cr, chroma, { y, down }, crRow);
    for (let x = 0; x < width; x++, at += 4) {
      const nearest = (x >> across) + 1;
      const next = nearest + across * (2 * (x & 1) - 1);
      const light = luma[y * width + x] ?? 0;
      const blue = 3 * (cbRow[nearest] ?? 0) + (cbRow[next] ?? 0) - NEUTRAL;
      const red = 3 * (crRow[nearest] ?? 0) + (crRow[next] ?? 0) - NEUTRAL;
      pixels[at] = light + ((R_FROM_CR * red + HALF) >> SHIFT);
      pixels[at + 1] = light + ((G_FROM_CB * blue + G_FROM_CR * red + HALF) >> SHIFT);
      pixels[at + 2] = light + ((B_FROM_CB * blue + HALF) >> SHIFT);
      pixels[at + 3] = 255;
    }
  }
  return pixels;
}

/** Writes a row of chroma in 1/4, from the second value on. The first and the last sample are repeated at the ends. */
function interpolateDown(
  plane: Uint8Array,
  { width, height }: Size,
  { y, down }: { readonly y: number; readonly down: 0 | 1 },
  into: Int32Array,
): void {
  const nearest = y >> down;
  const next = Math.min(height - 1, Math.max(0, nearest + down * (2 * (y & 1) - 1)));
  for (let x = 0; x < width; x++)
    into[x + 1] = 3 * (plane[nearest * width + x] ?? 0) + (plane[next * width + x] ?? 0);
  into[0] = into[1] ?? 0;
  into[width + 1] = into[width] ?? 0;
}
