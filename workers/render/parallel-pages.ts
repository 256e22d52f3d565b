import { ServiceError } from "../../src/shared/errors.ts";
import { HANG_TIMEOUT_MS } from "../call-budget.ts";
import type { Helper } from "../parallel/helper.ts";
import { helperPool } from "../parallel/helper-pool.ts";
import { mapOrdered } from "../parallel/map-tasks.ts";
import { TaskQueue } from "../parallel/task-queue.ts";
import { pdfiumModule } from "./load-pdfium.ts";
import { tooSlow } from "./page-failures.ts";
import type { PageAnswer, PagesRequest } from "./page-helper.ts";
import type { MadePicture, PagePictures } from "./page-pictures.ts";
import type { WantedPage } from "./rendering-plan.ts";

/** The smallest number of pages for which helpers are leased. Fewer pages are drawn before a helper has started. */
const FEWEST_PAGES = 4;

/** The picture of a page. */
export interface PagePicture extends MadePicture {
  readonly task: WantedPage;
  /** Fonts that the document names and that have no substitute. */
  readonly missingFonts: readonly string[];
}

/**
 * Draws pages in this worker and in helpers. Each opens the document. Yields the pictures in the order of the tasks, and
 * draws only a few ahead.
 *
 * @throws {ServiceError} the error of a page, with its number in `details.page`
 */
export async function* drawInParallel(
  pictures: PagePictures,
  tasks: readonly WantedPage[],
  helperCount: number,
): AsyncGenerator<PagePicture> {
  const count = tasks.length < FEWEST_PAGES ? 0 : Math.min(helperCount, tasks.length - 1);
  const queue = new TaskQueue<WantedPage, PageAnswer>({
    async work(task) {
      const made = await pictures.picture(task);
      return { ok: true, ...made, missingFonts: pictures.missingFonts() };
    },
    helpers: count > 0 ? await leaseHelpers(pictures, count) : [],
    stallError: ({ number }) => tooSlow(number),
  });
  try {
    for await (const [task, answer] of mapOrdered(queue, tasks)) {
      if (!answer.ok) throw ServiceError.fromWire(answer.error);
      yield { task, ...answer };
    }
  } finally {
    await queue.close();
  }
}

async function leaseHelpers(
  { file, style }: PagePictures,
  count: number,
): Promise<Helper<WantedPage, PageAnswer>[]> {
  const request: PagesRequest = { file, style, pdfium: await pdfiumModule() };
  return helperPool.lease({ count, kind: "pdf/pages", request, hangTimeoutMs: HANG_TIMEOUT_MS });
}
