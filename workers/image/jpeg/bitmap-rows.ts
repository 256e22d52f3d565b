import { decodeNatively } from "../canvas.ts";
import type { RowSource } from "./jpeg-encoder.ts";
import { PIXELS } from "./strips.ts";

/** Read at a time, so that few large things are asked for, and no copy of the whole picture is made. */
const BAND_ROWS = 128;

/** The values of a bitmap, read without drawing it. To be closed. */
export interface BitmapRows extends RowSource<Uint8ClampedArray> {
  close(): void;
}

/** The bitmap stays as it is. What {@link canReadRows} does not say can be read must not be. */
export function rowsOfBitmap(bitmap: ImageBitmap): BitmapRows {
  const { width, height } = bitmap;
  const frame = new VideoFrame(bitmap, { timestamp: 0 });
  const rowBytes = 4 * width;
  const band = new Uint8ClampedArray(BAND_ROWS * rowBytes);
  /** Which rows are in the band. */
  let start = 0;
  let end = 0;
  return {
    width,
    height,
    form: PIXELS,
    async rows(first, count) {
      if (first < start || first + count > end) {
        // Whoever goes on from the last band will want all of the next.
        const wanted = first === end ? BAND_ROWS : count;
        [start, end] = [first, Math.min(height, first + wanted)];
        const rect = { x: 0, y: start, width, height: end - start };
        await frame.copyTo(band, { rect, format: "RGBX" });
      }
      return band.subarray((first - start) * rowBytes, (first + count - start) * rowBytes);
    },
    close: () => frame.close(),
  };
}

/** A PNG of two rows: red, green; blue, grey. */
const FOUR_COLOURS =
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAE0lEQVR42mP4z8DAAMIM/5OTkwEcRgQn0JMS/QAAAABJRU5ErkJggg==";
const VALUES = [
  [255, 0, 0, 0, 255, 0],
  [0, 0, 255, 99, 99, 99],
];
let readsRows: Promise<boolean> | undefined;

/** Whether the browser gives a bitmap's values row by row, and as they are. */
export function canReadRows(): Promise<boolean> {
  readsRows ??= readsFourColours().catch(() => false);
  return readsRows;
}

async function readsFourColours(): Promise<boolean> {
  if (!("VideoFrame" in globalThis)) return false;
  const bytes = Uint8Array.from(atob(FOUR_COLOURS), (character) => character.charCodeAt(0));
  const bitmap = await decodeNatively(new Blob([bytes]), "image/png");
  const source = rowsOfBitmap(bitmap);
  try {
    for (const row of [1, 0]) {
      const values = (await source.rows(row, 1)).filter((_, index) => index % 4 !== 3);
      if (!VALUES[row]?.every((value, index) => values[index] === value)) return false;
    }
    return true;
  } finally {
    source.close();
    bitmap.close();
  }
}
