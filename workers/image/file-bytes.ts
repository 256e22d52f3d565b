type Reads = WeakMap<Blob, Promise<Uint8Array<ArrayBuffer>>>;

const wholes: Reads = new WeakMap();

/** All bytes of a file, which is read once however often it is asked for. They must not be changed. */
export function bytesOf(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
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

function readOnce(reads: Reads, file: Blob, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const known = reads.get(file);
  if (known !== undefined) return known;
  const bytes = file
    .slice(0, length)
    .arrayBuffer()
    .then((buffer) => new Uint8Array(buffer));
  reads.set(file, bytes);
  return bytes;
}
