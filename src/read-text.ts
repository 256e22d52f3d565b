import type { AskPassword } from "./ask-password.ts";
import type { CallOptions } from "./call-options.ts";
import { type DeliveryHost, deliveries, type LoopJob } from "./deliveries.ts";
import type { FileInput } from "./downloads.ts";
import { file, optional, orAsked, pageSelection, readFields, required, text } from "./fields.ts";
import { formatOf } from "./inputs.ts";
import type { Job, PageText } from "./shared/protocol.ts";

/** The parameters of `readText`. */
export interface ReadTextParams {
  readonly file: FileInput;
  /** Which pages, as a page selection: `1,3-5`. Default: all. */
  readonly pages?: string | undefined;
  /** The password of a protected PDF, or a function that returns it. */
  readonly password?: string | AskPassword | undefined;
}

/** The fields of `readText`. */
export const TEXT_FIELDS = {
  file: required(file),
  pages: optional(pageSelection),
  password: optional(orAsked(text)),
};

/**
 * Yields the text of pages in order. The worker reads the next page while the loop is busy.
 *
 * @throws {ServiceError} what `convert` throws for a PDF. A page without text is no error. An aborted call throws
 *   `signal.reason`
 */
export function readText(
  params: ReadTextParams,
  callOptions: CallOptions,
  host: DeliveryHost,
): AsyncGenerator<PageText, void, undefined> {
  return deliveries(jobOf(params), callOptions, host);
}

async function jobOf(params: ReadTextParams): Promise<LoopJob<Job<"pdf/read-text">>> {
  const { file, password, pages } = readFields(TEXT_FIELDS, params);
  await formatOf(file, "PDFs");
  return { file, password, with: (known) => ({ engine: "pdf/read-text", file, pages, password: known }) };
}
