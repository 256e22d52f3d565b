import type { RenderPagesOptions } from "../../src/shared/protocol.ts";
import { asBlob } from "../image/formats/encoded-image.ts";
import type { JobContext } from "../job-context.ts";
import { drawPages } from "./draw-pages.ts";
import { USUAL_DPI } from "./page-size.ts";

/**
 * How many pages for each worker may be on their way to the caller. This worker reads answers only between its own pages,
 * and meanwhile each helper may draw two.
 */
const SENT_PER_WORKER = 2;

/**
 * Draws pages of a PDF and delivers them one by one, until the caller wants no more.
 *
 * @throws {ServiceError} what {@link drawPages} throws
 */
export async function renderPages(
  context: JobContext,
  { width, dpi = USUAL_DPI, ...options }: RenderPagesOptions,
): Promise<{ readonly value: null }> {
  const scale = width === undefined ? { dpi } : { width };
  const { pictures } = await drawPages(context, { ...options, scale });
  const mostSent = SENT_PER_WORKER * (1 + context.helpers);
  const sent: Promise<boolean>[] = [];
  try {
    for await (const { task, picture, size } of pictures) {
      sent.push(context.deliver({ page: task.number, blob: asBlob(picture, options.to), ...size }));
      if (sent.length >= mostSent && !(await sent.shift())) break;
    }
  } finally {
    // The end of the job must not overtake its pages.
    await Promise.all(sent);
  }
  return { value: null };
}
