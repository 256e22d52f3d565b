import type { PagesOptions, PageText } from "../../src/shared/protocol.ts";
import { CallBudget, MOST_TEXT_BYTES } from "../call-budget.ts";
import type { ByteSink } from "../io/sink.ts";
import type { JobContext } from "../job-context.ts";
import { FontReader } from "./fonts/font-codes.ts";
import { damagedPage, HangGuard, tooSlow } from "./page-failures.ts";
import { readPage } from "./page-text.ts";
import { planRendering } from "./rendering-plan.ts";
import { WatchedPdf } from "./watched-pdf.ts";

/** How pages are read. */
export interface ReadingOptions extends PagesOptions {
  /** The longest text of all pages, in bytes of UTF-8. */
  readonly mostBytes?: number | undefined;
  /** Whether the caller may wait between two pages. */
  readonly waits?: boolean | undefined;
}

/**
 * Opens a PDF and reads pages in order.
 *
 * @throws {ServiceError} `invalid_page_selection`, `password_required`, `wrong_password`, `unsupported_encryption`,
 *   `damaged_file`, `input_too_large`, `out_of_memory`; `details.page` is the page that fails
 */
export async function* readPages(
  context: JobContext<ByteSink>,
  { mostBytes = MOST_TEXT_BYTES, waits = false, ...options }: ReadingOptions,
): AsyncGenerator<PageText> {
  const { pages, read: source, ...openable } = await planRendering(context, options);
  const fonts = source && new FontReader(source.document);
  const budget = CallBudget.forDrawing(mostBytes);
  budget.takePages(pages.length);
  const guard = new HangGuard(context.deadline);
  const document = new WatchedPdf(openable, context.reader, {
    work: "read",
    watch: {
      enter: (page) => guard.enter(() => tooSlow(page, "read")),
      leave: () => guard.leave(),
      withdraw: () => guard.withdraw(),
    },
  });
  const encoder = new TextEncoder();
  try {
    for (const [done, { number, index, ...page }] of pages.entries()) {
      context.report("working", done, pages.length);
      const given = source?.pages[number - 1];
      const fontCodes = () => (given && fonts?.codesOn(given)) ?? new Map();
      const read = await document.usePage(number, (pdf) => readPage(pdf, index, { ...page, fontCodes }));
      if (read === undefined) throw damagedPage(number, "it is damaged", "read");
      budget.takeBytes(encoder.encode(read.text).length, { page: number });
      // Otherwise, the page would end this worker while the caller waits.
      if (waits) guard.withdraw();
      yield { page: number, ...read };
    }
  } finally {
    document.close();
  }
}
