import { concatBytes } from "../../workers/io/concat-bytes.ts";
import type { ByteSink } from "../../workers/io/sink.ts";
import type { ByteSource } from "../../workers/io/source.ts";

/** A sink that keeps all bytes in memory. */
export class MemorySink implements ByteSink {
  #parts: Uint8Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  write(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }

  copy(source: ByteSource, start: number, end: number): void {
    this.write(source.read(start, end));
  }

  restart(): void {
    this.#parts = [];
    this.#length = 0;
  }

  /** Returns all bytes. */
  toBytes(): Uint8Array {
    return concatBytes(this.#parts);
  }
}
