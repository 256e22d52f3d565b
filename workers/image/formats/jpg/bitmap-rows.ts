import type { PixelSource } from "../../../codecs/jpeg/index.ts";
import { memoizeAsync } from "../../../io/memoize-async.ts";
import { fromBase64 } from "../../browser/base64.ts";
import { contextOf } from "../../browser/canvas.ts";
import { canvasReadback } from "../../browser/canvas-readback.ts";
import { decodeNatively } from "../../browser/decode-natively.ts";
import { bitmapPicture, canvasOf, release } from "../../picture/convert-layout.ts";
import type { Size } from "../../picture/size.ts";
import { BAND_ROWS, bandReader } from "./bands.ts";

/** How rows are read from a frame: copied from it, or drawn on a small canvas and read from that. */
type RowReading = "copied" | "drawn";

/** Reads the rows from `start` to before `end`, at most {@link BAND_ROWS}. They are valid until the next call. */
type ReadRows = (start: number, end: number) => Promise<Uint8ClampedArray>;

/**
 * Returns how this browser reads rows faster. Firefox converts the whole frame for each copy, Chromium and WebKit do so
 * for each drawing. For 12 megapixels, copied and drawn: Firefox 3.8 s and 0.2 s, Chromium 0.04 s and 2.6 s, WebKit
 * 0.01 s and 1.9 s. A canvas that changes values, as a protection against fingerprinting, is not used.
 */
export async function fasterReading(): Promise<RowReading> {
  const isFirefox = navigator.userAgent.includes("Firefox/");
  return isFirefox && (await canvasReadback("closely")) ? "drawn" : "copied";
}

/** Returns a bitmap or a canvas as a frame, which can be read without drawing. The caller closes the frame. */
export function frameOf(held: ImageBitmap | OffscreenCanvas): VideoFrame {
  return new VideoFrame(held, { timestamp: 0 });
}

/** How the pixels of a frame are read. */
export interface PixelReading extends Size {
  /** Copied by default. */
  readonly reading?: RowReading | undefined;
}

/** Returns the pixel rows of a frame. Only where {@link canReadRows} is true. */
export function pixelRowsOf(frame: VideoFrame, options: PixelReading): PixelSource {
  const { width, height, reading } = options;
  if (reading === "drawn") return rowsOf({ width, height, order: "rgb" }, drawRows(frame, options));
  // Converting BGR to RGB takes three times as long as copying.
  const isBgr = frame.format === "BGRX" || frame.format === "BGRA";
  const order = isBgr ? "bgr" : "rgb";
  return rowsOf({ width, height, order }, copyRows(frame, width, isBgr ? frame.format : "RGBX"));
}

/** Copies rows of a frame, in that format. */
function copyRows(frame: VideoFrame, width: number, format: VideoPixelFormat): ReadRows {
  const rows = new Uint8ClampedArray(BAND_ROWS * 4 * width);
  return async (start, end) => {
    await frame.copyTo(rows, { rect: { x: 0, y: start, width, height: end - start }, format });
    return rows;
  };
}

/** Draws rows of a frame. Returns red, green, blue and 255 of each pixel. */
function drawRows(frame: VideoFrame, { width, height }: Size): ReadRows {
  const canvas = new OffscreenCanvas(width, Math.min(height, BAND_ROWS));
  const context = contextOf(canvas, { alpha: false, willReadFrequently: true });
  return async (start, end) => {
    context.drawImage(frame, 0, -start);
    return context.getImageData(0, 0, width, end - start).data;
  };
}

function rowsOf(image: Pick<PixelSource, "width" | "height" | "order">, read: ReadRows): PixelSource {
  const rowBytes = 4 * image.width;
  const bandOf = bandReader(image.height, read);
  return {
    kind: "pixels",
    ...image,
    async readRows(first, count) {
      const { start, place } = await bandOf(first, count);
      return place.subarray((first - start) * rowBytes, (first + count - start) * rowBytes);
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
    const order = source.order === "bgr" ? [2, 1, 0] : [0, 1, 2];
    for (const row of [1, 0]) {
      const read = await source.readRows(row, 1);
      const values = [0, 4].flatMap((pixel) => order.map((channel) => read[pixel + channel]));
      if (!VALUES[row]?.every((value, index) => values[index] === value)) return false;
    }
    return true;
  } finally {
    frame.close();
  }
}
