const read = new WeakMap<Blob, Promise<Uint8Array<ArrayBuffer>>>();

/** All bytes of a file, which is read once however often it is asked for. They must not be changed. */
export function bytesOf(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const known = read.get(file);
  if (known !== undefined) return known;
  const bytes = file.arrayBuffer().then((buffer) => new Uint8Array(buffer));
  read.set(file, bytes);
  return bytes;
}

/** What the headers of most files fit into. */
const HEAD_BYTES = 256 * 1024;

/** The beginning of a file, where its header is, or all of it when it was read before. */
export async function headOf(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const known = read.get(file);
  if (known !== undefined || file.size <= HEAD_BYTES) return bytesOf(file);
  return new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
}
