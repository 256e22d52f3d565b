import { ServiceError } from "../../src/shared/errors.ts";
import type { PagesOptions } from "../../src/shared/protocol.ts";
import type { ByteSink } from "../io/sink.ts";
import type { JobContext } from "../job-context.ts";
import { readPages } from "./read-pages.ts";

const FORM_FEED = "\f";

/**
 * Writes the text of the pages, in UTF-8, with a form feed between two pages. A character without a known meaning is U+FFFD.
 *
 * @param mostBytes the longest text
 * @throws {ServiceError} `unsupported_conversion` if the pages have no text; and what
 *   {@link readPages} throws
 */
export async function pdfToText(
  context: JobContext<ByteSink>,
  options: PagesOptions,
  mostBytes?: number,
): Promise<void> {
  const encoder = new TextEncoder();
  let hasText = false;
  let isFirst = true;
  for await (const { text } of readPages(context, { ...options, mostBytes })) {
    hasText ||= /\S/.test(text);
    context.sink.write(encoder.encode(isFirst ? text : FORM_FEED + text));
    isFirst = false;
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
