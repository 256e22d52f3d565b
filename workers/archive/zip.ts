import { LONGEST_NAME } from "../../src/shared/entry-name.ts";
import type { BlobSink } from "../io/blob-sink.ts";
import { lengthOf } from "../io/byte-ranges.ts";
import { crc32 } from "../io/crc32.ts";
import { discard } from "../io/discard.ts";
import { type OutputPart, writePart } from "../io/sink.ts";
import { directoryEnd, directoryEntry, localHeader, type StoredFile } from "./zip-records.ts";

const READ_STEP = 8 * 1024 * 1024;
/** The earliest date in a zip file. */
const EARLIEST = Date.UTC(1980, 0, 1);

/** A file to archive. */
export interface ZipEntry {
  readonly name: string;
  readonly content: BlobSink | Blob | Uint8Array<ArrayBuffer>;
}

/**
 * Writes files into a zip archive (PKWARE APPNOTE). They are stored, not deflated, because PDFs and images are compressed
 * already. Large files are appended to the output and are read for their checksums only.
 *
 * @param output emptied first
 * @param lastModified the date of all files in the archive, in milliseconds since 1970; written in UTC
 * @throws what `files` throws; {RangeError} for a name that does not come from `entryName`
 */
export async function zip(
  files: AsyncIterable<ZipEntry>,
  output: BlobSink,
  lastModified: number,
): Promise<void> {
  output.restart();
  const date = new Date(Math.max(lastModified, EARLIEST));
  const stored: StoredFile[] = [];
  for await (const file of files) {
    stored.push(await writeFile(file, date, output));
    if (output.backpressure) await output.drain();
  }
  const offset = output.length;
  for (const file of stored) output.write(directoryEntry(file));
  output.write(directoryEnd({ entries: stored.length, length: output.length - offset, offset }));
}

async function writeFile(
  { name, content }: ZipEntry,
  lastModified: Date,
  output: BlobSink,
): Promise<StoredFile> {
  const encoded = new TextEncoder().encode(name);
  if (encoded.length > LONGEST_NAME) throw new RangeError("The name of an entry is too long");
  const { length, crc, write } = await prepared(content, output);
  const file = { name: encoded, lastModified, crc, length, offset: output.length };
  output.write(localHeader(file));
  write();
  return file;
}

/** A file whose length and checksum are known. */
interface Prepared {
  readonly length: number;
  readonly crc: number;
  /** Writes the bytes to the output. */
  write(): void;
}

async function prepared(content: ZipEntry["content"], output: BlobSink): Promise<Prepared> {
  if (content instanceof Uint8Array) return preparedBytes(content, output);
  // Bytes in memory need not go to the browser and back.
  const parts = content instanceof Blob ? undefined : content.parts();
  const isNew = parts?.every(({ kind }) => kind === "bytes");
  if (parts && (isNew || lengthOf(parts) <= READ_STEP)) return preparedParts(parts, output);
  const blob = content instanceof Blob ? content : content.toBlob();
  if (blob.size <= READ_STEP && !output.isWorthASlice(blob.size)) {
    return preparedBytes(new Uint8Array(await blob.arrayBuffer()), output);
  }
  return { length: blob.size, crc: await checksum(blob), write: () => output.append(content) };
}

function preparedBytes(bytes: Uint8Array, output: BlobSink): Prepared {
  return preparedParts([{ kind: "bytes", bytes }], output);
}

function preparedParts(parts: readonly OutputPart[], output: BlobSink): Prepared {
  let crc = 0;
  const ready = parts.map((part): OutputPart => {
    if (part.kind === "bytes") {
      crc = crc32(part.bytes, crc);
      return part;
    }
    // In most files the pages are in order, so the source reads many of them at a time.
    const bytes = part.source.read(part.start, part.end);
    crc = crc32(bytes, crc);
    discard(bytes.length);
    // Keep the bytes, otherwise the output would read them again.
    return output.isWorthASlice(bytes.length) ? part : { kind: "bytes", bytes };
  });
  const write = () => {
    for (const part of ready) writePart(output, part);
  };
  return { length: lengthOf(parts), crc, write };
}

async function checksum(blob: Blob): Promise<number> {
  const read = (at: number) => {
    const bytes = blob.slice(at, at + READ_STEP).arrayBuffer();
    // Awaited in the next round. Until then a failure must not count as unhandled.
    bytes.catch(() => {});
    return bytes;
  };
  let crc = 0;
  let next = read(0);
  for (let at = 0; at < blob.size; at += READ_STEP) {
    const bytes = new Uint8Array(await next);
    // Read the next bytes while the checksum is computed.
    if (at + READ_STEP < blob.size) next = read(at + READ_STEP);
    crc = crc32(bytes, crc);
    discard(bytes.length);
  }
  return crc;
}
