import { type Draw, isDrawable, newCanvas } from "../browser/canvas.ts";
import { type Rgba, valuesOnWhite } from "../browser/css-color.ts";
import { bitmapPicture, release, toPixels } from "./convert-layout.ts";
import type { BitmapPicture, Picture } from "./picture.ts";

const WHITE: Rgba = [255, 255, 255, 255];

/**
 * Puts a color behind the transparent pixels of a picture. Consumes the picture.
 *
 * @param background a CSS color. White shows through a transparent one.
 */
export function flattenAlpha(picture: Picture, background: string): Picture {
  if (picture.layout === "bitmap" && isDrawable(picture)) return flattenBitmap(picture, background);
  const values = toPixels(picture);
  flattenPixels(values.pixels, background);
  return { ...values, hasAlpha: false };
}

function flattenBitmap(picture: BitmapPicture, background: string): BitmapPicture {
  const { width, height, icc, bitmap } = picture;
  const draw: Draw = (context) => {
    // On an opaque canvas, a transparent background alone would become black.
    for (const color of ["white", background]) {
      context.fillStyle = color;
      context.fillRect(0, 0, width, height);
    }
    context.drawImage(bitmap, 0, 0);
  };
  try {
    const canvas = newCanvas(width, height, draw, { alpha: false });
    return bitmapPicture(canvas.transferToImageBitmap(), false, true, icc);
  } finally {
    release(picture);
  }
}

/** Puts a color behind transparent pixels in place. */
function flattenPixels(pixels: Uint8ClampedArray, background: string): void {
  const behind = valuesOnWhite(background) ?? WHITE;
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at + 3] === 255) continue;
    const opacity = (pixels[at + 3] ?? 0) / 255;
    for (let channel = 0; channel < 3; channel++) {
      const below = behind[channel] ?? 0;
      pixels[at + channel] = below + ((pixels[at + channel] ?? 0) - below) * opacity;
    }
    pixels[at + 3] = 255;
  }
}
