import { ServiceError } from "../../src/shared/errors.ts";
import type { BlobSink } from "../io/blob-sink.ts";
import { type BytePart, lengthOf, newBytes } from "../io/byte-ranges.ts";
import { crc32 } from "../io/crc32.ts";
import { discard } from "../io/request-gc.ts";
import { directoryEnd, directoryEntry, LONGEST_NAME, localHeader, type StoredFile } from "./zip-records.ts";

const READ_STEP = 8 * 1024 * 1024;
/** The earliest date that an archive can say. */
const EARLIEST = Date.UTC(1980, 0, 1);

/** A file for an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly content: BlobSink | Blob | Uint8Array<ArrayBuffer>;
}

/**
 * Writes an archive of files that are stored and not deflated: what a PDF holds is compressed already. Large files go
 * into the output as they are and are read for their checksums only.
 */
export class ArchiveWriter {
  readonly #output: BlobSink;
  readonly #date: Date;
  readonly #utf8 = new TextEncoder();
  readonly #files: StoredFile[] = [];

  /** @param lastModified the date of all files in the archive, in milliseconds since 1970; written in UTC */
  constructor(output: BlobSink, lastModified: number) {
    this.#output = output;
    this.#date = new Date(Math.max(lastModified, EARLIEST));
  }

  /**
   * Adds a file.
   *
   * @throws {ServiceError} `invalid_parameter` for a name that is too long for an archive
   */
  async add({ name, content }: ZipEntry): Promise<void> {
    const output = this.#output;
    const encoded = this.#utf8.encode(name);
    if (encoded.length > LONGEST_NAME) throw nameTooLong();
    const { length, crc, write } = await readied(content, output);
    const file = { name: encoded, lastModified: this.#date, crc, length, offset: output.length };
    output.write(localHeader(file));
    write();
    this.#files.push(file);
    if (output.full) await output.room();
  }

  /** Ends the archive with its directory. */
  end(): void {
    const output = this.#output;
    const offset = output.length;
    for (const file of this.#files) output.write(directoryEntry(file));
    output.write(directoryEnd({ entries: this.#files.length, length: output.length - offset, offset }));
  }
}

/**
 * Archives files with {@link ArchiveWriter}.
 *
 * @throws {ServiceError} `invalid_parameter` for a name that is too long for an archive; what `files` fails with
 */
export async function zip(
  files: AsyncIterable<ZipEntry>,
  output: BlobSink,
  lastModified: number,
): Promise<void> {
  const archive = new ArchiveWriter(output, lastModified);
  for await (const file of files) await archive.add(file);
  archive.end();
}

/** What an archive says of a file before its bytes. */
interface Readied {
  readonly length: number;
  readonly crc: number;
  /** Puts the bytes into the output. */
  write(): void;
}

async function readied(content: ZipEntry["content"], output: BlobSink): Promise<Readied> {
  if (content instanceof Uint8Array) return readiedPieces([newBytes(content)], output);
  // What is in memory still need not go to the browser and come back.
  const pieces = content instanceof Blob ? undefined : content.pieces();
  const isNew = pieces?.every(({ kind }) => kind === "bytes");
  if (pieces && (isNew || lengthOf(pieces) <= READ_STEP)) return readiedPieces(pieces, output);
  const blob = content instanceof Blob ? content : content.toBlob();
  if (blob.size <= READ_STEP && !output.prefersWhole(blob.size)) {
    return readiedPieces([newBytes(new Uint8Array(await blob.arrayBuffer()))], output);
  }
  return { length: blob.size, crc: await checksum(blob), write: () => output.append(content) };
}

function readiedPieces(pieces: readonly BytePart[], output: BlobSink): Readied {
  let crc = 0;
  const ready = pieces.map((piece) => {
    if (piece.kind === "bytes") {
      crc = crc32(piece.bytes, crc);
      return piece;
    }
    // Pages follow each other in most files: the source reads many of them at a time.
    const bytes = output.input.source.read(piece.start, piece.end);
    crc = crc32(bytes, crc);
    discard(bytes.length);
    // Else it would be read again for the output.
    return output.prefersWhole(bytes.length) ? piece : newBytes(bytes);
  });
  const write = () => {
    for (const piece of ready) {
      if (piece.kind === "bytes") output.write(piece.bytes);
      else output.copy(piece.start, piece.end);
    }
  };
  return { length: lengthOf(pieces), crc, write };
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
    discard(bytes.length);
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
