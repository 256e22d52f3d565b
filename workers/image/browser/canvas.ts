import { ServiceError } from "../../../src/shared/errors.ts";
import { memoizeAsync } from "../../io/memoize-async.ts";
import type { Orientation } from "../metadata/exif.ts";
import type { BitmapPicture, Picture, PixelPicture, SourcePicture } from "../picture/picture.ts";
import { pixelsOfPlanes } from "../picture/planes.ts";
import { fromBase64 } from "./base64.ts";
import { canvasReadback } from "./canvas-readback.ts";
import { cannotBeDecoded, onlyForTheBrowser } from "./decoding-failures.ts";
import { encodedInTime } from "./encoder-timeout.ts";

/** What both TypeScript's libraries, the page's and the worker's, know of a context's settings. */
interface ContextSettings {
  readonly alpha?: boolean;
  readonly willReadFrequently?: boolean;
}

/** Draws on a canvas that is new. */
export type Draw = (context: OffscreenCanvasRenderingContext2D) => void;

/**
 * Decodes a file by the browser's own codecs, which apply a JPEG's orientation and every format's color profile.
 *
 * @param keepValues leaves the values as they are in the file, whatever profile it names
 * @throws {ServiceError} `damaged_file`; `unsupported_conversion` where the browser would not give the values of the bitmap
 */
export async function decodeNatively(file: Blob, type: string, keepValues = false): Promise<ImageBitmap> {
  const name = type.replace("image/", "").toUpperCase();
  if (!(await canvasReadback("closely"))) throw onlyForTheBrowser(name);
  try {
    return await createImageBitmap(file.slice(0, file.size, type), {
      colorSpaceConversion: keepValues ? "none" : "default",
    });
  } catch (thrown) {
    if (!(thrown instanceof DOMException) || /memory|allocat/i.test(thrown.message)) throw thrown;
    throw cannotBeDecoded(name);
  }
}

/** A PNG of one gray pixel, and that its values are light itself (an exponent of 1): shown, it is much brighter. */
const LINEAR_GREY = {
  value: 128,
  png: fromBase64(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAABGdBTUEAAYagMeiWXwAAAApJREFUeJxjaAAAAIIAgXfNcrYAAAAASUVORK5CYII=",
  ),
};
const keptValue = memoizeAsync(() => firstValue(new Blob([LINEAR_GREY.png]), "image/png", true));

/** Whether the browser does decode without converting colors when it is asked to: some convert all the same. */
export function canKeepValues(): Promise<boolean> {
  return keptValue().then(
    (value) => Math.abs(value - LINEAR_GREY.value) <= 1,
    // Nothing is known of it, and this job goes the way that every browser knows.
    () => false,
  );
}

/** The red of a file's first pixel, as the browser decodes it: what it does with files of its kind. */
export async function firstValue(file: Blob, type: string, keepValues = false): Promise<number> {
  const bitmap = await decodeNatively(file, type, keepValues);
  const [value = 0] = pixelsOf(bitmapPicture(bitmap, false));
  bitmap.close();
  return value;
}

/**
 * A bitmap as a picture.
 *
 * @param isAsStored whether decoding neither turned it nor converted its colors
 */
export function bitmapPicture(
  bitmap: ImageBitmap,
  hasAlpha: boolean,
  icc?: Uint8Array,
  isAsStored = false,
): BitmapPicture {
  const { width, height } = bitmap;
  return { layout: "bitmap", width, height, bitmap, hasAlpha, icc, isAsStored };
}

/** What pictures were drawn on to be encoded: they may be encoded again, at another quality. */
const canvases = new WeakMap<Picture, OffscreenCanvas>();

/**
 * What the last opaque values were drawn on. The next ones may be of the same size, as pages of a document are, and to
 * give new memory to each costs more than to draw.
 */
let spare: OffscreenCanvas | undefined;
/** In pixels; larger ones are given back. */
const LARGEST_SPARE = 9_000_000;

/** Ends a picture: the memory of bitmaps and canvases is not the garbage collector's to find. */
export function release(picture: SourcePicture): void {
  if (picture.layout === "coded") {
    release(picture.decoded);
    return;
  }
  if (picture.layout === "bitmap") closeSoon(picture.bitmap);
  if (picture.layout === "frame") closeSoon(picture.frame);
  if (picture.layout === "yuv420") picture.arrival?.cancel();
  const canvas = canvases.get(picture);
  canvases.delete(picture);
  if (canvas === undefined) return;
  const isSpare =
    picture.layout === "rgba" && !picture.hasAlpha && picture.width * picture.height <= LARGEST_SPARE;
  if (!isSpare) empty(canvas);
  else {
    if (spare !== undefined) empty(spare);
    spare = canvas;
  }
}

/** Gives memory back when what is being done has gone its way: it takes a tenth of the time of encoding. */
function closeSoon(held: { close(): void }): void {
  setTimeout(() => held.close());
}

/**
 * Encodes by the browser.
 *
 * @returns nothing where the browser cannot write the type: it then gives a PNG and says nothing, or noise
 * @throws {ServiceError} `internal_error` when it does not answer
 */
export async function encodeNatively(
  picture: Picture,
  type: string,
  quality?: number,
): Promise<Blob | undefined> {
  if (!(await canvasReadback("closely"))) return undefined;
  const canvas = canvases.get(picture) ?? handedOver(picture) ?? canvasOf(picture);
  canvases.set(picture, canvas);
  const encoding = canvas.convertToBlob({ type, ...(quality !== undefined && { quality }) });
  const blob = await encodedInTime(encoding, picture);
  return blob.type === type ? blob : undefined;
}

/** A canvas that the picture is drawn on, upright and in sRGB, until the picture is released. */
export function canvasOf(picture: Picture): OffscreenCanvas {
  const canvas = canvases.get(picture) ?? drawn(picture);
  canvases.set(picture, canvas);
  return canvas;
}

/**
 * The canvas that takes a picture's bitmap as it is, which spares a copy. Only of one that is as stored: in Chromium,
 * orientation and colors of others would be the file's again.
 */
function handedOver(picture: Picture): OffscreenCanvas | undefined {
  if (picture.layout !== "bitmap" || picture.isAsStored !== true || picture.backdrop !== undefined)
    return undefined;
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const context = canvas.getContext("bitmaprenderer", { alpha: picture.hasAlpha });
  context?.transferFromImageBitmap(picture.bitmap);
  return context === null ? undefined : canvas;
}

/** The values of an image as they are, or a copy of them where they lie in memory that others share. */
export function ownBytes(data: Uint8ClampedArray): Uint8ClampedArray<ArrayBuffer> {
  return isUnshared(data) ? data : new Uint8ClampedArray(data);
}

function isUnshared(data: Uint8ClampedArray): data is Uint8ClampedArray<ArrayBuffer> {
  return data.buffer instanceof ArrayBuffer;
}

/**
 * Decoded values as a picture. Many files have a place for transparency and nothing transparent; it is looked for,
 * since what is opaque is encoded faster and smaller.
 */
export function pixelPicture(
  pixels: Uint8ClampedArray<ArrayBuffer>,
  width: number,
  height: number,
  icc?: Uint8Array,
): PixelPicture {
  const isOpaque = (() => {
    for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return false;
    return true;
  })();
  return { layout: "rgba", width, height, pixels, hasAlpha: !isOpaque, icc };
}

/** A picture's values; under partial transparency those of a bitmap are approximate. */
export function pixelsOf(picture: Picture): Uint8ClampedArray<ArrayBuffer> {
  if (picture.layout === "rgba") return picture.pixels;
  if (picture.layout === "yuv420") return pixelsOfPlanes(picture.planes, picture);
  const canvas = drawn(picture, { willReadFrequently: true });
  const { data } = contextOf(canvas).getImageData(0, 0, picture.width, picture.height);
  empty(canvas);
  return ownBytes(data);
}

/** The bitmap turned upright. Ends the one that is given. */
export function uprightBitmap(bitmap: ImageBitmap, orientation: Orientation): ImageBitmap {
  if (orientation === 1) return bitmap;
  const { width, height } = bitmap;
  const isTurned = orientation >= 5;
  const canvas = newCanvas(isTurned ? height : width, isTurned ? width : height, (context) => {
    context.setTransform(...TRANSFORMS[orientation](width, height));
    context.drawImage(bitmap, 0, 0);
  });
  bitmap.close();
  return canvas.transferToImageBitmap();
}

type Matrix = [number, number, number, number, number, number];

/** Where the stored pixel at x, y belongs: at (a·x + c·y + e, b·x + d·y + f). */
const TRANSFORMS: Readonly<Record<Orientation, (width: number, height: number) => Matrix>> = {
  1: () => [1, 0, 0, 1, 0, 0],
  2: (width) => [-1, 0, 0, 1, width, 0],
  3: (width, height) => [-1, 0, 0, -1, width, height],
  4: (_, height) => [1, 0, 0, -1, 0, height],
  5: () => [0, 1, 1, 0, 0, 0],
  6: (_, height) => [0, 1, -1, 0, height, 0],
  7: (width, height) => [0, -1, -1, 0, height, width],
  8: (width) => [0, -1, 1, 0, 0, width],
};

/** The pixels turned upright. */
export function uprightPixels(picture: PixelPicture, orientation: Orientation): PixelPicture {
  if (orientation === 1) return picture;
  const { width, height } = picture;
  const [a, b, c, d, e, f] = TRANSFORMS[orientation](width, height);
  const newWidth = orientation >= 5 ? height : width;
  const from = new Uint32Array(picture.pixels.buffer, picture.pixels.byteOffset, width * height);
  const to = new Uint32Array(width * height);
  // Pixels are squares: where the transform turns an axis around, a pixel's corner is at its other side.
  const startX = a + c < 0 ? e - 1 : e;
  const startY = b + d < 0 ? f - 1 : f;
  const acrossStep = a + b * newWidth;
  for (let y = 0, at = 0; y < height; y++) {
    let target = startX + c * y + (startY + d * y) * newWidth;
    for (let x = 0; x < width; x++, at++, target += acrossStep) to[target] = from[at] ?? 0;
  }
  return {
    ...picture,
    width: newWidth,
    height: orientation >= 5 ? width : height,
    pixels: new Uint8ClampedArray(to.buffer),
  };
}

function drawn(picture: Picture, settings: ContextSettings = {}): OffscreenCanvas {
  const draw: Draw = (context) => {
    if (picture.layout === "bitmap" && picture.backdrop !== undefined) {
      context.fillStyle = picture.backdrop;
      context.fillRect(0, 0, picture.width, picture.height);
    }
    if (picture.layout === "bitmap") context.drawImage(canvases.get(picture) ?? picture.bitmap, 0, 0);
    else if (picture.layout === "frame") context.drawImage(picture.frame, 0, 0);
    else context.putImageData(new ImageData(pixelsOf(picture), picture.width, picture.height), 0, 0);
  };
  const { width, height, hasAlpha } = picture;
  if (picture.layout === "rgba" && !hasAlpha && spare?.width === width && spare.height === height) {
    const canvas = spare;
    spare = undefined;
    draw(contextOf(canvas));
    return canvas;
  }
  return newCanvas(width, height, draw, { ...settings, alpha: hasAlpha });
}

/** A canvas of that size, drawn on. */
export function newCanvas(
  width: number,
  height: number,
  draw: Draw,
  settings: ContextSettings = {},
): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height);
  draw(contextOf(canvas, settings));
  return canvas;
}

/**
 * What draws on a canvas.
 *
 * @throws {ServiceError} `out_of_memory` where the browser gives none, which it does for want of room
 */
export function contextOf(
  canvas: OffscreenCanvas,
  settings: ContextSettings = {},
): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext("2d", settings);
  if (context !== null) return context;
  throw new ServiceError(
    "out_of_memory",
    "This device cannot hold a picture of this size: close other tabs, or take a smaller one.",
    { width: canvas.width, height: canvas.height },
  );
}

/** Gives a canvas's memory back at once. */
function empty(canvas: OffscreenCanvas): void {
  canvas.width = 0;
  canvas.height = 0;
}
