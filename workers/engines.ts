import { ZIP } from "../src/shared/formats.ts";
import { MIME_TYPES } from "../src/shared/mime-types.ts";
import type { Job } from "../src/shared/protocol.ts";
import type { ConvertedImages } from "./image/convert.ts";
import { learnTouchPoints } from "./image/limits.ts";
import { BlobSink } from "./io/blob-sink.ts";
import { BlobSource, type SyncReader } from "./io/blob-source.ts";
import { checkInput } from "./io/read-failure.ts";
import { bufferSource } from "./io/source.ts";
import type { Report, Watch } from "./pdf/job.ts";

const PDF = MIME_TYPES.pdf;

/**
 * Does one job with its engine, which is loaded when first needed.
 *
 * @throws {ServiceError} what the engine fails with; `damaged_file` when the input has changed meanwhile and the result
 * would have parts of it
 */
export async function runJob(
  job: Job,
  reader: SyncReader,
  report: Report,
  watch: Watch = () => {},
): Promise<Blob> {
  const { file, content, touchPoints } = job;
  if (touchPoints !== undefined) learnTouchPoints(touchPoints);
  const source = content ? bufferSource(new Uint8Array(content)) : new BlobSource(file, reader);
  const output = new BlobSink(file, source);
  switch (job.engine) {
    case "pdf/protect": {
      const [{ protect }, { EncryptingSink }] = await Promise.all([
        import("./pdf/protect.ts"),
        import("./pdf/security/encrypting-sink.ts"),
      ]);
      const encrypting = new EncryptingSink(file, output, job.helpers);
      try {
        await protect(source, encrypting, job, report);
        return encrypting.toBlob(PDF);
      } finally {
        encrypting.close();
      }
    }
    case "pdf/unlock": {
      const { unlock } = await import("./pdf/unlock.ts");
      await unlock(source, output, job, report);
      return finished(output, PDF);
    }
    case "pdf/normalize": {
      const { normalize } = await import("./pdf/normalize.ts");
      await normalize(source, output, job, report);
      return finished(output, PDF);
    }
    case "pdf/split": {
      const { splitIntoArchive } = await import("./pdf/split-archive.ts");
      await splitIntoArchive(file, source, output, job, lastModified(file), report);
      return finished(output, ZIP);
    }
    case "image/to-pdf": {
      const { imageToPdf } = await import("./image/to-pdf/image-to-pdf.ts");
      await imageToPdf(file, job, output, source, report);
      return finished(output, PDF);
    }
    case "image/convert": {
      const { convertImage } = await import("./image/convert.ts");
      return archived(await convertImage(file, job, report), output, file);
    }
    case "pdf/to-images": {
      const { pdfToImages } = await import("./render/pdf-to-images.ts");
      return archived(await pdfToImages(file, reader, job, report, watch), output, file);
    }
  }
}

/**
 * An output as a file. What of the input goes into it is not copied, and would be lost with the input: a change since
 * that was last read is found here.
 */
async function finished(output: BlobSink, type: string): Promise<Blob> {
  // The browser looks while it is given the rest.
  const check = output.holdsInput ? checkInput(output.input.file) : undefined;
  const made = output.toBlob(type);
  if (output.holdsInput) await (check ?? checkInput(output.input.file));
  return made;
}

/** One image as it is, several as an archive. */
async function archived(made: ConvertedImages, output: BlobSink, file: Blob): Promise<Blob> {
  if (made.kind === "one") return made.content;
  const { zip } = await import("./archive/zip.ts");
  await zip(made.files, output, lastModified(file));
  return output.toBlob(ZIP);
}

function lastModified(file: Blob): number {
  return "lastModified" in file ? Number(file.lastModified) : Date.now();
}
