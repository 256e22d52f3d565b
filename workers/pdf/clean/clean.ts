import { ServiceError } from "../../../src/shared/errors.ts";
import { internalError } from "../../../src/shared/failure.ts";
import { CLEANED, type CleanOptions } from "../../../src/shared/protocol.ts";
import { NO_TURNS } from "../../../src/shared/rotation.ts";
import type { ByteSink } from "../../io/sink.ts";
import type { ByteSource } from "../../io/source.ts";
import type { JobContext } from "../../job-context.ts";
import { writeReachable } from "../copy/whole-document.ts";
import { PdfDocument } from "../file/document.ts";
import { decryptForReading, withRebuild } from "../open.ts";
import { leftIn } from "./check.ts";
import { Cleaner } from "./cleaner.ts";
import { PlaceFinder } from "./place-finder.ts";
import type { Category } from "./places.ts";
import { walkDocument } from "./walk.ts";

/**
 * Writes a PDF anew without metadata, scripts, attachments, comments, hidden layers and private data, decrypted. Draws form fields
 * and annotations into the pages if `flatten` says so. Reads the output again and checks it.
 *
 * @throws {ServiceError} `internal_error` when the check finds what should be gone; `unsupported_conversion` for what cannot be
 *   removed or drawn; `password_required`, `wrong_password`, `unsupported_encryption`, `damaged_file`, `input_too_large`
 */
export async function cleanPdf(context: JobContext, options: CleanOptions): Promise<void> {
  const { sink, open } = context;
  await cleanTo(context, options, () => open(sink.toBlob()));
}

/** Cleans a PDF: see {@link cleanPdf}. @param written opens what the sink has */
export async function cleanTo(
  { source, sink, report }: Pick<JobContext<ByteSink>, "source" | "sink" | "report">,
  { keep = [], flatten = false, password }: CleanOptions,
  written: () => ByteSource,
): Promise<void> {
  const removed = new Set<Category>(["private", ...CLEANED.filter((category) => !keep.includes(category))]);
  if (flatten) removed.add("drawn");
  const isOdd = await withRebuild(PdfDocument.open(source), async (document) => {
    await decryptForReading(document, password);
    if (document.catalog?.value("NeedsRendering") === true && document.catalog.dict("AcroForm")?.has("XFA")) {
      throw dynamicForm();
    }
    const finder = new PlaceFinder(document, removed);
    const { kinds, hasOddObjects } = walkDocument(document, finder, () => {});
    finder.kinds = kinds;
    const changes = new Cleaner(document, finder, flatten);
    // The page tree is always new, so that nothing in the nodes of the old one is left.
    await writeReachable({
      document,
      sink,
      version: document.version,
      deflates: true,
      turns: NO_TURNS,
      changes,
      report,
    });
    return hasOddObjects;
  });
  const left = leftIn(PdfDocument.open(written()), removed);
  if (left === undefined) return;
  throw isOdd
    ? damaged()
    : internalError("The cleaned PDF still has data that should be gone. Nothing is returned.", left);
}

function damaged(): ServiceError {
  return new ServiceError(
    "damaged_file",
    "This PDF uses one object as different things, so it is not clear what to remove. Ask its sender for another copy.",
  );
}

function dynamicForm(): ServiceError {
  return new ServiceError(
    "unsupported_conversion",
    "This PDF is a dynamic XFA form: its pages are made by scripts and data that cleaning removes. Print it to a PDF with the program that opens it, then clean that one.",
    { kind: "dynamic_xfa" },
  );
}
