import type { ByteSource } from "./source.ts";

/** Takes an engine's output in order. */
export interface ByteSink {
  /** Bytes taken so far. */
  readonly length: number;
  /** Appends new bytes. The caller must not change them afterwards. */
  write(bytes: Uint8Array): void;
  /** Appends bytes `start` to `end` of an input, ideally without reading them. */
  copy(source: ByteSource, start: number, end: number): void;
  /** Drops all bytes. Each writer calls it first, because a job may begin again. */
  restart(): void;
  /** Whether so many bytes wait in the sink that the writer should await {@link drain}. */
  readonly backpressure?: boolean;
  /** Settles when the sink has passed on most of its bytes. */
  drain?(): Promise<void>;
}
