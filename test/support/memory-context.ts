import type { ByteSink } from "../../workers/io/sink.ts";
import { type ByteSource, bufferSource } from "../../workers/io/source.ts";
import { type JobContext, jobContext } from "../../workers/job-context.ts";
import { MemorySink } from "./memory-sink.ts";
import { CountingReader } from "./readable-blob.ts";

/** Returns the context of a job whose input is in memory. */
export function contextOf(input: Uint8Array | ByteSource): JobContext<MemorySink>;
export function contextOf<Sink extends ByteSink>(
  input: Uint8Array | ByteSource,
  sink: Sink,
): JobContext<Sink>;
export function contextOf(
  input: Uint8Array | ByteSource,
  sink: ByteSink = new MemorySink(),
): JobContext<ByteSink> {
  const source = input instanceof Uint8Array ? bufferSource(input) : input;
  const context = jobContext(new Blob(), { reader: new CountingReader(), helpers: 0 });
  return { ...context, source, open: () => source, sink };
}
