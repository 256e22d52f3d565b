import type { JpegEncoder, RowSource, Strips } from "../../../codecs/jpeg/jpeg-encoder.ts";
import { serveTasks } from "../../../parallel/helper-pool.ts";
import { type PixelReading, pixelRowsOf } from "./bitmap-rows.ts";
import { withEncoder } from "./encoder-instance.ts";
import { planeRowsOf } from "./frame-rows.ts";

/** A picture of which others encode strips, too. */
export interface StripRequest extends PixelReading {
  readonly frame: VideoFrame;
  /** From 0 to 1. */
  readonly quality: number;
}

/** To count the symbols of some strips. */
export interface CountTask {
  readonly kind: "count";
  readonly strips: readonly number[];
}

/** To encode some strips, by codes that all have in common. */
export interface EncodeTask {
  readonly kind: "encode";
  readonly strips: Strips;
  readonly codes: Uint32Array;
}

/** Work on some strips. */
export type StripTask = CountTask | EncodeTask;

/** The counts that a {@link CountTask} gives, or the bytes of an {@link EncodeTask}. */
export type StripAnswer = Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** Does a task for a picture. */
export function stripWorker(
  encoder: JpegEncoder,
  { frame, quality, ...pixels }: StripRequest,
): (task: StripTask) => Promise<StripAnswer> {
  const planes = planeRowsOf(frame, pixels);
  return planes ? workerOf(encoder, planes, quality) : workerOf(encoder, pixelRowsOf(frame, pixels), quality);
}

function workerOf<Values>(encoder: JpegEncoder, rows: RowSource<Values>, quality: number) {
  return (task: StripTask): Promise<StripAnswer> =>
    task.kind === "count"
      ? encoder.countStrips(rows, quality, task.strips)
      : encoder.encodeStrips(rows, quality, task.codes, task.strips);
}

/** Works on strips for another worker. */
export async function helpWithStrips(request: StripRequest, port: MessagePort): Promise<void> {
  try {
    await withEncoder((encoder) =>
      serveTasks<StripTask, StripAnswer>(port, stripWorker(encoder, request), (answer) => [answer.buffer]),
    );
  } finally {
    request.frame.close();
    port.close();
  }
}
