import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import type { ByteSink } from "../../../workers/io/sink.ts";
import type { ByteSource } from "../../../workers/io/source.ts";

const READ_AHEAD = 256 * 1024;
const GATHERED = 1024 * 1024;
const COPY_STEP = 4 * 1024 * 1024;

/** A file of this machine as the engine reads it: small reads go through one block read ahead. */
export class FileSource implements ByteSource {
  readonly size: number;
  /** The file as a Blob, for sinks that take slices of it. */
  file: Blob | undefined;
  readonly #file: number;
  #block = new Uint8Array();
  #blockStart = 0;

  constructor(path: string) {
    this.#file = openSync(path, "r");
    this.size = fstatSync(this.#file).size;
  }

  read(start: number, end: number): Uint8Array {
    const from = Math.max(0, start);
    const to = Math.min(this.size, end);
    if (to <= from) return new Uint8Array();
    if (to - from >= READ_AHEAD) return this.#readFile(from, to);
    if (from < this.#blockStart || to > this.#blockStart + this.#block.length) {
      this.#block = this.#readFile(from, Math.min(from + READ_AHEAD, this.size));
      this.#blockStart = from;
    }
    return this.#block.subarray(from - this.#blockStart, to - this.#blockStart);
  }

  #readFile(from: number, to: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(to - from);
    let taken = 0;
    while (taken < bytes.length) {
      const count = readSync(this.#file, bytes, taken, bytes.length - taken, from + taken);
      if (count === 0) throw new Error("the file became shorter while it was read");
      taken += count;
    }
    return bytes;
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** A file of this machine as the engine's output. */
export class FileSink implements ByteSink {
  readonly #file: number;
  readonly #gathered = new Uint8Array(GATHERED);
  #used = 0;
  #length = 0;
  #written = 0;

  constructor(path: string) {
    this.#file = openSync(path, "w");
  }

  get length(): number {
    return this.#length;
  }

  write(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#used + bytes.length > GATHERED) this.#flush();
    if (bytes.length > GATHERED) this.#writeFile(bytes);
    else {
      this.#gathered.set(bytes, this.#used);
      this.#used += bytes.length;
    }
  }

  copy(source: ByteSource, start: number, end: number): void {
    for (let at = start; at < end; at += COPY_STEP) {
      this.write(source.read(at, Math.min(at + COPY_STEP, end)));
    }
  }

  restart(): void {
    this.#used = 0;
    this.#length = 0;
    this.#written = 0;
    ftruncateSync(this.#file);
  }

  /** Writes what is gathered and closes the file. */
  close(): void {
    this.#flush();
    closeSync(this.#file);
  }

  #flush(): void {
    this.#writeFile(this.#gathered.subarray(0, this.#used));
    this.#used = 0;
  }

  #writeFile(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      const count = writeSync(this.#file, bytes, at, bytes.length - at, this.#written);
      at += count;
      this.#written += count;
    }
  }
}
