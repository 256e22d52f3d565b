import { ServiceError } from "../../../src/shared/errors.ts";

/** The context settings that the types of TypeScript for pages and for workers have in common. */
export interface ContextSettings {
  readonly alpha?: boolean;
  readonly willReadFrequently?: boolean;
}

/** Draws on a new canvas. */
export type Draw = (context: OffscreenCanvasRenderingContext2D) => void;

/** Returns a canvas of that size with a drawing on it. */
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
    "This device cannot hold a picture of this size: close other tabs, or take a smaller one.",
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
