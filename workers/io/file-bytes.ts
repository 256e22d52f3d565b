import { concatBytes } from "./concat-bytes.ts";
import { readFailure } from "./read-failure.ts";

type Reads = WeakMap<Blob, Promise<Uint8Array<ArrayBuffer>>>;

const wholes: Reads = new WeakMap();
/** Of files that were made here. */
const made = new WeakMap<Blob, readonly Uint8Array<ArrayBuffer>[]>();

/** All bytes of a file, which is read once however often it is asked for. They must not be changed. */
export async function bytesOf(file: Blob | Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (!(file instanceof Blob)) return file;
  return readOnce(wholes, file, file.size);
}

/** What the headers of most files fit into. */
const HEAD_BYTES = 256 * 1024;
const heads: Reads = new WeakMap();

/** The beginning of a file, where its header is, or all of it when it was read before. It is read once, too. */
export function headOf(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  if (wholes.has(file) || file.size <= HEAD_BYTES) return bytesOf(file);
  return readOnce(heads, file, HEAD_BYTES);
}

/** What the last pieces of most files fit into. */
const TAIL_BYTES = 256 * 1024;

/** The end of a file, or all of it when it is short. */
export function tailOf(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return partOf(file, Math.max(0, file.size - TAIL_BYTES), file.size);
}

/** A part of a file, read alone unless all of it was read before. */
export async function partOf(file: Blob, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  const whole = made.has(file) ? bytesOf(file) : wholes.get(file);
  if (whole !== undefined) return (await whole).slice(start, end);
  return content(file.slice(start, end));
}

/** Parts as a file, out of which they need not be read again. They must not be changed. */
export function fileOf(parts: readonly Uint8Array<ArrayBuffer>[], type: string): Blob {
  const file = new Blob([...parts], { type });
  made.set(file, parts);
  return file;
}

/** Says that a file that was made here is read no more: its parts would be kept as long as it is. */
export function letPartsGo(file: Blob): void {
  made.delete(file);
}

function readOnce(reads: Reads, file: Blob, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const known = reads.get(file);
  if (known !== undefined) return known;
  const bytes = read(file, length);
  reads.set(file, bytes);
  return bytes;
}

async function read(file: Blob, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts = made.get(file);
  if (parts !== undefined) return concatBytes(parts).subarray(0, length);
  return content(file.slice(0, length));
}

/** Firefox gives what is left of a file that has become shorter, and says nothing. */
async function content(part: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(await part.arrayBuffer());
  if (bytes.length < part.size) throw readFailure();
  return bytes;
}
