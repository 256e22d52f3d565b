import { callHelpers } from "../../../../parallel/helper-pool.ts";
import { yieldToEventLoop } from "../../../../parallel/yield-to-event-loop.ts";
import type { BandedPicture } from "../../../picture/row-stream.ts";
import { withEncoder } from "../encoder-instance.ts";
import { partsOf } from "../parallel-encoding.ts";
import { BAND_ROWS, BandEncoding } from "./band-encoding.ts";
import { type BandAnswer, type BandRequest, type BandTask, bandWorker } from "./band-helper.ts";

/**
 * Encodes a picture whose rows come from the top, here and in other workers. Of a large one, the upper half says how all
 * of it is coded: the lower is encoded as it comes.
 *
 * @param quality from 0 to 1
 * @param backdrop a color (#rrggbb) for behind it, where it may be transparent
 * @param helpers how many other workers may help
 * @returns the parts of the file
 * @throws what keeps its rows from coming, or an `Error` when a helper keeps rows that it was given
 */
export function encodeBands(
  picture: BandedPicture,
  { quality, backdrop }: Pick<BandRequest, "quality" | "backdrop">,
  helpers: number,
): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const { width, height } = picture;
  const request = { width, quality, backdrop: picture.hasAlpha ? backdrop : undefined };
  return withEncoder(async (encoder) => {
    const crew = callHelpers<BandTask, BandAnswer, BandRequest>(helpers, "helpWithBands", request);
    try {
      const encoding = new BandEncoding({ width, height }, bandWorker(encoder, request), crew);
      for await (const rows of picture.bands(BAND_ROWS)) {
        await encoding.add(rows);
        // What helpers have done is heard of.
        await yieldToEventLoop();
      }
      const { tables, intervals } = await encoding.finish();
      return partsOf({ width, height }, quality, tables, intervals);
    } finally {
      for (const helper of crew) helper.release();
    }
  });
}
