import type { CodingTables } from "../../../../codecs/jpeg/coding-tables.ts";
import type { JpegEncoder, RowSource } from "../../../../codecs/jpeg/jpeg-encoder.ts";
import { MCU, PIXELS, type StripForm } from "../../../../codecs/jpeg/mcu-rows.ts";
import { serveTasks } from "../../../../parallel/helper-pool.ts";
import { withEncoder } from "../encoder-instance.ts";

/** How bands of a picture's rows are encoded. */
export interface BandRequest {
  /** In pixels. */
  readonly width: number;
  /** From 0 to 1. */
  readonly quality: number;
  /** A color (#rrggbb) behind pixels that may be transparent. */
  readonly backdrop: string | undefined;
}

/** Rows of a picture, handed over: whoever has them gives their memory back. */
export interface BandRows {
  /** Red, green, blue and alpha, or something, of each pixel. */
  readonly memory: ArrayBuffer;
  readonly rows: number;
}

/** Work on a band. */
export type BandTask =
  /** To say that one is there. */
  | { readonly kind: "report" }
  /** To have so many bytes of memory in hand: what is new is given by the system when it is first touched, which takes its time. */
  | { readonly kind: "prepare"; readonly bytes: number }
  /** To count the symbols of some of its strips. */
  | { readonly kind: "count"; readonly band: BandRows; readonly strips: readonly number[] }
  /** To encode it, as an interval between restarts. */
  | { readonly kind: "encode"; readonly band: BandRows; readonly codes: CodingTables["codes"] };

/** What a task gives, and the memory that was handed over, or is. */
export interface BandAnswer {
  readonly memory: ArrayBuffer | undefined;
  /** Counts of symbols, or bytes. */
  readonly made: Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer> | undefined;
}

/** What of a task is handed over. */
export function handedOver(task: BandTask): Transferable[] {
  return "band" in task ? [task.band.memory] : [];
}

/** Does tasks for a picture. */
export function bandWorker(
  encoder: JpegEncoder,
  request: BandRequest,
): (task: BandTask) => Promise<BandAnswer> {
  const { quality } = request;
  return async (task) => {
    if (task.kind === "report") return { memory: undefined, made: undefined };
    if (task.kind === "prepare") return { memory: touched(task.bytes), made: undefined };
    const { memory, rows } = task.band;
    const source = rowsOf(task.band, request);
    const strips = { first: 0, count: Math.ceil(rows / MCU) };
    const made = await (task.kind === "count"
      ? encoder.countStrips(source, quality, task.strips)
      : encoder.encodeStrips(source, quality, task.codes, strips));
    return { memory, made };
  };
}

const SMALLEST_PAGE = 4096;

function touched(bytes: number): ArrayBuffer {
  const memory = new Uint8Array(bytes);
  for (let at = 0; at < bytes; at += SMALLEST_PAGE) memory[at] = 1;
  return memory.buffer;
}

function rowsOf({ memory, rows }: BandRows, { width, backdrop }: BandRequest): RowSource<Uint8ClampedArray> {
  return {
    ...{ width, height: rows, form: formWith(backdrop) },
    rows: async (first, count) => new Uint8ClampedArray(memory, 4 * width * first, 4 * width * count),
  };
}

function formWith(backdrop: string | undefined): StripForm<Uint8ClampedArray> {
  if (backdrop === undefined) return PIXELS;
  const values = Number.parseInt(backdrop.slice(1), 16);
  const redLowest = ((values & 0xff) << 16) | (values & 0xff00) | (values >> 16);
  return { ...PIXELS, backdrop: redLowest, isUnmultiplied: true };
}

/** Works on bands for another worker. */
export async function helpWithBands(request: BandRequest, port: MessagePort): Promise<void> {
  try {
    await withEncoder((encoder) =>
      serveTasks<BandTask, BandAnswer>(port, bandWorker(encoder, request), ({ memory, made }) =>
        [memory, made?.buffer].filter((buffer) => buffer !== undefined),
      ),
    );
  } finally {
    port.close();
  }
}
