import { closeSync, openSync, readSync, statSync } from "node:fs";
import type { SyncReader } from "../../workers/io/blob-source.ts";

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

/** A part of a file on disk, which may be longer than what fits in memory. */
export class FileOnDisk extends Blob {
  readonly path: string;
  readonly start: number;
  readonly #size: number;

  constructor(path: string, start = 0, size = statSync(path).size) {
    super();
    this.path = path;
    this.start = start;
    this.#size = size;
  }

  override get size(): number {
    return this.#size;
  }

  override slice(start = 0, end = this.size): Blob {
    return new FileOnDisk(this.path, this.start + start, end - start);
  }
}

/** Reads {@link FileOnDisk}s and counts reads and bytes. */
export class DiskReader implements SyncReader {
  calls = 0;
  bytesRead = 0;

  readAsArrayBuffer(blob: Blob): ArrayBuffer {
    if (!(blob instanceof FileOnDisk)) throw new TypeError("only files on disk can be read");
    this.calls++;
    this.bytesRead += blob.size;
    const bytes = new Uint8Array(blob.size);
    const file = openSync(blob.path, "r");
    readSync(file, bytes, 0, bytes.length, blob.start);
    closeSync(file);
    return bytes.buffer;
  }
}
