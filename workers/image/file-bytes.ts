const read = new WeakMap<Blob, Promise<Uint8Array<ArrayBuffer>>>();

/** All bytes of a file, which is read once however often it is asked for. They must not be changed. */
export function bytesOf(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const known = read.get(file);
  if (known !== undefined) return known;
  const bytes = file.arrayBuffer().then((buffer) => new Uint8Array(buffer));
  read.set(file, bytes);
  return bytes;
}
