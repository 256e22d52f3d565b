import type { PdfToImagesOptions } from "../../src/shared/protocol.ts";
import type { ZipEntry } from "../archive/zip.ts";
import { asBlob, numberedName } from "../image/formats/encoded-image.ts";
import type { FileOutput, JobContext } from "../job-context.ts";
import { drawPages } from "./draw-pages.ts";
import { USUAL_DPI } from "./page-size.ts";
import type { PagePicture } from "./parallel-pages.ts";

/**
 * Draws pages of a PDF. Returns one image, or yields several as entries of a zip archive.
 *
 * @throws {ServiceError} what {@link drawPages} throws
 */
export async function pdfToImages(
  context: JobContext,
  { name, dpi = USUAL_DPI, ...options }: PdfToImagesOptions,
): Promise<FileOutput> {
  const { pageCount, count, pictures } = await drawPages(context, { ...options, scale: { dpi } });
  const { to } = options;
  if (count === 1) {
    for await (const { picture } of pictures) return asBlob(picture, to);
  }
  return archived(pictures, (number) => numberedName(name, number, pageCount, to));
}

async function* archived(
  pictures: AsyncIterable<PagePicture>,
  named: (number: number) => string,
): AsyncGenerator<ZipEntry> {
  for await (const { task, picture } of pictures) yield { name: named(task.number), content: picture };
}
