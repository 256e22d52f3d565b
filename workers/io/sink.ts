import type { ByteSource } from "./source.ts";

/** A part of an output: new bytes, or a range of an input, which need not be read. */
export type OutputPart = { readonly kind: "bytes"; readonly bytes: Uint8Array } | SourceRange;

/** Bytes `start` to `end` of an input. */
export interface SourceRange {
  readonly kind: "range";
  readonly source: ByteSource;
  readonly start: number;
  readonly end: number;
}

/** Appends a part to an output. */
export function writePart(output: Pick<ByteSink, "write" | "copy">, part: OutputPart): void {
  if (part.kind === "bytes") output.write(part.bytes);
  else output.copy(part.source, part.start, part.end);
}

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
