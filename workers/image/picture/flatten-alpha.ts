import { type Draw, newCanvas } from "../browser/canvas.ts";
import { canvasReadback } from "../browser/canvas-readback.ts";
import { type Rgba, valuesOnWhite } from "../browser/css-color.ts";
import { bitmapPicture, canvasOf, release } from "./convert-layout.ts";
import type { Picture, PixelPicture } from "./picture.ts";

const WHITE: Rgba = [255, 255, 255, 255];

/**
 * Puts a color behind the transparent pixels of a picture. Consumes the picture.
 *
 * @param background a CSS color. White shows through a transparent one.
 */
export async function flattenAlpha(picture: Picture, background: string): Promise<Picture> {
  if (picture.layout === "rgba" && !(await canvasReadback("closely")))
    return flattenInPlace(picture, background);
  const { width, height, icc } = picture;
  const shown = picture.layout === "bitmap" ? picture.bitmap : canvasOf(picture);
  const draw: Draw = (context) => {
    // On an opaque canvas, a transparent background alone would become black.
    for (const color of ["white", background]) {
      context.fillStyle = color;
      context.fillRect(0, 0, width, height);
    }
    context.drawImage(shown, 0, 0);
  };
  try {
    const bitmap = newCanvas(width, height, draw, { alpha: false }).transferToImageBitmap();
    return bitmapPicture(bitmap, false, true, icc);
  } finally {
    release(picture);
  }
}

/** Puts a color behind transparent pixels in place, without a canvas. */
function flattenInPlace(picture: PixelPicture, background: string): PixelPicture {
  const { pixels } = picture;
  const behind = valuesOnWhite(background) ?? WHITE;
  for (let at = 0; at < pixels.length; at += 4) {
    const opacity = (pixels[at + 3] ?? 0) / 255;
    for (let channel = 0; channel < 3; channel++) {
      const value = pixels[at + channel] ?? 0;
      const below = behind[channel] ?? 0;
      pixels[at + channel] = below + (value - below) * opacity;
    }
    pixels[at + 3] = 255;
  }
  return { ...picture, hasAlpha: false };
}
