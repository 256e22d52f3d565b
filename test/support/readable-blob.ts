import type { SyncReader } from "../../workers/io/blob-source.ts";
import type { SparseFile } from "./fixtures/large-pdf.ts";

/** A Blob whose bytes can be read synchronously, like `FileReaderSync` does in a worker. */
export class ReadableBlob extends Blob {
  readonly content: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    super([bytes]);
    this.content = bytes;
  }

  override slice(start = 0, end = this.size): Blob {
    return new ReadableBlob(this.content.subarray(start, end));
  }
}

/** A Blob whose file changes on disk after all expected reads. */
export class ChangedBlob extends ReadableBlob {
  override slice(start = 0, end = this.size): Blob {
    return new ChangedBlob(this.content.subarray(start, end));
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    throw new DOMException("The requested file could not be read", "NotReadableError");
  }
}

/** Reads {@link ReadableBlob}s and counts reads and bytes. */
export class CountingReader implements SyncReader {
  calls = 0;
  bytesRead = 0;

  readAsArrayBuffer(blob: Blob): ArrayBuffer {
    if (!(blob instanceof ReadableBlob)) throw new TypeError("only ReadableBlobs can be read at once");
    this.calls++;
    this.bytesRead += blob.size;
    return blob.content.slice().buffer;
  }
}

/** Bytes in which no two positions within 64 KB look the same. */
export function numberedBytes(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++) bytes[at] = (at ^ (at >> 8) ^ (at >> 16)) & 0xff;
  return bytes;
}

/** A part of a sparse file, which may be longer than what fits in memory. */
export class SparseBlob extends Blob {
  readonly file: SparseFile;
  readonly start: number;
  readonly #size: number;

  constructor(file: SparseFile, start = 0, size = file.size) {
    super();
    this.file = file;
    this.start = start;
    this.#size = size;
  }

  override get size(): number {
    return this.#size;
  }

  override slice(start = 0, end = this.size): Blob {
    return new SparseBlob(this.file, this.start + start, end - start);
  }
}

/** Reads {@link SparseBlob}s and counts reads and bytes. */
export class SparseReader implements SyncReader {
  calls = 0;
  bytesRead = 0;

  readAsArrayBuffer(blob: Blob): ArrayBuffer {
    if (!(blob instanceof SparseBlob)) throw new TypeError("only SparseBlobs can be read");
    this.calls++;
    this.bytesRead += blob.size;
    const bytes = new Uint8Array(blob.size);
    const end = blob.start + blob.size;
    for (const [offset, text] of blob.file.parts) {
      if (offset >= end || offset + text.length <= blob.start) continue;
      const from = Math.max(0, blob.start - offset);
      bytes.set(Buffer.from(text.slice(from, end - offset), "latin1"), offset + from - blob.start);
    }
    return bytes.buffer;
  }
}
