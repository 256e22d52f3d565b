import { ServiceError } from "../../src/shared/errors.ts";
import { callHelpers, type Helper, HelperStuck } from "../parallel/helper-pool.ts";
import { mapOrdered } from "../parallel/map-ordered.ts";
import { pdfiumModule } from "./engine.ts";
import { tooSlow } from "./page-failures.ts";
import type { PageAnswer, PagesRequest } from "./page-helper.ts";
import { type EncodedPicture, LAST_PATIENCE_MS, type PagePictures, type PageTask } from "./page-pictures.ts";

/** Fewer pages are drawn before a helper has started. */
const WORTH_HELP_PAGES = 4;

/** A page's picture, and which fonts had no face up to it. */
export interface PagePicture {
  readonly task: PageTask;
  readonly picture: EncodedPicture;
  readonly missingFonts: readonly string[];
}

/**
 * Makes pictures of pages, here and in helpers, each of which has the document open for itself. They come in the order
 * of the tasks, and few are made before their turn.
 *
 * @throws {ServiceError} that names the page
 */
export async function* crewPictures(
  pictures: PagePictures,
  tasks: readonly PageTask[],
  helperCount: number,
): AsyncGenerator<PagePicture> {
  const drawHere = async (task: PageTask): Promise<PageAnswer> => {
    const picture = await pictures.picture(task);
    return { ok: true, picture, missingFonts: pictures.missingFonts() };
  };
  const count = tasks.length < WORTH_HELP_PAGES ? 0 : Math.min(helperCount, tasks.length - 1);
  const helpers = count > 0 ? await pageHelpers(pictures, count) : [];
  for await (const [task, answer] of mapOrdered(tasks, drawHere, helpers)) {
    if (!answer.ok) throw ServiceError.fromWire(answer.error);
    yield { task, ...answer };
  }
}

async function pageHelpers(
  { file, style }: PagePictures,
  count: number,
): Promise<Helper<PageTask, PageAnswer>[]> {
  const request: PagesRequest = { file, style, pdfium: await pdfiumModule() };
  const helpers = callHelpers<PageTask, PageAnswer, PagesRequest>(
    count,
    "helpWithPages",
    request,
    LAST_PATIENCE_MS,
  );
  return helpers.map((helper) => ({
    get isResponsive() {
      return helper.isResponsive;
    },
    ask: (task) =>
      helper.ask(task).catch((thrown) => {
        throw thrown instanceof HelperStuck ? tooSlow(task.number) : thrown;
      }),
    suspect: () => helper.suspect(),
    release: () => helper.release(),
  }));
}
