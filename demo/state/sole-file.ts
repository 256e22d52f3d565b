/** The end of a zip with one entry (APPNOTE.TXT 4.3.16), without a comment. */
const END_LENGTH = 22;
const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_LENGTH = 46;
const LOCAL_LENGTH = 30;

/**
 * Returns the only file of a zip with one stored file. Returns any other file as it is. A split always makes a
 * zip, but a person needs none for one file.
 */
export async function soleFile(file: File): Promise<File> {
  if (file.type !== "application/zip" || file.size < END_LENGTH) return file;
  const end = await viewOf(file.slice(-END_LENGTH));
  if (end.getUint32(0, true) !== END_SIGNATURE || end.getUint16(10, true) !== 1) return file;
  const directory = end.getUint32(16, true);
  const entry = await viewOf(file.slice(directory, file.size - END_LENGTH));
  if (entry.byteLength < ENTRY_LENGTH || entry.getUint32(0, true) !== ENTRY_SIGNATURE) return file;
  const isStored = entry.getUint16(10, true) === 0;
  const length = entry.getUint32(20, true);
  const nameLength = entry.getUint16(28, true);
  const start = entry.getUint32(42, true);
  // A larger file has its sizes elsewhere (Zip64).
  if (!isStored || length === 0xffffffff || start === 0xffffffff) return file;
  const name = new TextDecoder().decode(new Uint8Array(entry.buffer, ENTRY_LENGTH, nameLength));
  const local = await viewOf(file.slice(start, start + LOCAL_LENGTH));
  const content = start + LOCAL_LENGTH + local.getUint16(26, true) + local.getUint16(28, true);
  const type = name.endsWith(".pdf") ? "application/pdf" : "";
  return new File([file.slice(content, content + length, type)], name, { type });
}

async function viewOf(blob: Blob): Promise<DataView> {
  return new DataView(await blob.arrayBuffer());
}
