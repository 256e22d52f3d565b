import { codingTables, SYMBOLS } from "../../../codecs/jpeg/coding-tables.ts";
import { END_OF_IMAGE, type HuffmanTables, jpegHeader } from "../../../codecs/jpeg/header.ts";
import { type JpegEncoder, sampleOf } from "../../../codecs/jpeg/jpeg-encoder.ts";
import { MCU } from "../../../codecs/jpeg/mcu-rows.ts";
import { quantizersOf } from "../../../codecs/jpeg/quantization-tables.ts";
import { callHelpers } from "../../../parallel/helper-pool.ts";
import { mapUnordered } from "../../../parallel/map-unordered.ts";
import type { Size } from "../../picture/size.ts";
import {
  type CountTask,
  type EncodeTask,
  type StripAnswer,
  type StripRequest,
  type StripTask,
  stripWorker,
} from "./mcu-row-helper.ts";

/** A smaller picture is encoded before a helper could begin. */
const WORTH_SHARING_PIXELS = 4_000_000;
/** The MCU rows of a restart interval. An interval takes 1 to 2 ms. */
const ROWS_OF_INTERVAL = 8;
/** The MCU rows whose symbols one task counts. */
const ROWS_COUNTED = 6;
/** Restart markers are numbered 0 to 7, then 0 again (ITU-T T.81, B.2.1). */
const FIRST_RESTART = 0xd0;
const RESTARTS = 8;

/** Whether a picture is large enough to be encoded in restart intervals, by several workers where possible. */
export function isWorthSharing({ width, height }: Size): boolean {
  return width * height >= WORTH_SHARING_PIXELS;
}

/**
 * Encodes a frame in restart intervals, in this worker and by helpers. The file is the same, whichever worker encodes an
 * interval.
 *
 * @param helpers the number of other workers that may help
 * @returns the parts of the file
 */
export async function encodeShared(
  encoder: JpegEncoder,
  request: StripRequest,
  helpers: number,
): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const { quality, width, height } = request;
  const size = { width, height };
  const work = stripWorker(encoder, request);
  const crew = callHelpers<StripTask, StripAnswer, StripRequest>(helpers, "helpWithStrips", request);
  try {
    const { strips, hasGaps } = sampleOf(size);
    const counts = new Uint32Array(SYMBOLS);
    await mapUnordered(countTasks(strips), crew, work, (_, counted) => addCounts(counts, counted));
    const { tables, codes } = codingTables(counts, hasGaps);
    const tasks = intervalTasks(Math.ceil(height / MCU), codes);
    const intervals = new Map<StripTask, StripAnswer>();
    await mapUnordered(tasks, crew, work, (task, interval) => intervals.set(task, interval));
    const ordered = tasks.map((task) => intervals.get(task));
    return partsOf(size, quality, tables, ordered);
  } finally {
    for (const helper of crew) helper.release();
  }
}

/** Returns tasks that count the symbols of some MCU rows. Each task is long enough to be worth a message. */
function countTasks(strips: readonly number[]): CountTask[] {
  return Array.from({ length: Math.ceil(strips.length / ROWS_COUNTED) }, (_, index) => ({
    kind: "count",
    strips: strips.slice(index * ROWS_COUNTED, (index + 1) * ROWS_COUNTED),
  }));
}

/** Adds `more` to `counts`. */
function addCounts(counts: Uint32Array, more: ArrayLike<number>): void {
  for (let symbol = 0; symbol < counts.length; symbol++) {
    counts[symbol] = (counts[symbol] ?? 0) + (more[symbol] ?? 0);
  }
}

/** Returns tasks that encode some MCU rows, one restart interval each. */
function intervalTasks(rows: number, codes: Uint32Array): EncodeTask[] {
  return Array.from({ length: Math.ceil(rows / ROWS_OF_INTERVAL) }, (_, index) => {
    const first = index * ROWS_OF_INTERVAL;
    return { kind: "encode", strips: { first, count: Math.min(ROWS_OF_INTERVAL, rows - first) }, codes };
  });
}

/**
 * Returns the parts of a file from its restart intervals.
 *
 * @param tables the Huffman tables that code the intervals
 */
function partsOf(
  size: Size,
  quality: number,
  tables: HuffmanTables,
  intervals: readonly (StripAnswer | undefined)[],
): readonly Uint8Array<ArrayBuffer>[] {
  const restartInterval = ROWS_OF_INTERVAL * Math.ceil(size.width / MCU);
  const parts = intervals.flatMap((interval, index) => {
    if (!(interval instanceof Uint8Array)) throw new Error("an interval has not been encoded");
    return index === 0
      ? [interval]
      : [Uint8Array.of(0xff, FIRST_RESTART + ((index - 1) % RESTARTS)), interval];
  });
  const header = jpegHeader(size, quantizersOf(quality), tables, restartInterval);
  return [Uint8Array.from(header), ...parts, Uint8Array.from(END_OF_IMAGE)];
}
