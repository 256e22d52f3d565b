import type { PdfToImagesOptions } from "../../src/shared/protocol.ts";
import { CallBudget } from "../call-budget.ts";
import { invalidBackground, valuesOfColor, valuesOnWhite } from "../image/browser/css-color.ts";
import { encoderOf } from "../image/formats/codecs.ts";
import { bytesIn } from "../image/formats/encoded-image.ts";
import { thisDevice } from "../image/picture/limits.ts";
import type { JobContext } from "../job-context.ts";
import { type Paper, WHITE } from "./draw-page.ts";
import { HangGuard, tooSlow } from "./page-failures.ts";
import { PagePictures, type PictureStyle } from "./page-pictures.ts";
import type { Scale } from "./page-size.ts";
import { drawInParallel, type PagePicture } from "./parallel-pages.ts";
import { planRendering, type WantedPage } from "./rendering-plan.ts";

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
  const { background, pages: _selection, rotate: _rotation, password: _password, ...look } = options;
  const paper = paperOf(background, encoderOf(options.to).alpha);
  const budget = CallBudget.forDrawing();
  const { file, password, pageCount, pages } = await planRendering(context, options);
  budget.takePages(pages.length);
  const fontUrl = context.fontUrl ?? defaultFontUrl(self.location);
  const style: PictureStyle = { ...look, paper, fontUrl, device: thisDevice() };
  const guard = new HangGuard(context.deadline);
  const watch = {
    enter: (page: number) => guard.enter(() => tooSlow(page)),
    leave: () => guard.leave(),
    withdraw: () => guard.withdraw(),
  };
  const pictures = new PagePictures({ file, password }, style, context.reader, { watch });
  return { pageCount, count: pages.length, pictures: drawAll(pictures, pages, budget, context) };
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

async function* drawAll(
  pictures: PagePictures,
  tasks: readonly WantedPage[],
  budget: CallBudget,
  { helpers, report }: JobContext,
): AsyncGenerator<PagePicture> {
  const missing = new Set<string>();
  let done = 0;
  try {
    report("working", done, tasks.length);
    for await (const made of drawInParallel(pictures, tasks, helpers)) {
      budget.takePixels(made.size.width * made.size.height);
      budget.takeBytes(bytesIn(made.picture));
      const reported = missing.size;
      for (const font of made.missingFonts) missing.add(font);
      report("working", ++done, tasks.length, missing.size > reported ? [...missing] : undefined);
      yield made;
    }
  } finally {
    pictures.close();
  }
}
