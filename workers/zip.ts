import { ServiceError } from "../src/errors.ts";
import type { BlobSink } from "./blob-sink.ts";
import { crc32 } from "./crc32.ts";
import { directoryEnd, directoryEntry, LONGEST_NAME, localHeader } from "./zip-records.ts";

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
 * @throws {ServiceError} `invalid_parameter` for a name that is too long for an archive; what `files` fails with
 */
export async function zip(
  files: AsyncIterable<ZipEntry>,
  output: BlobSink,
  lastModified: number,
): Promise<void> {
  const date = new Date(Math.max(lastModified, EARLIEST));
  const utf8 = new TextEncoder();
  const directory: Uint8Array[] = [];
  for await (const { name, content } of files) {
    const encoded = utf8.encode(name);
    if (encoded.length > LONGEST_NAME) throw nameTooLong();
    const { length, crc, write } = await readied(content, output);
    const file = { name: encoded, lastModified: date, crc, length, offset: output.length };
    output.write(localHeader(file));
    write();
    directory.push(directoryEntry(file));
    if (output.full) await output.room();
  }
  const offset = output.length;
  for (const entry of directory) output.write(entry);
  output.write(directoryEnd({ entries: directory.length, length: output.length - offset, offset }));
}

/** What an archive says of a file before its bytes. */
interface Readied {
  readonly length: number;
  readonly crc: number;
  /** Puts the bytes into the output. */
  write(): void;
}

async function readied(content: ZipEntry["content"], output: BlobSink): Promise<Readied> {
  // What is in memory still need not go to the browser and come back.
  if (content instanceof Uint8Array) return readiedPieces([content], output);
  const pieces = content instanceof Blob ? undefined : content.piecesInMemory();
  if (pieces) return readiedPieces(pieces, output);
  const blob = content instanceof Blob ? content : content.toBlob();
  if (blob.size <= READ_STEP && !output.prefersWhole(blob.size)) {
    return readiedPieces([new Uint8Array(await blob.arrayBuffer())], output);
  }
  return { length: blob.size, crc: await checksum(blob), write: () => output.append(content) };
}

function readiedPieces(pieces: readonly Uint8Array[], output: BlobSink): Readied {
  return {
    length: pieces.reduce((sum, { length }) => sum + length, 0),
    crc: pieces.reduce((crc, bytes) => crc32(bytes, crc), 0),
    write: () => {
      for (const bytes of pieces) output.write(bytes);
    },
  };
}

async function checksum(blob: Blob): Promise<number> {
  const read = (at: number) => {
    const bytes = blob.slice(at, at + READ_STEP).arrayBuffer();
    // Awaited in its turn: until then a failure must not count as unhandled.
    bytes.catch(() => {});
    return bytes;
  };
  let crc = 0;
  let next = read(0);
  for (let at = 0; at < blob.size; at += READ_STEP) {
    const bytes = new Uint8Array(await next);
    // Read while the sum is made.
    if (at + READ_STEP < blob.size) next = read(at + READ_STEP);
    crc = crc32(bytes, crc);
  }
  return crc;
}

function nameTooLong(): ServiceError {
  return new ServiceError(
    "invalid_parameter",
    "The file's name is too long for the names of what is made of it. Give it a shorter one.",
    { parameter: "file" },
  );
}
