import { contextOf, type Draw, newCanvas } from "../browser/canvas.ts";
import { canvasReadback } from "../browser/canvas-readback.ts";
import { type Rgba, valuesOnWhite } from "../browser/css-color.ts";
import { bitmapPicture, canvasOf, release } from "./convert-layout.ts";
import type { Picture, PixelPicture } from "./picture.ts";

/** How a canvas returns an opaque color. It returns a transparent color in another way. */
const OPAQUE_COLOR = /^#[0-9a-f]{6}$/;
const WHITE: Rgba = [255, 255, 255, 255];

/**
 * Puts a color behind the transparent pixels of a picture. Consumes the picture.
 *
 * @param background a CSS color. White shows through a transparent one.
 */
export async function flattenAlpha(picture: Picture, background: string): Promise<Picture> {
  if (picture.layout === "rgba" && !(await canvasReadback("closely")))
    return flattenInPlace(picture, background);
  const backdrop = opaqueColor(background);
  if (backdrop !== undefined && picture.layout === "bitmap" && picture.isAsStored) {
    // The color is put behind the values when they are read or drawn. This saves a copy.
    return { ...picture, hasAlpha: false, backdrop };
  }
  const { width, height, icc } = picture;
  const shown = picture.layout === "bitmap" ? picture.bitmap : canvasOf(picture);
  const draw: Draw = (context) => {
    // On an opaque canvas, a transparent background alone would become black.
    for (const color of backdrop === undefined ? ["white", background] : [backdrop]) {
      context.fillStyle = color;
      context.fillRect(0, 0, width, height);
    }
    context.drawImage(shown, 0, 0);
  };
  const bitmap = newCanvas(width, height, draw, { alpha: false }).transferToImageBitmap();
  release(picture);
  return bitmapPicture(bitmap, false, icc, true);
}

/** Returns a CSS color as #rrggbb, or `undefined` for a transparent color. */
function opaqueColor(background: string): string | undefined {
  const context = contextOf(new OffscreenCanvas(1, 1));
  context.fillStyle = background;
  const color = String(context.fillStyle);
  return OPAQUE_COLOR.test(color) ? color : undefined;
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
