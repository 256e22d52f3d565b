import type { PdfToImagesOptions } from "../../src/shared/protocol.ts";
import { invalidBackground, valuesOfColor, valuesOnWhite } from "../image/browser/css-color.ts";
import { encoderOf } from "../image/formats/by-format.ts";
import { thisDevice } from "../image/picture/limits.ts";
import { fittingSize } from "../image/picture/size.ts";
import type { JobContext } from "../job-context.ts";
import { type Paper, WHITE } from "./draw-page.ts";
import { hangGuard, tooSlow } from "./page-failures.ts";
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
  const { to, quality, maxBytes } = options;
  const encoder = encoderOf(to);
  const paper = paperOf(options.background, encoder.alpha);
  const plan = await planRendering(context, options);
  const style = { to, paper, quality, maxBytes, fontUrl: context.fontUrl ?? defaultFontUrl(self.location) };
  const { file, password, pageCount } = plan;
  const guard = hangGuard(context.deadline);
  const pictures = new PagePictures({ file, password }, style, context.reader, (page) =>
    guard(page === undefined ? undefined : tooSlow(page)),
  );
  const tasks = await pageTasks(plan, pictures, options, encoder.longestSide).catch((thrown) => {
    pictures.close();
    throw thrown;
  });
  return { pageCount, count: tasks.length, pictures: drawAll(pictures, tasks, context) };
}

/**
 * Converts a CSS color to the color of the paper. A transparent color is blended with white when the output has no alpha.
 *
 * @throws {ServiceError} `invalid_parameter`
 */
function paperOf(background: string | undefined, alpha: boolean): Paper {
  if (background === undefined) return WHITE;
  const values = alpha ? valuesOfColor(background) : valuesOnWhite(background);
  if (values === undefined) throw invalidBackground();
  return values;
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
