import {
  type ContextSettings,
  contextOf,
  type Draw,
  emptyCanvas,
  LONGEST_SIDE,
  newCanvas,
} from "../browser/canvas.ts";
import type { BitmapPicture, FramePicture, Picture, PixelPicture } from "./picture.ts";
import { chromaSize, pixelsOfPlanes } from "./planes.ts";

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
  const { width, height } = picture;
  const pixels = new Uint8ClampedArray(4 * width * height);
  const rows = new PixelRows(picture);
  for (let y = 0; y < height; y += rows.most) {
    pixels.set(rows.read(y, Math.min(rows.most, height - y)), 4 * width * y);
  }
  rows.close();
  return pixels;
}

/** Returns a picture as values. Consumes the picture. */
export function toPixels(picture: Picture): PixelPicture {
  if (picture.layout === "rgba") return picture;
  const { width, height, hasAlpha, icc } = picture;
  const pixels = pixelsOf(picture);
  release(picture);
  return { layout: "rgba", width, height, pixels, hasAlpha, icc };
}

/** The most pixels that are read at once. They are in memory twice, on a canvas and as values. */
const PIXELS_AT_ONCE = 2 ** 20;

/**
 * Reads the values of a picture, some rows at a time. A bitmap is drawn in pieces that fit on a canvas, so it may have longer
 * sides than a canvas, and its values are not all in memory.
 */
export class PixelRows {
  /** How many rows may be read at once. */
  readonly most: number;
  readonly #picture: Picture;
  #context: OffscreenCanvasRenderingContext2D | undefined;

  /** @param rows how many rows will be read at once, at most */
  constructor(picture: Picture, rows = picture.height) {
    const { width, height } = picture;
    const fitting = Math.max(1, Math.floor(PIXELS_AT_ONCE / width));
    this.most = Math.min(rows, height, LONGEST_SIDE, fitting);
    this.#picture = picture;
  }

  /**
   * Returns rows.
   *
   * @param count at most {@link most}
   */
  read(first: number, count: number): Uint8ClampedArray<ArrayBuffer> {
    const picture = this.#picture;
    const { width } = picture;
    if (picture.layout === "rgba")
      return picture.pixels.subarray(4 * width * first, 4 * width * (first + count));
    if (picture.layout === "yuv420") {
      return pixelsOfPlanes(picture.planes, picture, chromaSize(picture), { first, count });
    }
    const image = imageOf(picture);
    const context = this.#canvas();
    const across = context.canvas.width;
    const pieces: ImageData[] = [];
    for (let left = 0; left < width; left += across) {
      const shown = Math.min(across, width - left);
      context.drawImage(image, left, first, shown, count, 0, 0, shown, count);
      pieces.push(context.getImageData(0, 0, shown, count));
    }
    return joined(pieces, width, count);
  }

  close(): void {
    if (this.#context !== undefined) emptyCanvas(this.#context.canvas);
    this.#context = undefined;
  }

  #canvas(): OffscreenCanvasRenderingContext2D {
    if (this.#context !== undefined) return this.#context;
    const { width, hasAlpha } = this.#picture;
    const canvas = new OffscreenCanvas(Math.min(width, LONGEST_SIDE), this.most);
    const context = contextOf(canvas, { willReadFrequently: true, alpha: hasAlpha });
    // Otherwise what was drawn before would show through transparent pixels.
    context.globalCompositeOperation = "copy";
    this.#context = context;
    return context;
  }
}

/** Returns pieces that are side by side as one. */
function joined(pieces: readonly ImageData[], width: number, height: number): Uint8ClampedArray<ArrayBuffer> {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined) return first.data;
  const rows = new Uint8ClampedArray(4 * width * height);
  let left = 0;
  for (const { data, width: shown } of pieces) {
    for (let y = 0; y < height; y++)
      rows.set(data.subarray(4 * shown * y, 4 * shown * (y + 1)), 4 * (width * y + left));
    left += shown;
  }
  return rows;
}

/** Returns what holds the picture. A canvas may have taken over its bitmap. */
function imageOf(picture: BitmapPicture | FramePicture): ImageBitmap | OffscreenCanvas | VideoFrame {
  return picture.layout === "frame" ? picture.frame : (canvases.get(picture) ?? picture.bitmap);
}

/** Draws a picture on a new canvas. */
function drawn(picture: Picture, settings: ContextSettings = {}): OffscreenCanvas {
  const draw: Draw = (context) => {
    if (picture.layout === "bitmap" || picture.layout === "frame") context.drawImage(imageOf(picture), 0, 0);
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
