import type { RowSource } from "../../../codecs/jpeg/jpeg-encoder.ts";
import { PLANES } from "../../../codecs/jpeg/mcu-rows.ts";
import { yieldToEventLoop } from "../../../parallel/yield-to-event-loop.ts";
import { chromaSize, type Planes } from "../../picture/planes.ts";
import type { RowProgress } from "../../picture/row-progress.ts";
import type { Size } from "../../picture/size.ts";
import { BAND_ROWS } from "./bands.ts";

/**
 * The rows of planes, for the encoder.
 *
 * @param arrival by what the rows come, where they need not all be there yet
 */
export function rowsOfPlanes(
  { luma, cb, cr }: Planes,
  { width, height }: Size,
  arrival?: RowProgress,
): RowSource<Planes> {
  const chromaWidth = chromaSize({ width, height }).width;
  let band = 0;
  return {
    width,
    height,
    form: PLANES,
    ...(arrival && { early: arrival.early }),
    async rows(first, count) {
      await arrival?.until(first + count);
      // Helpers whose rows have come would wait for more to do.
      if (arrival && band !== Math.floor(first / BAND_ROWS)) await yieldToEventLoop();
      band = Math.floor(first / BAND_ROWS);
      const chroma = [(first / 2) * chromaWidth, Math.ceil((first + count) / 2) * chromaWidth] as const;
      return {
        luma: luma.subarray(first * width, (first + count) * width),
        cb: cb.subarray(...chroma),
        cr: cr.subarray(...chroma),
      };
    },
  };
}
