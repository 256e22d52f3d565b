import { readFailure } from "./read-failure.ts";

type Reads = WeakMap<Blob, Promise<Uint8Array<ArrayBuffer>>>;

const wholes: Reads = new WeakMap();

/** Returns all bytes of a file. Reads the file once for all calls. The caller must not change the bytes. */
export async function bytesOf(file: Blob | Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (!(file instanceof Blob)) return file;
  return readOnce(wholes, file, file.size);
}

/** The headers of most files fit into this. */
const HEAD_BYTES = 256 * 1024;
const heads: Reads = new WeakMap();

/** Returns the beginning of a file, or all of it when it was read before. Reads it once for all calls. */
export function headOf(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  if (wholes.has(file) || file.size <= HEAD_BYTES) return bytesOf(file);
  return readOnce(heads, file, HEAD_BYTES);
}

/** Returns a part of a file. Reads only that part, unless all of the file was read before. */
export async function partOf(file: Blob, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  const whole = wholes.get(file);
  if (whole !== undefined) return (await whole).slice(start, end);
  return content(file.slice(start, end));
}

/** Forgets the bytes of a file that was read. Otherwise they stay in memory as long as the file. */
export function forgetBytes(file: Blob): void {
  for (const reads of [wholes, heads]) reads.delete(file);
}

function readOnce(reads: Reads, file: Blob, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const known = reads.get(file);
  if (known !== undefined) return known;
  const bytes = content(file.slice(0, length));
  reads.set(file, bytes);
  return bytes;
}

/** Reads a Blob. Firefox returns fewer bytes, without an error, when the file has become shorter. */
async function content(part: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(await part.arrayBuffer());
  if (bytes.length < part.size) throw readFailure();
  return bytes;
}
