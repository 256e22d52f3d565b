import { tailOf } from "../../../../io/file-bytes.ts";
import type { BandedPicture } from "../../../picture/row-stream.ts";
import { knowsVectors } from "../../../wasm/simd-support.ts";
import { endsBehindPixels } from "../end-chunk.ts";
import { COLOR_TYPE, type Png } from "../read-png.ts";
import { compressedPixels } from "./compressed-pixels.ts";
import { withDecoder } from "./kept-decoder.ts";

/** A chunk's length and name. */
const CHUNK_HEAD_BYTES = 8;

/**
 * A PNG's picture, of which only as much is in memory as comes at once. To have the browser decode it takes longer,
 * since that reads all of the file first, and fills new memory with all of the pixels.
 *
 * @param png what stands before its pixels
 * @returns nothing of a PNG that is unusual in any way
 */
export async function pictureInBands(file: Blob, png: Png): Promise<BandedPicture | undefined> {
  const { width, height, bitDepth, colorType, interlaced, transparency } = png;
  const hasAlpha = colorType === COLOR_TYPE.rgbAlpha;
  const isUsual = (colorType === COLOR_TYPE.rgb || hasAlpha) && bitDepth === 8 && !interlaced;
  if (!isUsual || transparency !== undefined || !knowsVectors()) return undefined;
  const [pixels] = png.data;
  if (pixels?.kind !== "range" || !endsBehindPixels(await tailOf(file))) return undefined;
  const start = pixels.start - CHUNK_HEAD_BYTES;
  const size = { width, height, pixelBytes: hasAlpha ? 4 : 3 } as const;
  return {
    ...{ width, height, hasAlpha },
    bands: (rows) => withDecoder((decoder) => decoder.decode(compressedPixels(file, start), size, rows)),
  };
}
