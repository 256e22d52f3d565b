import { MCU } from "../../../codecs/jpeg/mcu-rows.ts";
import { contextOf } from "../../browser/canvas.ts";
import type { Size } from "../../picture/size.ts";
import { BAND_ROWS } from "./bands.ts";

/** How rows are read from a frame: copied out of it, or drawn on a canvas of just so many, and read there. */
export type RowReading = "copied" | "drawn";

/** Reads rows from a first to before an end, at most {@link BAND_ROWS}; they are good until others are read. */
export type ReadRows = (start: number, end: number) => Promise<Uint8ClampedArray>;

/** Copies rows out of a frame, in that format. */
export function copyRows(frame: VideoFrame, width: number, format: VideoPixelFormat): ReadRows {
  const rows = new Uint8ClampedArray(BAND_ROWS * 4 * width);
  return async (start, end) => {
    await frame.copyTo(rows, { rect: { x: 0, y: start, width, height: end - start }, format });
    return rows;
  };
}

/**
 * Draws rows of a frame, and gives red, green, blue and 255 of each pixel.
 *
 * @param backdrop a color of CSS behind what is transparent
 */
export function drawRows(frame: VideoFrame, { width, height }: Size, backdrop?: string): ReadRows {
  const canvas = new OffscreenCanvas(width, Math.min(height, BAND_ROWS));
  const context = contextOf(canvas, { alpha: false, willReadFrequently: true });
  if (backdrop !== undefined) context.fillStyle = backdrop;
  return async (start, end) => {
    if (backdrop !== undefined) context.fillRect(0, 0, width, end - start);
    context.drawImage(frame, 0, -start);
    return context.getImageData(0, 0, width, end - start).data;
  };
}

/** Of what is read to find out: what goes through all of it for some of its rows then takes far longer. */
const PROBE: Size = { width: 256, height: 2048 };
const READS = 8;
/** In milliseconds: who copies just what is asked for has done it all long before. */
const QUICK = 2;

let quicker: Promise<RowReading> | undefined;

/**
 * How the browser gives rows sooner, as long as it gives the same. Firefox converts all of a frame whenever some of its
 * rows are copied, Chromium whenever they are drawn.
 */
export function quickerReading(): Promise<RowReading> {
  // Who makes no frames of values has given rows of others.
  quicker ??= compareReadings().catch(() => "copied");
  return quicker;
}

async function compareReadings(): Promise<RowReading> {
  const { width, height } = PROBE;
  const pixels = new Uint32Array(width * height);
  for (let at = 0; at < width * MCU; at++) pixels[at] = Math.imul(at, 0x010307);
  const format = "RGBX";
  const frame = new VideoFrame(pixels.buffer, {
    format,
    codedWidth: width,
    codedHeight: height,
    timestamp: 0,
  });
  try {
    const copy = copyRows(frame, width, format);
    const copying = await leastTimeOf(copy);
    if (copying < QUICK) return "copied";
    const draw = drawRows(frame, PROBE);
    const isQuicker = (await leastTimeOf(draw, copying / 2)) < copying / 2;
    return isQuicker && (await giveTheSame(copy, draw)) ? "drawn" : "copied";
  } finally {
    frame.close();
  }
}

/**
 * In milliseconds. On a busy machine reading may take longer than it does, and never less.
 *
 * @param most when a round need not go on
 */
async function leastTimeOf(read: ReadRows, most = Number.POSITIVE_INFINITY): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && least >= QUICK; round++) {
    const start = performance.now();
    let taken = 0;
    for (let count = 0; count < READS && taken < most; count++) {
      await read(0, MCU);
      taken = performance.now() - start;
    }
    least = Math.min(least, taken);
  }
  return least;
}

/** Some browsers change what is read from canvases, lest it tells who reads it. */
async function giveTheSame(copy: ReadRows, draw: ReadRows): Promise<boolean> {
  const [copied, drawn] = [await copy(0, MCU), await draw(0, MCU)];
  for (let at = 0; at < 4 * PROBE.width * MCU; at++) {
    if (at % 4 < 3 && copied[at] !== drawn[at]) return false;
  }
  return true;
}
