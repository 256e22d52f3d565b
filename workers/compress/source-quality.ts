import type { Jpeg } from "../image/formats/jpg/read-jpeg.ts";
import { bodyOf, MARKER } from "../image/formats/jpg/segments.ts";
import type { ByteSource } from "../io/source.ts";

/** The sum of the luma table of ITU-T T.81 (annex K.1), which is the table of the quality 0.5. */
const SUM_AT_HALF = 3688;
const STEPS = 64;

/**
 * Returns the quality of a JPEG, from 0 to 1, by the steps of its first quantization table (B.2.4.1) on the scale of libjpeg. 1 for a
 * JPEG without a table before its first scan.
 */
export function sourceQuality(source: ByteSource, { segments }: Jpeg): number {
  const segment = segments.find(({ marker }) => marker === MARKER.DQT);
  if (!segment) return 1;
  const [kind = 0, ...table] = bodyOf(source, segment);
  // Steps of 16 bits are for quantization that is coarser than any that is usual.
  if (kind >> 4 !== 0) return 0;
  const scale = table.slice(0, STEPS).reduce((sum, step) => sum + step, 0) / SUM_AT_HALF;
  return scale <= 1 ? 1 - scale / 2 : 1 / (2 * scale);
}
