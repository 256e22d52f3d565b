import type { PagesOptions } from "../../src/shared/protocol.ts";
import type { JobContext } from "../job-context.ts";
import { readPages } from "./read-pages.ts";

/**
 * Reads pages of a PDF and delivers their text and their words, until the caller wants no more. A page without text has
 * an empty one.
 *
 * @throws {ServiceError} what {@link readPages} throws
 */
export async function readText(
  context: JobContext,
  options: PagesOptions,
): Promise<{ readonly value: null }> {
  for await (const page of readPages(context, { ...options, waits: true })) {
    if (!(await context.deliver(page))) break;
  }
  return { value: null };
}
