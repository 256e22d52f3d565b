import type { SplitOptions } from "../../src/shared/protocol.ts";
import { ArchiveWriter } from "../archive/zip.ts";
import { BlobSink } from "../io/blob-sink.ts";
import type { JobContext, Report } from "../job-context.ts";
import { split } from "./split.ts";

type SplitContext = Pick<JobContext, "file" | "source" | "sink" | "lastModified" | "report">;

/**
 * Splits a PDF into an archive: one document for each item of the page selection.
 *
 * @throws {ServiceError} `invalid_page_selection`, `password_required`, `wrong_password`, `unsupported_encryption`,
 *   `damaged_file`, `input_too_large`, `invalid_parameter`
 */
export async function splitIntoArchive(
  { file, source, sink, lastModified, report }: SplitContext,
  options: SplitOptions,
): Promise<void> {
  let archive = new ArchiveWriter(sink, lastModified);
  let furthest = 0;
  const reportFurther: Report = (phase, done, total) => {
    if (done > furthest) report(phase, done, total);
    furthest = Math.max(furthest, done);
  };
  const restart = () => {
    sink.restart();
    archive = new ArchiveWriter(sink, lastModified);
  };
  const newSink = () => new BlobSink(file, source);
  for await (const part of split(source, newSink, options, reportFurther, restart)) await archive.add(part);
  archive.end();
}
