import { ServiceError } from "../../src/shared/errors.ts";
import { FORMATS } from "../../src/shared/formats.ts";
import type { SplitOptions } from "../../src/shared/protocol.ts";
import { BlobSink } from "../io/blob-sink.ts";
import { checkInputs } from "../io/read-failure.ts";
import type { JobContext } from "../job-context.ts";
import { PdfDocument } from "./file/document.ts";
import { withRebuild } from "./open.ts";
import { splitFiles } from "./split.ts";

/**
 * Splits a PDF and delivers the files one by one, until the caller wants no more. Holds one file at a time.
 *
 * @throws {ServiceError} what `split` throws; `damaged_file` when damage shows after the first file was delivered
 */
export async function splitParts(
  { file, source, lastModified, report, deliver }: JobContext,
  options: SplitOptions,
): Promise<{ readonly value: null }> {
  const type = FORMATS.pdf.mime;
  let hasDelivered = false;
  await withRebuild(PdfDocument.open(source), async (document) => {
    // The files so far may be wrong, and the caller has them already.
    if (hasDelivered) throw lateDamage();
    for await (const { name, pages, content } of splitFiles(
      document,
      options,
      report,
      () => new BlobSink(),
    )) {
      const part = new File([content.toBlob(type)], name, { type, lastModified });
      // Slices of the input are not copied: without the input they cannot be read.
      if (content.holdsInput) await checkInputs({ file });
      hasDelivered = true;
      if (!(await deliver({ file: part, pages }))) return;
    }
  });
  return { value: null };
}

function lateDamage(): ServiceError {
  return new ServiceError(
    "damaged_file",
    "This PDF is damaged, and the parts so far may lack content. Repair it first: convert it to PDF, and split the result.",
  );
}
