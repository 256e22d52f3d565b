import { ServiceError } from "../../src/shared/errors.ts";
import type { PagesOptions } from "../../src/shared/protocol.ts";
import { CallBudget, MOST_TEXT_BYTES } from "../call-budget.ts";
import type { ByteSink } from "../io/sink.ts";
import type { JobContext } from "../job-context.ts";
import { damagedPage, HangGuard, tooSlow } from "./page-failures.ts";
import { pageText } from "./page-text.ts";
import { planRendering } from "./rendering-plan.ts";
import { WatchedPdf } from "./watched-pdf.ts";

const FORM_FEED = "\f";

/**
 * Writes the text of the pages, in UTF-8, with a form feed between two pages.
 *
 * @param mostBytes the longest text
 * @throws {ServiceError} `unsupported_conversion` if the pages have no text; `invalid_page_selection`,
 *   `password_required`, `wrong_password`, `unsupported_encryption`, `damaged_file`, `input_too_large`, `out_of_memory`;
 *   `details.page` is the page that fails
 */
export async function pdfToText(
  context: JobContext<ByteSink>,
  options: PagesOptions,
  mostBytes = MOST_TEXT_BYTES,
): Promise<void> {
  const { pages, ...openable } = await planRendering(context, options);
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
  let hasText = false;
  try {
    for (const [done, { number, index, hidden }] of pages.entries()) {
      context.report("working", done, pages.length);
      const text = await document.usePage(number, (pdf) => pageText(pdf, index, hidden));
      if (text === undefined) throw damagedPage(number, "it is damaged", "read");
      hasText ||= /\S/.test(text);
      const written = encoder.encode(done === 0 ? text : FORM_FEED + text);
      budget.takeBytes(written.length, { page: number });
      context.sink.write(written);
    }
  } finally {
    document.close();
  }
  if (!hasText) throw noText(options.pages !== undefined);
}

function noText(isSelection: boolean): ServiceError {
  const holder = isSelection ? "These pages hold" : "This PDF holds";
  return new ServiceError(
    "unsupported_conversion",
    `${holder} pictures only, and no text. Use a program with text recognition (OCR) first.`,
    { from: "pdf", to: "txt" },
  );
}
