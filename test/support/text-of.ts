import type { PagesOptions } from "../../src/shared/protocol.ts";
import { type JobContext, jobContext } from "../../workers/job-context.ts";
import { pdfToText } from "../../workers/render/pdf-to-text.ts";
import { MemorySink } from "./memory-sink.ts";
import { CountingReader, ReadableBlob } from "./readable-blob.ts";

/** Reads the text of a PDF in Node. The test must mock `wasm-module.ts`, which loads PDFium in browsers. */
export async function textOf(
  bytes: Uint8Array<ArrayBuffer>,
  options: PagesOptions = {},
  more: Partial<JobContext> = {},
  mostBytes?: number,
): Promise<string> {
  const sink = new MemorySink();
  const context = jobContext(new ReadableBlob(bytes), { reader: new CountingReader(), helpers: 0 });
  await pdfToText({ ...context, sink, ...more }, options, mostBytes);
  return new TextDecoder("utf-8", { fatal: true }).decode(sink.toBytes());
}
