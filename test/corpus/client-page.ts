import { type Client, ServiceError, type ServiceResult } from "../../src/index.ts";
import { serveRun } from "../support/browsers/serve-run.ts";
import type { ImageJob } from "./image/subject.ts";
import type { PdfOperation } from "./pdf/subject.ts";
import type { RenderJob } from "./render/subject.ts";

/** The page on which the real client works for all families. One browser serves them, one after the other. */

/** Compresses a PDF with the default settings. */
interface CompressJob {
  readonly kind: "compress";
  readonly password?: string;
}

export type CorpusJob = PdfOperation | ImageJob | RenderJob | CompressJob;

function call(client: Client, file: File, job: CorpusJob): Promise<ServiceResult> {
  if ("to" in job) return client.convert({ file, output_format: job.to });
  if ("mostPages" in job) return drawFirst(client, file, job);
  const { kind: _, ...fields } = job;
  switch (job.kind) {
    case "protect":
      return client.protectPdf({ file, password: job.password });
    case "unlock":
      return client.unlockPdf({ file, password: job.password });
    case "split":
      return client.splitPdf({ file, ...fields, pages: job.pages });
    case "compress":
      return client.compressPdf({ file, ...fields });
    case "repair":
      return client.convert({ file, output_format: "pdf", ...fields });
  }
}

/** Converts the first pages of a PDF, or all if it has less. */
async function drawFirst(client: Client, file: File, { mostPages, format, ...params }: RenderJob) {
  const draw = (pages: string) => client.convert({ ...params, file, output_format: format, pages });
  try {
    return await draw(`1-${mostPages}`);
  } catch (error) {
    const pageCount = error instanceof ServiceError ? error.details.page_count : undefined;
    if (pageCount === undefined) throw error;
    return draw(`1-${pageCount}`);
  }
}

serveRun(call);
