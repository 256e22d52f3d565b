import { parsePageSelection } from "../../src/shared/page-selection.ts";
import type { PdfToImagesOptions } from "../../src/shared/protocol.ts";
import { encoderOf } from "../image/formats/by-format.ts";
import { thisDevice } from "../image/picture/limits.ts";
import { fittingSize } from "../image/picture/size.ts";
import type { JobContext } from "../job-context.ts";
import { paperOf } from "./background.ts";
import { hangGuard, tooSlow, tooSlowToOpen } from "./page-failures.ts";
import { PagePictures, type PageTask } from "./page-pictures.ts";
import { checkPageSize, pixelSize, type Scale } from "./page-size.ts";
import { drawInParallel, type PagePicture } from "./parallel-pages.ts";
import { planRendering, type RenderingPlan } from "./rendering-plan.ts";

/** Which pages are drawn, and how. */
export interface DrawPagesOptions extends Omit<PdfToImagesOptions, "name" | "dpi"> {
  readonly scale: Scale;
}

/** The pages of a document and their pictures. */
export interface DrawnPages {
  /** The number of pages in the document, including those that are not drawn. */
  readonly pageCount: number;
  /** The number of pages to draw. */
  readonly count: number;
  /** Draws the pages in order. */
  readonly pictures: AsyncGenerator<PagePicture>;
}

/**
 * Opens a PDF and draws pages of it. `report` names the fonts that have no substitute.
 *
 * @throws {ServiceError} `invalid_page_selection`, `invalid_parameter`, `password_required`, `wrong_password`,
 *   `unsupported_encryption`, `damaged_file`, `input_too_large`, `out_of_memory`; `details.page` is the page that fails
 */
export async function drawPages(context: JobContext, options: DrawPagesOptions): Promise<DrawnPages> {
  const { file, reader, deadline } = context;
  const { to, quality, maxBytes } = options;
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
  const tasks = await pageTasks(plan, pictures, options, encoder.longestSide).catch((thrown) => {
    pictures.close();
    throw thrown;
  });
  return { pageCount, count: tasks.length, pictures: drawAll(pictures, tasks, context) };
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
  { scale, maxWidth, maxHeight }: DrawPagesOptions,
  longestSide: number | undefined,
): Promise<PageTask[]> {
  const tasks: PageTask[] = [];
  const device = thisDevice();
  for (const { number, index, userUnit, hidden } of pages) {
    const natural = pixelSize(await pictures.pageSize(number, index), userUnit, scale);
    // A page is drawn at its final size, and need not be resampled.
    const size = fittingSize(natural, { maxWidth, maxHeight });
    checkPageSize(number, size, scale, device, longestSide);
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
