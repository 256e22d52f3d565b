/** The end of a zip (APPNOTE.TXT 4.3.16), without a comment. */
const END_LENGTH = 22;
const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_LENGTH = 46;
const LOCAL_LENGTH = 30;
/** Values that stand for larger ones elsewhere (Zip64). */
const ELSEWHERE = 0xffffffff;
const MANY = 0xffff;

const TYPES: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  jpg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  avif: "image/avif",
  txt: "text/plain",
};

/**
 * Returns the files of a zip whose files are stored, without copying them. Returns any other file as it is. A split always makes
 * a zip, but a person wants the files.
 */
export async function archivedFiles(file: File): Promise<readonly File[]> {
  if (file.type !== "application/zip" || file.size < END_LENGTH) return [file];
  const end = await viewOf(file.slice(-END_LENGTH));
  const count = end.getUint16(10, true);
  const start = end.getUint32(16, true);
  if (end.getUint32(0, true) !== END_SIGNATURE || count === 0 || count === MANY || start === ELSEWHERE) {
    return [file];
  }
  const entries = entriesOf(await viewOf(file.slice(start, file.size - END_LENGTH)), count);
  if (entries === undefined) return [file];
  return Promise.all(entries.map((entry) => contentOf(file, entry)));
}

/** A file of a zip, as the central directory has it. */
interface ZipEntry {
  readonly name: string;
  readonly length: number;
  /** Where its local header begins. */
  readonly start: number;
}

/** Returns the entries of a central directory (4.3.12). Undefined if one cannot be read, is compressed or is very large. */
function entriesOf(directory: DataView, count: number): readonly ZipEntry[] | undefined {
  const entries: ZipEntry[] = [];
  let at = 0;
  while (entries.length < count) {
    if (at + ENTRY_LENGTH > directory.byteLength || directory.getUint32(at, true) !== ENTRY_SIGNATURE)
      return undefined;
    const isStored = directory.getUint16(at + 10, true) === 0;
    const length = directory.getUint32(at + 20, true);
    const nameLength = directory.getUint16(at + 28, true);
    const start = directory.getUint32(at + 42, true);
    if (!isStored || length === ELSEWHERE || start === ELSEWHERE) return undefined;
    const bytes = new Uint8Array(directory.buffer, at + ENTRY_LENGTH, nameLength);
    entries.push({ name: new TextDecoder().decode(bytes), length, start });
    at += ENTRY_LENGTH + nameLength + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true);
  }
  return entries;
}

async function contentOf(zip: File, { name, length, start }: ZipEntry): Promise<File> {
  const local = await viewOf(zip.slice(start, start + LOCAL_LENGTH));
  const content = start + LOCAL_LENGTH + local.getUint16(26, true) + local.getUint16(28, true);
  const type = TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "";
  return new File([zip.slice(content, content + length, type)], name, { type });
}

async function viewOf(blob: Blob): Promise<DataView> {
  return new DataView(await blob.arrayBuffer());
}
