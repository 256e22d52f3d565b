import { FORMATS, ZIP } from "../src/shared/formats.ts";
import type { Engine, EngineOptions, Job, Output } from "../src/shared/protocol.ts";
import { checkInputs, type JobInputs } from "./io/read-failure.ts";
import {
  type EngineOutput,
  type FileOutput,
  type JobContext,
  type JobHost,
  jobContext,
} from "./job-context.ts";
import { protect } from "./pdf/protect.ts";
import { unlock } from "./pdf/unlock.ts";
import { loadPdfium } from "./render/load-pdfium.ts";
import { setTouchPoints } from "./touch-points.ts";

/** One engine. */
interface EngineRow<Name extends Engine> {
  /** Loads the code of the engine when the first job needs it. */
  load(): Promise<(context: JobContext, options: EngineOptions[Name]) => Promise<EngineOutput<Name>>>;
  /** The MIME type of what the engine writes to the sink. Absent if it returns files instead. */
  readonly writes?: string;
}

const PDF = FORMATS.pdf.mime;

/** All engines. To add one, add a row here, a function, and the type of its options to `EngineOptions`. */
const ENGINES: { readonly [Name in Engine]: EngineRow<Name> } = {
  "pdf/protect": { load: async () => protect, writes: PDF },
  "pdf/unlock": { load: async () => unlock, writes: PDF },
  "pdf/split": { load: async () => (await import("./pdf/split.ts")).split, writes: ZIP },
  "pdf/split-parts": { load: async () => (await import("./pdf/split-parts.ts")).splitParts },
  "pdf/merge": { load: async () => (await import("./merge/merge-files.ts")).mergeFiles, writes: PDF },
  "pdf/compress": {
    load: async () => (await import("./compress/compress-pdf.ts")).compressPdf,
    writes: PDF,
  },
  "pdf/repair": { load: async () => (await import("./pdf/repair.ts")).repair, writes: PDF },
  "pdf/clean": { load: async () => (await import("./pdf/clean/clean.ts")).cleanPdf, writes: PDF },
  "pdf/inspect": { load: async () => (await import("./pdf/inspect.ts")).inspectPdf },
  "pdf/to-images": { load: async () => (await withPdfium(import("./render/pdf-to-images.ts"))).pdfToImages },
  "pdf/render": { load: async () => (await withPdfium(import("./render/render-pages.ts"))).renderPages },
  "pdf/to-text": {
    load: async () => (await withPdfium(import("./render/pdf-to-text.ts"))).pdfToText,
    writes: FORMATS.txt.mime,
  },
  "pdf/read-text": { load: async () => (await withPdfium(import("./render/read-text.ts"))).readText },
  "image/inspect": { load: async () => (await import("./image/inspect.ts")).inspectImage },
  "image/convert": { load: async () => (await import("./image/convert.ts")).convertImage },
  "image/to-pdf": {
    load: async () => (await import("./image/to-pdf/image-to-pdf.ts")).imageToPdf,
    writes: PDF,
  },
};

/** Loads the code of an engine, and at the same time PDFium, which it uses. */
function withPdfium<Code>(code: Promise<Code>): Promise<Code> {
  // A failure is that of the engine, which asks again.
  loadPdfium().catch(() => undefined);
  return code;
}

/**
 * Runs one job with its engine. Returns its file, or its value.
 *
 * @throws {ServiceError} the error of the engine; `damaged_file` if the input changed while the output was made and the
 *   output would contain parts of it
 */
export async function runJob<Name extends Engine>(job: Job<Name>, host: JobHost): Promise<Output<Name>> {
  if (host.touchPoints !== undefined) setTouchPoints(host.touchPoints);
  const { load, writes } = ENGINES[job.engine];
  const run = await load();
  const context = jobContext(job.file, host);
  // The rows of the table say that this is the type.
  return (await toOutput(await run(context, job), job, context, writes)) as Output<Name>;
}

/**
 * Returns the value or the file of an engine.
 *
 * @param type the MIME type of what the engine wrote to the sink
 */
async function toOutput(
  output: FileOutput | { readonly value: unknown },
  job: JobInputs,
  { sink, lastModified }: JobContext,
  type = ZIP,
): Promise<unknown> {
  if (output instanceof Blob) return output;
  if (output !== undefined && "value" in output) return output.value;
  if (output !== undefined) {
    const { zip } = await import("./archive/zip.ts");
    await zip(output, sink, lastModified);
    // Slices of the input are not copied: without the input they cannot be read.
  } else if (sink.holdsInput) await checkInputs(job);
  return sink.toBlob(type);
}
