import type { JpegEncoder, McuRowRange } from "../../../codecs/jpeg/index.ts";
import { taskServer } from "../../../parallel/task-server.ts";
import { type PixelReading, pixelRowsOf } from "./bitmap-rows.ts";
import { withEncoder } from "./encoder-instance.ts";
import { planeRowsOf } from "./frame-rows.ts";

/** A frame to encode, for several workers. */
export interface FrameRequest extends PixelReading {
  readonly frame: VideoFrame;
  /** From 0 to 1. */
  readonly quality: number;
}

/** Counts the symbols of some MCU rows. */
export interface CountTask {
  readonly kind: "count";
  readonly mcuRows: readonly number[];
}

/** Encodes a restart interval with the Huffman codes of the image. */
export interface EncodeTask {
  readonly kind: "encode";
  readonly mcuRows: McuRowRange;
  readonly codes: Uint32Array;
}

/** Work on some MCU rows. */
export type McuRowTask = CountTask | EncodeTask;

/** The counts of a {@link CountTask}, or the bytes of an {@link EncodeTask}. */
export type McuRowResult = Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** Returns a function that does tasks for a frame. */
export function mcuRowWorker(
  encoder: JpegEncoder,
  { frame, quality, ...pixels }: FrameRequest,
): (task: McuRowTask) => Promise<McuRowResult> {
  const source = planeRowsOf(frame, pixels) ?? pixelRowsOf(frame, pixels);
  return (task) =>
    task.kind === "count"
      ? encoder.countSymbols(source, quality, task.mcuRows)
      : encoder.encodeInterval(source, quality, task.codes, task.mcuRows);
}

/** Does tasks for another worker, until the lease ends. */
export async function serveMcuRows(request: FrameRequest, port: MessagePort): Promise<void> {
  try {
    await withEncoder((encoder) =>
      taskServer<McuRowTask, McuRowResult>(port, mcuRowWorker(encoder, request), ({ buffer }) => [buffer]),
    );
  } finally {
    request.frame.close();
    port.close();
  }
}
