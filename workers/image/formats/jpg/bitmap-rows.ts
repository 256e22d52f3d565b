import { MCU_SIZE, type PixelSource } from "../../../codecs/jpeg/index.ts";
import { canvasReadback } from "../../browser/canvas-readback.ts";
import { decodeNatively, fromBase64 } from "../../browser/decode-natively.ts";
import { memoizeAsync } from "../../browser/memoize-async.ts";
import { bitmapPicture, canvasOf, release } from "../../picture/convert-layout.ts";
import type { Size } from "../../picture/size.ts";

/**
 * Whether reading all pixels by a canvas is faster than reading rows of a frame. Firefox converts the whole frame for
 * each row that is copied: 3.8 s for 12 megapixels. Chromium and WebKit copy them in 0.04 s. A canvas that changes values,
 * as a protection against fingerprinting, is not used.
 */
export async function prefersCanvas(): Promise<boolean> {
  return navigator.userAgent.includes("Firefox/") && canvasReadback("closely");
}

/** Returns a bitmap or a canvas as a frame, which can be read without drawing. The caller closes the frame. */
export function frameOf(held: ImageBitmap | OffscreenCanvas): VideoFrame {
  return new VideoFrame(held, { timestamp: 0 });
}

/** Returns the pixel rows of a frame. Only where {@link canReadRows} is true. */
export function pixelRowsOf(frame: VideoFrame, { width, height }: Size): PixelSource {
  const rows = new Uint8ClampedArray(4 * width * Math.min(MCU_SIZE, height));
  return {
    ...{ kind: "pixels", width, height },
    async readRows(first, count) {
      await frame.copyTo(rows, { rect: { x: 0, y: first, width, height: count }, format: "RGBX" });
      return rows.subarray(0, 4 * width * count);
    },
  };
}

/** A PNG of two rows: red, green; blue, gray. */
const FOUR_COLORS =
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAE0lEQVR42mP4z8DAAMIM/5OTkwEcRgQn0JMS/QAAAABJRU5ErkJggg==";
const VALUES = [
  [255, 0, 0, 0, 255, 0],
  [0, 0, 255, 99, 99, 99],
];

/** Whether the browser gives exact values of a bitmap and of a canvas, row by row. */
export const canReadRows = memoizeAsync(() => readsFourColors().catch(() => false));

async function readsFourColors(): Promise<boolean> {
  if (!("VideoFrame" in globalThis)) return false;
  const bitmap = await decodeNatively(new Blob([fromBase64(FOUR_COLORS)]), "image/png");
  const picture = bitmapPicture(bitmap, false);
  try {
    return (await givesFourColors(picture.bitmap)) && (await givesFourColors(canvasOf(picture)));
  } finally {
    release(picture);
  }
}

async function givesFourColors(held: ImageBitmap | OffscreenCanvas): Promise<boolean> {
  const frame = frameOf(held);
  try {
    const source = pixelRowsOf(frame, held);
    for (const row of [1, 0]) {
      const read = await source.readRows(row, 1);
      const values = [...read.subarray(0, 3), ...read.subarray(4, 7)];
      if (!VALUES[row]?.every((value, index) => values[index] === value)) return false;
    }
    return true;
  } finally {
    frame.close();
  }
}
