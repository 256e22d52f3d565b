import { bitmapPicture, canvasOf, contextOf, type Draw, newCanvas, release } from "../browser/canvas.ts";
import { givesBack } from "../browser/canvas-readback.ts";
import { type Rgba, valuesOnWhite } from "../color/css-color.ts";
import { canReadAlpha } from "../formats/jpg/bitmap-rows.ts";
import type { Picture, PixelPicture } from "./picture.ts";

/** As canvases give a color back; what they give otherwise may be transparent. */
const OPAQUE_COLOR = /^#[0-9a-f]{6}$/;
const WHITE: Rgba = [255, 255, 255, 255];

/** The picture with a color behind its transparent parts. Ends the picture that is given. */
export async function flattened(picture: Picture, background: string): Promise<Picture> {
  if (picture.kind === "pixels" && !(await givesBack("closely"))) return laidOver(picture, background);
  const backdrop = opaqueColor(background);
  if (backdrop !== undefined && picture.kind === "bitmap" && picture.isAsStored && (await canReadAlpha())) {
    // The color is put there as the values are read.
    return { ...picture, hasAlpha: false, backdrop };
  }
  const { width, height, icc } = picture;
  const shown = picture.kind === "bitmap" ? picture.bitmap : canvasOf(picture);
  const draw: Draw = (context) => {
    // A background that is itself transparent would come out black: white shows through it.
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

/** The color (#rrggbb) that nothing shows through; nothing where something does. */
function opaqueColor(background: string): string | undefined {
  const context = contextOf(new OffscreenCanvas(1, 1));
  context.fillStyle = background;
  const color = String(context.fillStyle);
  return OPAQUE_COLOR.test(color) ? color : undefined;
}

/** The same without a canvas, in the memory that is given. */
function laidOver(picture: PixelPicture, background: string): PixelPicture {
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
