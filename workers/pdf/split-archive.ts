import type { SplitOptions } from "../../src/shared/protocol.ts";
import { ArchiveWriter } from "../archive/zip.ts";
import { BlobSink } from "../io/blob-sink.ts";
import type { ByteSource } from "../io/source.ts";
import type { Report } from "./job.ts";
import { split } from "./split.ts";

/**
 * Splits a PDF into an archive: one document for each item of the page selection.
 *
 * @param output receives the archive
 * @param lastModified the date of all files in the archive, in milliseconds since 1970
 * @throws {ServiceError} `invalid_page_selection`, `password_required`, `wrong_password`, `unsupported_encryption`,
 *   `damaged_file`, `input_too_large`, `invalid_parameter`
 */
export async function splitIntoArchive(
  file: Blob,
  source: ByteSource,
  output: BlobSink,
  options: SplitOptions,
  lastModified: number,
  report: Report,
): Promise<void> {
  let archive = new ArchiveWriter(output, lastModified);
  let furthest = 0;
  const reportFurther: Report = (phase, done, total) => {
    if (done > furthest) report(phase, done, total);
    furthest = Math.max(furthest, done);
  };
  const restart = () => {
    output.restart();
    archive = new ArchiveWriter(output, lastModified);
  };
  const newSink = () => new BlobSink(file, source);
  for await (const part of split(source, newSink, options, reportFurther, restart)) await archive.add(part);
  archive.end();
}
