import { BlobSink } from "./blob-sink.ts";
import { BlobSource, type SyncReader } from "./blob-source.ts";
import type { Report } from "./pdf/job.ts";
import type { Job } from "./protocol.ts";

const PDF = "application/pdf";

/**
 * Does one job with its engine, which is loaded when first needed.
 *
 * @throws {ServiceError} what the engine fails with
 */
export async function runJob(job: Job, reader: SyncReader, report: Report): Promise<Blob> {
  const { file } = job;
  const source = new BlobSource(file, reader);
  const newSink = () => new BlobSink(file, source);
  const output = newSink();
  switch (job.engine) {
    case "pdf/protect": {
      const { protect } = await import("./pdf/protect.ts");
      await protect(source, output, job, report);
      return output.toBlob(PDF);
    }
    case "pdf/unlock": {
      const { unlock } = await import("./pdf/unlock.ts");
      await unlock(source, output, job, report);
      return output.toBlob(PDF);
    }
    case "pdf/rewrite": {
      const { rewrite } = await import("./pdf/rewrite.ts");
      await rewrite(source, output, job, report);
      return output.toBlob(PDF);
    }
    case "pdf/split": {
      const [{ split }, { zip }] = await Promise.all([import("./pdf/split.ts"), import("./zip.ts")]);
      const lastModified = "lastModified" in file ? Number(file.lastModified) : Date.now();
      await zip(split(source, newSink, job, report), output, lastModified);
      return output.toBlob("application/zip");
    }
  }
}
