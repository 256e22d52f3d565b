import type { SplitOptions } from "../../src/shared/protocol.ts";
import { type ArchiveSection, ArchiveWriter } from "../archive/zip.ts";
import { BlobSink } from "../io/blob-sink.ts";
import type { ByteSource } from "../io/source.ts";
import { callHelpers } from "../parallel/helper-pool.ts";
import { mapOrdered } from "../parallel/map-ordered.ts";
import type { Report } from "./job.ts";
import { OutputLimit } from "./output-limit.ts";
import { SectionWriter, type Stretch } from "./section-writer.ts";
import { pagesOf, type SplitPart, SplitSession } from "./split.ts";
import type { SplitRequest } from "./split-helper.ts";

/** What is made by one worker tells how long the rest takes, after so many milliseconds. */
const MEASURED_MS = 100;
/** A helper has to open the document, too: less than this is done sooner alone. */
const WORTH_SHARING_MS = 400;
/** Each may have a document's objects in memory. */
const MOST_HELPERS = 1;
/**
 * Of a larger file, what two have read and not freed yet comes near to the 200 MB that a page may grow by (30 MB of small
 * objects: 212 MB), or over it (2 GB of scans: 263), and the browser reads little faster for two.
 */
const LARGEST_SHARED = 16 * 1024 * 1024;
/** So many pages make a section, or fewer, so that there are enough sections. */
const MOST_PAGES = 96;
const ENOUGH_SECTIONS = 24;

/**
 * Splits a PDF into an archive: one document for each item of the page selection. The rest of what takes long is shared
 * with helpers; the bytes are the same whoever makes what.
 *
 * @param output takes the archive
 * @param lastModified what the archive says of all its files, in milliseconds since 1970
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
  const splitting = await SplitSession.open(source, options);
  let furthest = 0;
  const reportFurther: Report = (phase, done, total) => {
    if (done > furthest) report(phase, done, total);
    furthest = Math.max(furthest, done);
  };
  const job = { file, source, output, lastModified, report: reportFurther };
  await writeParts(splitting, options, job);
  if (!splitting.isOutdated) return;
  output.restart();
  // Helpers would begin with the file's own cross-reference.
  await writeParts(splitting.readAgain(), { ...options, helpers: 0 }, job);
}

interface ArchiveJob {
  readonly file: Blob;
  readonly source: ByteSource;
  readonly output: BlobSink;
  readonly lastModified: number;
  readonly report: Report;
}

/** Writes the archive, or gives it up once it is void. */
async function writeParts(splitting: SplitSession, options: SplitOptions, job: ArchiveJob): Promise<void> {
  const { file, source, output, lastModified, report } = job;
  const archive = new ArchiveWriter(output, lastModified);
  /** Also counts the outputs of helpers. */
  const limit = new OutputLimit(source.size);
  const { parts } = splitting;
  const total = pagesOf(parts);
  let done = 0;
  const madeOf = (made: readonly SplitPart[]) => {
    done += pagesOf(made);
    report("working", done, total);
  };

  const helpers = file.size > LARGEST_SHARED ? 0 : Math.min(options.helpers ?? 0, MOST_HELPERS);
  const start = performance.now();
  let next = 0;
  for (; next < parts.length; next++) {
    const part = parts[next];
    if (part === undefined || (helpers > 0 && isWorthSharing(performance.now() - start, done, total))) break;
    const content = new BlobSink(file, source);
    await splitting.write(part, content);
    if (splitting.isOutdated) return;
    limit.take(content.length);
    await archive.add({ name: part.name, content });
    madeOf([part]);
  }
  if (next < parts.length) {
    const maker = new SectionWriter(splitting, file, source, lastModified);
    const { pages, name, password } = options;
    const request: SplitRequest = { file, options: { pages, name, password }, lastModified };
    const crew = callHelpers<Stretch, ArchiveSection, SplitRequest>(helpers, "helpWithSplit", request);
    const stretches = stretchesOf(parts, next);
    for await (const [{ from, to }, section] of mapOrdered(
      stretches,
      (stretch) => maker.make(stretch),
      crew,
    )) {
      if (splitting.isOutdated) return;
      for (const { length } of section.files) limit.take(length);
      archive.append(section);
      madeOf(parts.slice(from, to));
    }
  }
  archive.end();
}

function isWorthSharing(elapsed: number, done: number, total: number): boolean {
  return elapsed >= MEASURED_MS && (elapsed / done) * (total - done) >= WORTH_SHARING_MS;
}

/** The parts from `first` on, in stretches of about the same number of pages. */
function stretchesOf(parts: readonly SplitPart[], first: number): Stretch[] {
  const usual = Math.min(MOST_PAGES, Math.ceil(pagesOf(parts.slice(first)) / ENOUGH_SECTIONS));
  const stretches: Stretch[] = [];
  let from = first;
  let pages = 0;
  for (let to = first + 1; to <= parts.length; to++) {
    pages += parts[to - 1]?.pages.length ?? 0;
    if (pages < usual && to < parts.length) continue;
    stretches.push({ from, to });
    from = to;
    pages = 0;
  }
  return stretches;
}
