import { makeZip } from "client-zip";
import type { BlobSink } from "./blob-sink.ts";

const READ_STEP = 8 * 1024 * 1024;
/** The earliest date that an archive can say. */
const EARLIEST = new Date(1980, 0, 1).getTime();

/** A file for an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly content: BlobSink | Blob | Uint8Array<ArrayBuffer>;
}

/**
 * Archives files, stored and not deflated: what a PDF holds is compressed already. Large files go into the
 * output as they are and are read for their checksums only.
 *
 * @param lastModified what the archive says of all its files, in milliseconds since 1970
 */
export async function zip(
  files: AsyncIterable<ZipEntry>,
  output: BlobSink,
  lastModified: number,
): Promise<void> {
  const date = new Date(Math.max(lastModified, EARLIEST));
  /** The bytes of large files on their way through the archiver, and what to do when they come out of it. */
  const passing = new WeakMap<Uint8Array, () => void>();
  let count = 0;

  async function* entries() {
    for await (const { name, content } of files) {
      count++;
      yield { name, lastModified: date, input: bytesOf(content) };
    }
  }

  async function* bytesOf(content: ZipEntry["content"]) {
    // What is in memory still need not go to the browser and come back.
    if (content instanceof Uint8Array) {
      yield content;
      return;
    }
    const pieces = content instanceof Blob ? undefined : content.piecesInMemory();
    if (pieces) {
      yield* pieces;
      return;
    }
    const blob = content instanceof Blob ? content : content.toBlob();
    const whole = output.prefersWhole(blob.size);
    const read = (at: number) => {
      const bytes = blob.slice(at, at + READ_STEP).arrayBuffer();
      // Awaited in its turn: until then a failure must not count as unhandled.
      bytes.catch(() => {});
      return bytes;
    };
    let next = read(0);
    for (let at = 0; at < blob.size; at += READ_STEP) {
      const bytes = new Uint8Array(await next);
      // Read while the archiver is at work.
      if (at + READ_STEP < blob.size) next = read(at + READ_STEP);
      if (whole) passing.set(bytes, at === 0 ? () => output.append(content) : () => {});
      yield bytes;
    }
  }

  const reader = makeZip(entries()).getReader();
  let last: Uint8Array = new Uint8Array();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    output.write(last);
    last = new Uint8Array();
    const pass = passing.get(value);
    if (pass === undefined) last = value;
    else pass();
    if (output.full) await output.room();
  }
  output.write(zip64End(last, count));
  output.write(last);
}

/** Where an archive's end, and its 64-bit double, keep what they say (APPNOTE 4.3.14 to 4.3.16). */
const END = { directorySize: 12, directoryOffset: 16 };
const END_64 = {
  bytes: 56,
  recordSize: 4,
  versions: 12,
  entries: 24,
  directorySize: 40,
  directoryOffset: 48,
};
const LOCATOR = { bytes: 20, endOffset: 8, disks: 16 };
const UNCOUNTABLE = 0xffff;
const UNREACHABLE = 0xffffffff;

/**
 * The 64-bit end that an archive of 65,535 files or more needs before its plain end. The archiver writes one for
 * long archives only.
 */
function zip64End(end: Uint8Array, count: number): Uint8Array {
  const plain = new DataView(end.buffer, end.byteOffset, end.length);
  const directoryOffset = plain.getUint32(END.directoryOffset, true);
  if (count < UNCOUNTABLE || directoryOffset === UNREACHABLE) return new Uint8Array();
  const directorySize = plain.getUint32(END.directorySize, true);
  const bytes = new Uint8Array(END_64.bytes + LOCATOR.bytes);
  const record = new DataView(bytes.buffer, 0, END_64.bytes);
  record.setUint32(0, 0x06064b50, true);
  record.setBigUint64(END_64.recordSize, BigInt(END_64.bytes - 12), true);
  record.setUint32(END_64.versions, 0x002d002d, true);
  record.setBigUint64(END_64.entries, BigInt(count), true);
  record.setBigUint64(END_64.entries + 8, BigInt(count), true);
  record.setBigUint64(END_64.directorySize, BigInt(directorySize), true);
  record.setBigUint64(END_64.directoryOffset, BigInt(directoryOffset), true);
  const locator = new DataView(bytes.buffer, END_64.bytes);
  locator.setUint32(0, 0x07064b50, true);
  locator.setBigUint64(LOCATOR.endOffset, BigInt(directoryOffset + directorySize), true);
  locator.setUint32(LOCATOR.disks, 1, true);
  return bytes;
}
