import { concatBytes } from "./concat-bytes.ts";
import type { ByteSource } from "./source.ts";

/** Takes an engine's output in order. */
export interface ByteSink {
  /** Bytes taken so far. */
  readonly length: number;
  /** Appends new bytes. The caller must not change them afterwards. */
  write(bytes: Uint8Array): void;
  /** Appends bytes `start` to `end` of an input, ideally without reading them. */
  copy(source: ByteSource, start: number, end: number): void;
  /** Drops all bytes, because the job begins again. */
  restart(): void;
  /** Whether so many bytes wait in the sink that the writer should await {@link drain}. */
  readonly backpressure?: boolean;
  /** Settles when the sink has passed on most of its bytes. */
  drain?(): Promise<void>;
}

/** A sink that keeps everything in memory, for Node and for small outputs. */
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
