import { codingTables, SYMBOLS } from "../../../../codecs/jpeg/coding-tables.ts";
import { sampleOf } from "../../../../codecs/jpeg/jpeg-encoder.ts";
import { MCU } from "../../../../codecs/jpeg/mcu-rows.ts";
import { yieldToEventLoop } from "../../../../parallel/yield-to-event-loop.ts";
import type { Size } from "../../../picture/size.ts";
import { withEncoder } from "../encoder-instance.ts";
import { type CountTask, type EncodeTask, stripWorker } from "../mcu-row-helper.ts";
import type { BegunTop, EncodedTop } from "./begun-top.ts";

/** So many strips lie between two restarts: an interval takes a millisecond or two. */
export const STRIPS_OF_INTERVAL = 8;
/** So many are counted at a time. */
const STRIPS_COUNTED = 6;
/** Smaller ones are decoded before much of their top could be encoded. */
const WORTH_BEGINNING_PIXELS = 24_000_000;
/** When so much is decoded, what is left takes as long to decode as this to encode. */
const TOP_SHARE = 0.5;

/**
 * How many rows, from the top, of large planes say how all of them are encoded, so that these can be encoded while the
 * others are decoded; nothing where it is all of them.
 */
export function topHeightOf({ width, height }: Size): number | undefined {
  if (width * height < WORTH_BEGINNING_PIXELS) return undefined;
  const unit = STRIPS_OF_INTERVAL * MCU;
  return unit * Math.floor((TOP_SHARE * height) / unit) || undefined;
}

/**
 * Begins to encode a picture by its topmost rows.
 *
 * @param top a frame of these, as many as {@link topHeightOf} says; is closed when it has ended
 * @param size of all of the picture
 */
export function beginTop(top: VideoFrame, size: Size, quality: number): BegunTop {
  const height = topHeightOf(size) ?? size.height;
  let isOver = false;
  const isAtEnd = () => isOver;
  const encoded = encodeTop(top, { ...size, quality, topHeight: height }, isAtEnd)
    // Whoever encodes all of it will see why.
    .catch(() => undefined)
    .finally(() => top.close());
  return {
    quality,
    end() {
      isOver = true;
      return encoded;
    },
  };
}

function encodeTop(
  frame: VideoFrame,
  { width, height, topHeight, quality }: Size & { readonly topHeight: number; readonly quality: number },
  isAtEnd: () => boolean,
): Promise<EncodedTop> {
  return withEncoder(async (encoder) => {
    const work = stripWorker(encoder, { frame, width, height: topHeight, quality });
    const { strips, hasGaps } = sampleOf({ width, height, early: topHeight });
    const counts = new Uint32Array(SYMBOLS);
    for (const task of countTasks(strips)) {
      addTo(counts, await work(task));
      await yieldToEventLoop();
    }
    const tables = codingTables(counts, hasGaps);
    const intervals = new Map<number, Uint8Array<ArrayBuffer>>();
    for (const task of intervalTasks(topHeight / MCU, tables.codes)) {
      if (isAtEnd()) break;
      const interval = await work(task);
      if (interval instanceof Uint8Array) intervals.set(task.strips.first, interval);
      await yieldToEventLoop();
    }
    return { tables, intervals };
  });
}

/** The work of counting the symbols of these strips, in pieces that are worth handing out. */
export function countTasks(strips: readonly number[]): CountTask[] {
  return Array.from({ length: Math.ceil(strips.length / STRIPS_COUNTED) }, (_, index) => ({
    kind: "count",
    strips: strips.slice(index * STRIPS_COUNTED, (index + 1) * STRIPS_COUNTED),
  }));
}

/** Adds counts to those that there are. */
export function addTo(counts: Uint32Array, counted: ArrayLike<number>): void {
  for (let symbol = 0; symbol < counts.length; symbol++) {
    counts[symbol] = (counts[symbol] ?? 0) + (counted[symbol] ?? 0);
  }
}

/** The work of encoding so many strips, each interval between restarts a piece. */
export function intervalTasks(strips: number, codes: Uint32Array): EncodeTask[] {
  return Array.from({ length: Math.ceil(strips / STRIPS_OF_INTERVAL) }, (_, index) => {
    const first = index * STRIPS_OF_INTERVAL;
    return { kind: "encode", strips: { first, count: Math.min(STRIPS_OF_INTERVAL, strips - first) }, codes };
  });
}
