import { ServiceError } from "../../../src/shared/errors.ts";

/** The context settings that the types of TypeScript for pages and for workers have in common. */
export interface ContextSettings {
  readonly alpha?: boolean;
  readonly willReadFrequently?: boolean;
}

/** The longest side of a canvas. Chromium and WebKit leave a larger one blank, without an error. */
export const LONGEST_SIDE = 16_384;

/** Every browser draws a canvas of this area. */
const ALWAYS_DRAWN_AREA = 4096 ** 2;
let drawnArea = ALWAYS_DRAWN_AREA;

/**
 * Whether the browser draws a canvas of that size. Safari of iOS before 18 leaves one of more than 16.8 megapixels blank,
 * without an error. So a pixel is drawn on a canvas and read back, once for each larger size.
 */
export function isDrawable({ width, height }: { readonly width: number; readonly height: number }): boolean {
  if (width > LONGEST_SIDE || height > LONGEST_SIDE) return false;
  if (width * height <= drawnArea) return true;
  const canvas = new OffscreenCanvas(width, height);
  const context = contextOf(canvas, { willReadFrequently: true });
  context.fillRect(width - 1, height - 1, 1, 1);
  const isDrawn = context.getImageData(width - 1, height - 1, 1, 1).data[3] === 255;
  emptyCanvas(canvas);
  if (isDrawn) drawnArea = width * height;
  return isDrawn;
}

/** Draws on a new canvas. */
export type Draw = (context: OffscreenCanvasRenderingContext2D) => void;

/**
 * Returns a canvas of that size with a drawing on it.
 *
 * @throws {ServiceError} `input_too_large` when the browser would leave the canvas blank, `out_of_memory`
 */
export function newCanvas(
  width: number,
  height: number,
  draw: Draw,
  settings: ContextSettings = {},
): OffscreenCanvas {
  if (!isDrawable({ width, height })) {
    throw new ServiceError(
      "input_too_large",
      `A picture of ${width} × ${height} pixels is too large to be drawn here. Make it smaller, or use another device.`,
      { width, height, largest_area: drawnArea },
    );
  }
  const canvas = new OffscreenCanvas(width, height);
  draw(contextOf(canvas, settings));
  return canvas;
}

/**
 * Returns the context that draws on a canvas.
 *
 * @throws {ServiceError} `out_of_memory` when the browser has no memory for a context
 */
export function contextOf(
  canvas: OffscreenCanvas,
  settings: ContextSettings = {},
): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext("2d", settings);
  if (context !== null) return context;
  throw new ServiceError(
    "out_of_memory",
    "There is not enough memory for the picture now. Try again later, or take a smaller one.",
    { width: canvas.width, height: canvas.height },
  );
}

/** Releases the memory of a canvas at once. */
export function emptyCanvas(canvas: OffscreenCanvas): void {
  canvas.width = 0;
  canvas.height = 0;
}

/** Returns red, green, blue and alpha of an opaque bitmap's pixels. */
export function bitmapValues(bitmap: ImageBitmap): Uint8ClampedArray {
  const { width, height } = bitmap;
  const canvas = newCanvas(width, height, (context) => context.drawImage(bitmap, 0, 0), {
    willReadFrequently: true,
    alpha: false,
  });
  const { data } = contextOf(canvas).getImageData(0, 0, width, height);
  emptyCanvas(canvas);
  return data;
}
