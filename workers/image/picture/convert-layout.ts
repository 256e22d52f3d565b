import { type ContextSettings, contextOf, type Draw, emptyCanvas, newCanvas } from "../browser/canvas.ts";
import type { BitmapPicture, Picture, PixelPicture } from "./picture.ts";
import { pixelsOfPlanes } from "./planes.ts";

/**
 * Returns a bitmap as a picture.
 *
 * @param isAsStored whether decoding neither rotated it nor converted its colors
 */
export function bitmapPicture(
  bitmap: ImageBitmap,
  hasAlpha: boolean,
  isAsStored = false,
  icc?: Uint8Array,
): BitmapPicture {
  const { width, height } = bitmap;
  return { layout: "bitmap", width, height, bitmap, hasAlpha, isAsStored, icc };
}

/** The canvases of pictures. A picture may be encoded again, at another quality. */
const canvases = new WeakMap<Picture, OffscreenCanvas>();

/** Releases a picture. The garbage collector does not see the memory of bitmaps and canvases. */
export function release(picture: Picture): void {
  if (picture.layout === "bitmap") picture.bitmap.close();
  if (picture.layout === "frame") picture.frame.close();
  const canvas = canvases.get(picture);
  canvases.delete(picture);
  if (canvas !== undefined) emptyCanvas(canvas);
}

/** Returns a canvas with the picture on it. The canvas lives until the picture is released. */
export function canvasOf(picture: Picture): OffscreenCanvas {
  const canvas = canvases.get(picture) ?? drawn(picture);
  canvases.set(picture, canvas);
  return canvas;
}

/**
 * Returns a canvas that takes over the bitmap of a picture. This saves a copy, and Chromium writes an opaque bitmap as a PNG
 * without an alpha channel. Only for a bitmap as stored: Chromium would undo the rotation and the conversion of another.
 */
function handedOver(picture: Picture): OffscreenCanvas | undefined {
  if (picture.layout !== "bitmap" || picture.isAsStored !== true) return undefined;
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const context = canvas.getContext("bitmaprenderer", { alpha: picture.hasAlpha });
  context?.transferFromImageBitmap(picture.bitmap);
  return context === null ? undefined : canvas;
}

/**
 * Returns values as a picture. Looks for transparent pixels, because many files have an alpha channel and no
 * transparent pixel, and opaque pictures are encoded faster and smaller.
 */
export function pixelPicture(
  pixels: Uint8ClampedArray<ArrayBuffer>,
  width: number,
  height: number,
): PixelPicture {
  const isOpaque = (() => {
    for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return false;
    return true;
  })();
  return { layout: "rgba", width, height, pixels, hasAlpha: !isOpaque };
}

/** Returns the values of a picture. Those of a bitmap are approximate under partial transparency. */
export function pixelsOf(picture: Picture): Uint8ClampedArray<ArrayBuffer> {
  if (picture.layout === "rgba") return picture.pixels;
  if (picture.layout === "yuv420") return pixelsOfPlanes(picture.planes, picture);
  const canvas = drawn(picture, { willReadFrequently: true });
  const { data } = contextOf(canvas).getImageData(0, 0, picture.width, picture.height);
  emptyCanvas(canvas);
  return data;
}

/** Draws a picture on a new canvas. */
function drawn(picture: Picture, settings: ContextSettings = {}): OffscreenCanvas {
  const draw: Draw = (context) => {
    if (picture.layout === "bitmap") context.drawImage(canvases.get(picture) ?? picture.bitmap, 0, 0);
    else if (picture.layout === "frame") context.drawImage(picture.frame, 0, 0);
    else context.putImageData(new ImageData(pixelsOf(picture), picture.width, picture.height), 0, 0);
  };
  const { width, height, hasAlpha } = picture;
  return newCanvas(width, height, draw, { ...settings, alpha: hasAlpha });
}

/** Returns a canvas for encoding. It takes over the bitmap of the picture if possible. */
export function canvasToEncode(picture: Picture): OffscreenCanvas {
  const canvas = canvases.get(picture) ?? handedOver(picture) ?? drawn(picture);
  canvases.set(picture, canvas);
  return canvas;
}
