import {
  type JpegEncoder,
  jpegOfIntervals,
  MCU_SIZE,
  optimalCoding,
  sampleMcuRows,
} from "../../../codecs/jpeg/index.ts";
import { helperPool } from "../../../parallel/helper-pool.ts";
import { mapUnordered } from "../../../parallel/map-tasks.ts";
import { TaskQueue } from "../../../parallel/task-queue.ts";
import type { Size } from "../../picture/size.ts";
import {
  type CountTask,
  type EncodeTask,
  type FrameRequest,
  type McuRowResult,
  type McuRowTask,
  mcuRowWorker,
} from "./mcu-row-helper.ts";

/** The smallest picture that is shared. A smaller one is encoded before a helper could begin. */
const WORTH_SHARING_PIXELS = 4_000_000;
/** The MCU rows of a restart interval. An interval takes 1 to 2 ms. */
const ROWS_OF_INTERVAL = 8;
/** The MCU rows whose symbols one task counts. */
const ROWS_COUNTED = 6;

/** Whether a picture is large enough to be encoded in restart intervals, by several workers where possible. */
export function isWorthSharing({ width, height }: Size): boolean {
  return width * height >= WORTH_SHARING_PIXELS;
}

/**
 * Encodes a frame in restart intervals, in this worker and in helpers. The file is the same, whichever worker encodes
 * an interval.
 *
 * @param helpers the number of other workers that may help
 * @returns the parts of the file
 */
export async function encodeShared(
  encoder: JpegEncoder,
  request: FrameRequest,
  helpers: number,
): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const { quality, width, height } = request;
  const queue = new TaskQueue<McuRowTask, McuRowResult>({
    work: mcuRowWorker(encoder, request),
    helpers: helperPool.lease({ count: helpers, kind: "jpg/mcu-rows", request }),
  });
  try {
    const { mcuRows, isSample } = sampleMcuRows(request);
    const counts: Uint32Array[] = [];
    await mapUnordered(queue, countTasks(mcuRows), (_, counted) => {
      if (counted instanceof Uint32Array) counts.push(counted);
    });
    const { tables, codes } = optimalCoding(counts, isSample);
    const tasks = intervalTasks(Math.ceil(height / MCU_SIZE), codes);
    const encoded = new Map<McuRowTask, McuRowResult>();
    await mapUnordered(queue, tasks, (task, interval) => encoded.set(task, interval));
    const intervals = tasks.map((task) => {
      const interval = encoded.get(task);
      if (!(interval instanceof Uint8Array)) throw new Error("a restart interval is missing");
      return interval;
    });
    return jpegOfIntervals({ width, height }, quality, tables, {
      intervals,
      mcuRowsPerInterval: ROWS_OF_INTERVAL,
    });
  } finally {
    await queue.close();
  }
}

/** Returns tasks that count the symbols of some MCU rows. Each task is long enough to be worth a message. */
function countTasks(mcuRows: readonly number[]): CountTask[] {
  return Array.from({ length: Math.ceil(mcuRows.length / ROWS_COUNTED) }, (_, index) => ({
    kind: "count",
    mcuRows: mcuRows.slice(index * ROWS_COUNTED, (index + 1) * ROWS_COUNTED),
  }));
}

/** Returns tasks that encode some MCU rows, one restart interval each. */
function intervalTasks(rows: number, codes: Uint32Array): EncodeTask[] {
  return Array.from({ length: Math.ceil(rows / ROWS_OF_INTERVAL) }, (_, index) => {
    const first = index * ROWS_OF_INTERVAL;
    return { kind: "encode", mcuRows: { first, count: Math.min(ROWS_OF_INTERVAL, rows - first) }, codes };
  });
}
