import { parsePageSelection } from "../../src/shared/page-selection.ts";
import type { PdfToImagesOptions } from "../../src/shared/protocol.ts";
import type { ZipEntry } from "../archive/zip.ts";
import { asBlob, numberedName } from "../image/encoded-image.ts";
import { encoderOf } from "../image/formats/by-format.ts";
import { thisDevice } from "../image/picture/limits.ts";
import type { FileOutput, JobContext } from "../job-context.ts";
import { paperOf } from "./background.ts";
import { hangGuard, tooSlow, tooSlowToOpen } from "./page-failures.ts";
import { PagePictures, type PageTask } from "./page-pictures.ts";
import { checkPageSize, pixelSize } from "./page-size.ts";
import { drawInParallel, type PagePicture } from "./parallel-pages.ts";
import { planRendering, type RenderingPlan } from "./rendering-plan.ts";

const USUAL_DPI = 150;

/**
 * Draws pages of a PDF. Returns one image, or yields several as entries of a zip archive. `report` names the fonts that
 * have no substitute.
 *
 * @throws {ServiceError} `invalid_page_selection`, `invalid_parameter`, `password_required`, `wrong_password`,
 *   `unsupported_encryption`, `damaged_file`, `input_too_large`, `out_of_memory`; `details.page` is the page that fails
 */
export async function pdfToImages(context: JobContext, options: PdfToImagesOptions): Promise<FileOutput> {
  const { file, reader, deadline } = context;
  const { to, name, quality, maxBytes, dpi = USUAL_DPI } = options;
  const selection = options.pages === undefined ? undefined : parsePageSelection(options.pages);
  const encoder = encoderOf(to);
  const paper = paperOf(options.background, encoder.alpha);
  const guard = hangGuard(deadline);
  const plan = await planRendering(file, reader, selection, options.password, (isWorking) =>
    guard(isWorking ? tooSlowToOpen() : undefined),
  );
  const style = { to, paper, quality, maxBytes, fontUrl: context.fontUrl ?? defaultFontUrl(self.location) };
  const { file: openable, password, pageCount } = plan;
  const pictures = new PagePictures({ file: openable, password }, style, reader, (page) =>
    guard(page === undefined ? undefined : tooSlow(page)),
  );
  const tasks = await pageTasks(plan, pictures, dpi, encoder.longestSide).catch((thrown) => {
    pictures.close();
    throw thrown;
  });
  const drawn = drawAll(pictures, tasks, context);
  if (tasks.length === 1) {
    for await (const { picture } of drawn) return asBlob(picture, to);
  }
  return archived(drawn, (number) => `${numberedName(name, number, pageCount)}.${to}`);
}

/** Returns the folder `fonts` beside the worker script. */
function defaultFontUrl({ href, origin }: { readonly href: string; readonly origin: string }): string {
  // A blob URL has no folder.
  return new URL("fonts/", href.startsWith("blob:") ? origin : href).href;
}

/** Returns a task for each page, with the size of its picture. Checks all sizes before the first page is drawn. */
async function pageTasks(
  { pages }: RenderingPlan,
  pictures: PagePictures,
  dpi: number,
  longestSide: number | undefined,
): Promise<PageTask[]> {
  const tasks: PageTask[] = [];
  const device = thisDevice();
  for (const { number, index, userUnit, hidden } of pages) {
    const size = pixelSize(await pictures.pageSize(number, index), userUnit, dpi);
    checkPageSize(number, size, dpi, device, longestSide);
    tasks.push({ number, index, size, hidden });
  }
  return tasks;
}

async function* drawAll(
  pictures: PagePictures,
  tasks: readonly PageTask[],
  { helpers, report }: JobContext,
): AsyncGenerator<PagePicture> {
  const missing = new Set<string>();
  let done = 0;
  try {
    report("working", done, tasks.length);
    for await (const made of drawInParallel(pictures, tasks, helpers)) {
      const reported = missing.size;
      for (const font of made.missingFonts) missing.add(font);
      report("working", ++done, tasks.length, missing.size > reported ? [...missing] : undefined);
      yield made;
    }
  } finally {
    pictures.close();
  }
}

async function* archived(
  pictures: AsyncIterable<PagePicture>,
  named: (number: number) => string,
): AsyncGenerator<ZipEntry> {
  for await (const { task, picture } of pictures) yield { name: named(task.number), content: picture };
}
