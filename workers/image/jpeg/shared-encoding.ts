import { callHelpers } from "../../crew.ts";
import { shareTasks } from "../../shared-tasks.ts";
import { codingTables, SYMBOLS } from "./coding-tables.ts";
import { END_OF_IMAGE, jpegHeader } from "./header.ts";
import { type JpegEncoder, sampleOf } from "./jpeg-encoder.ts";
import { quantisersOf } from "./quantisers.ts";
import { type StripAnswer, type StripRequest, type StripTask, stripWorker } from "./strip-helper.ts";
import { MCU } from "./strips.ts";

/** Smaller pictures are encoded before a helper has heard of them. */
const WORTH_SHARING_PIXELS = 4_000_000;
/** So many strips lie between two restarts: an interval takes a millisecond or two. */
const STRIPS_OF_INTERVAL = 8;
/** So many are counted at a time. */
const STRIPS_COUNTED = 6;
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
    await shareTasks(countTasks(strips), crew, work, (_, counted) => {
      counted.forEach((count, symbol) => {
        counts[symbol] = (counts[symbol] ?? 0) + count;
      });
    });
    const { tables, codes } = codingTables(counts, hasGaps);
    const tasks = intervalTasks(Math.ceil(size.height / MCU), codes);
    const intervals = new Map<StripTask, StripAnswer>();
    await shareTasks(tasks, crew, work, (task, interval) => intervals.set(task, interval));
    const restartInterval = STRIPS_OF_INTERVAL * Math.ceil(size.width / MCU);
    const parts = tasks.flatMap((task, index) => {
      const interval = intervals.get(task);
      if (!(interval instanceof Uint8Array)) throw new Error("an interval has not been encoded");
      return index === 0
        ? [interval]
        : [Uint8Array.of(0xff, FIRST_RESTART + ((index - 1) % RESTARTS)), interval];
    });
    const header = jpegHeader(size, quantisersOf(quality), tables, restartInterval);
    return [Uint8Array.from(header), ...parts, Uint8Array.from(END_OF_IMAGE)];
  } finally {
    for (const helper of crew) helper.release();
  }
}

function countTasks(strips: readonly number[]): StripTask[] {
  return Array.from({ length: Math.ceil(strips.length / STRIPS_COUNTED) }, (_, index) => ({
    kind: "count",
    strips: strips.slice(index * STRIPS_COUNTED, (index + 1) * STRIPS_COUNTED),
  }));
}

function intervalTasks(strips: number, codes: Uint32Array): StripTask[] {
  return Array.from({ length: Math.ceil(strips / STRIPS_OF_INTERVAL) }, (_, index) => {
    const first = index * STRIPS_OF_INTERVAL;
    return { kind: "encode", strips: { first, count: Math.min(STRIPS_OF_INTERVAL, strips - first) }, codes };
  });
}
