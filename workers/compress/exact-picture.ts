import type { GrayPicture, PixelPicture } from "../image/picture/picture.ts";
import type { Size } from "../image/picture/size.ts";

/** A picture as exact values. */
export type ExactPicture = PixelPicture | GrayPicture;

/** How the samples of an image are stored. */
export interface StoredSamples extends Size {
  readonly components: 1 | 3;
  readonly bits: number;
  /** The colors of an indexed image. */
  readonly colors: Uint8Array | undefined;
}

/** Returns the samples of an image as a picture. An indexed image gets its colors. */
export function pictureOf(stored: StoredSamples, bytes: Uint8Array): ExactPicture {
  const { width, height, components } = stored;
  const samples = unpacked(stored, bytes);
  if (components === 1) return { layout: "gray", width, height, samples };
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let at = 0, from = 0; at < pixels.length; at += 4, from += 3) {
    pixels[at] = samples[from] as number;
    pixels[at + 1] = samples[from + 1] as number;
    pixels[at + 2] = samples[from + 2] as number;
    pixels[at + 3] = 255;
  }
  return { layout: "rgba", width, height, pixels, hasAlpha: false };
}

/** Returns samples of 8 bits. Rows end in whole bytes (ISO 32000-2, 8.9.5.2). */
function unpacked({ width, height, components, bits, colors }: StoredSamples, bytes: Uint8Array): Uint8Array {
  if (colors === undefined) return bytes;
  const rowBytes = Math.ceil((width * bits) / 8);
  const mask = 2 ** bits - 1;
  const last = colors.length / components - 1;
  const samples = new Uint8Array(components * width * height);
  let to = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const bit = x * bits;
      const byte = bytes[y * rowBytes + (bit >> 3)] as number;
      // An index that is too high is the last one (8.6.6.3).
      const index = Math.min((byte >> (8 - bits - (bit & 7))) & mask, last);
      for (let component = 0; component < components; component++)
        samples[to++] = colors[components * index + component] as number;
    }
  }
  return samples;
}
