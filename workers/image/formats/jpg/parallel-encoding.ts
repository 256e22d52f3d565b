import { codingTables, SYMBOLS } from "../../../codecs/jpeg/coding-tables.ts";
import { END_OF_IMAGE, type HuffmanTables, jpegHeader } from "../../../codecs/jpeg/header.ts";
import { type JpegEncoder, sampleOf } from "../../../codecs/jpeg/jpeg-encoder.ts";
import { MCU } from "../../../codecs/jpeg/mcu-rows.ts";
import { quantizersOf } from "../../../codecs/jpeg/quantization-tables.ts";
import { callHelpers } from "../../../parallel/helper-pool.ts";
import { mapUnordered } from "../../../parallel/map-unordered.ts";
import type { Size } from "../../picture/size.ts";
import { isLikeJpeg } from "./frame-rows.ts";
import { type StripAnswer, type StripRequest, type StripTask, stripWorker } from "./mcu-row-helper.ts";
import type { EncodedTop } from "./old/begun-top.ts";
import { addTo, countTasks, intervalTasks, STRIPS_OF_INTERVAL, topHeightOf } from "./old/top-encoding.ts";

/** Smaller pictures are encoded before a helper has heard of them. */
const WORTH_SHARING_PIXELS = 4_000_000;
/** Markers of restarts are numbered, from 0 to 7 and again. */
const FIRST_RESTART = 0xd0;
const RESTARTS = 8;

/** Whether a picture is large enough to be encoded in intervals, by several workers where there are. */
export function isWorthSharing({
  width,
  height,
}: {
  readonly width: number;
  readonly height: number;
}): boolean {
  return width * height >= WORTH_SHARING_PIXELS;
}

/**
 * Encodes a frame in intervals between restarts, here and in other workers. The file is the same whoever has made what.
 *
 * @param helpers how many other workers may help
 * @param top what is encoded of it already
 * @returns the parts of the file
 */
export async function encodeShared(
  encoder: JpegEncoder,
  request: StripRequest,
  helpers: number,
  top?: EncodedTop,
): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const { quality, width, height } = request;
  const size = { width, height };
  const work = stripWorker(encoder, request);
  const crew = callHelpers<StripTask, StripAnswer, StripRequest>(helpers, "helpWithStrips", request);
  const findTables = async () => {
    const early = isLikeJpeg(request.frame, size) ? topHeightOf(size) : undefined;
    const { strips, hasGaps } = sampleOf({ ...size, ...(early !== undefined && { early }) });
    const counts = new Uint32Array(SYMBOLS);
    const add = (_: StripTask, counted: StripAnswer) => addTo(counts, counted);
    await mapUnordered(countTasks(strips), crew, work, add);
    return codingTables(counts, hasGaps);
  };
  try {
    const { tables, codes } = top?.tables ?? (await findTables());
    const tasks = intervalTasks(Math.ceil(size.height / MCU), codes);
    const intervals = new Map<StripTask, StripAnswer>();
    for (const task of tasks) {
      const done = top?.intervals.get(task.strips.first);
      if (done !== undefined) intervals.set(task, done);
    }
    const missing = tasks.filter((task) => !intervals.has(task));
    await mapUnordered(missing, crew, work, (task, interval) => intervals.set(task, interval));
    const mapOrdered = tasks.map((task) => intervals.get(task));
    return partsOf(size, quality, tables, mapOrdered);
  } finally {
    for (const helper of crew) helper.release();
  }
}

/**
 * The parts of a file, of its intervals between restarts.
 *
 * @param tables by which they are coded
 */
function partsOf(
  size: Size,
  quality: number,
  tables: HuffmanTables,
  intervals: readonly (StripAnswer | undefined)[],
): readonly Uint8Array<ArrayBuffer>[] {
  const restartInterval = STRIPS_OF_INTERVAL * Math.ceil(size.width / MCU);
  const parts = intervals.flatMap((interval, index) => {
    if (!(interval instanceof Uint8Array)) throw new Error("an interval has not been encoded");
    return index === 0
      ? [interval]
      : [Uint8Array.of(0xff, FIRST_RESTART + ((index - 1) % RESTARTS)), interval];
  });
  const header = jpegHeader(size, quantizersOf(quality), tables, restartInterval);
  return [Uint8Array.from(header), ...parts, Uint8Array.from(END_OF_IMAGE)];
}
