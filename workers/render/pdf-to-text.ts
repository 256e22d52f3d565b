import { ServiceError } from "../../src/shared/errors.ts";
import type { PagesOptions } from "../../src/shared/protocol.ts";
import type { JobContext } from "../job-context.ts";
import { damagedPage, hangGuard, tooSlow } from "./page-failures.ts";
import { pageText } from "./page-text.ts";
import { planRendering } from "./rendering-plan.ts";
import { WatchedPdf } from "./watched-pdf.ts";

const FORM_FEED = "\f";
/** More than the text of any book. A hostile file may list one page very often. */
const MOST_BYTES = 256 * 2 ** 20;

/** The part of the context that reading text needs. */
export type TextContext = Pick<JobContext, "file" | "reader" | "report" | "deadline"> & {
  readonly sink: Pick<JobContext["sink"], "write">;
};

/**
 * Writes the text of the pages, in UTF-8, with a form feed between two pages.
 *
 * @param mostBytes the longest text
 * @throws {ServiceError} `unsupported_conversion` if the pages have no text; `invalid_page_selection`,
 *   `password_required`, `wrong_password`, `unsupported_encryption`, `damaged_file`, `input_too_large`, `out_of_memory`;
 *   `details.page` is the page that fails
 */
export async function pdfToText(
  context: TextContext,
  options: PagesOptions,
  mostBytes = MOST_BYTES,
): Promise<void> {
  const { pages, ...openable } = await planRendering(context, options);
  const guard = hangGuard(context.deadline);
  const document = new WatchedPdf(openable, context.reader, {
    work: "read",
    watch: (page) => guard(page === undefined ? undefined : tooSlow(page, "read")),
  });
  const encoder = new TextEncoder();
  let bytes = 0;
  let hasText = false;
  try {
    for (const [done, { number, index, hidden }] of pages.entries()) {
      context.report("working", done, pages.length);
      const text = await document.usePage(number, (pdf) => pageText(pdf, index, hidden));
      if (text === undefined) throw damagedPage(number, "it is damaged", "read");
      hasText ||= /\S/.test(text);
      const written = encoder.encode(done === 0 ? text : FORM_FEED + text);
      bytes += written.length;
      if (bytes > mostBytes) throw tooMuchText(number, mostBytes);
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

function tooMuchText(page: number, limit: number): ServiceError {
  return new ServiceError(
    "input_too_large",
    `The text of this PDF up to page ${page} is longer than ${Math.floor(limit / 2 ** 20)} MB. Take fewer pages at a time with the field "pages".`,
    { page, output_limit_bytes: limit },
  );
}
