import type { PlaneSource } from "../../../codecs/jpeg/index.ts";
import { yieldToEventLoop } from "../../../parallel/yield-to-event-loop.ts";
import { chromaSize, type Planes } from "../../picture/planes.ts";
import type { RowProgress } from "../../picture/row-progress.ts";
import type { Size } from "../../picture/size.ts";
import { BAND_ROWS } from "./bands.ts";

/**
 * Returns the rows of planes for the encoder.
 *
 * @param arrival present while rows may still be missing
 */
export function rowsOfPlanes(
  { luma, cb, cr }: Planes,
  { width, height }: Size,
  arrival?: RowProgress,
): PlaneSource {
  const chromaWidth = chromaSize({ width, height }).width;
  let band = 0;
  return {
    ...{ kind: "planes", width, height, subsampling: { across: 2, down: 2 } },
    ...(arrival && { sampledHeight: arrival.early }),
    async readRows(first, count) {
      await arrival?.until(first + count);
      // Lets this worker handle the answers of helpers. Otherwise the helpers would wait for their next task.
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
