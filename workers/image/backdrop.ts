import { bitmapPicture, canvasOf, contextOf, type Draw, newCanvas, release } from "./canvas.ts";
import { canReadAlpha } from "./jpeg/bitmap-rows.ts";
import type { Picture } from "./picture.ts";

/** As canvases give a colour back; what they give otherwise may be transparent. */
const OPAQUE_COLOUR = /^#[0-9a-f]{6}$/;

/** The picture with a colour behind its transparent parts. Ends the picture that is given. */
export async function flattened(picture: Picture, background: string): Promise<Picture> {
  const backdrop = opaque(background);
  if (backdrop !== undefined && picture.kind === "bitmap" && picture.isAsStored && (await canReadAlpha())) {
    // The colour is put there as the values are read.
    return { ...picture, hasAlpha: false, backdrop };
  }
  const { width, height, icc } = picture;
  const shown = picture.kind === "bitmap" ? picture.bitmap : canvasOf(picture);
  const draw: Draw = (context) => {
    // A background that is itself transparent would come out black: white shows through it.
    for (const colour of backdrop === undefined ? ["white", background] : [backdrop]) {
      context.fillStyle = colour;
      context.fillRect(0, 0, width, height);
    }
    context.drawImage(shown, 0, 0);
  };
  const bitmap = newCanvas(width, height, draw, { alpha: false }).transferToImageBitmap();
  release(picture);
  return bitmapPicture(bitmap, false, icc, true);
}

function opaque(background: string): string | undefined {
  const context = contextOf(new OffscreenCanvas(1, 1));
  context.fillStyle = background;
  const colour = String(context.fillStyle);
  return OPAQUE_COLOUR.test(colour) ? colour : undefined;
}
