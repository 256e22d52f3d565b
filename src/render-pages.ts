import type { AskPassword } from "./ask-password.ts";
import type { CallOptions } from "./call-options.ts";
import { type DeliveryHost, deliveries, type LoopJob } from "./deliveries.ts";
import type { FileInput } from "./downloads.ts";
import {
  file,
  number,
  oneOf,
  optional,
  orAsked,
  pageSelection,
  readFields,
  required,
  text,
  type Values,
} from "./fields.ts";
import { formatOf } from "./inputs.ts";
import { invalidParameter } from "./shared/failure.ts";
import type { Job, RenderedPage } from "./shared/protocol.ts";

const FORMATS = ["png", "jpg", "webp", "avif"] as const;

/** The parameters of `renderPages`. */
export interface RenderParams {
  readonly file: FileInput;
  /** Which pages, as a page selection: `1,3-5`. Default: all. */
  readonly pages?: string | undefined;
  /** The password of a protected PDF, or a function that returns it. */
  readonly password?: string | AskPassword | undefined;
  /** The width of each picture in pixels. The height follows from the page. Not with `dpi`. */
  readonly width?: number | undefined;
  /** Dots per inch. Default: 150. */
  readonly dpi?: number | undefined;
  /** Default: `"png"`. */
  readonly format?: (typeof FORMATS)[number] | undefined;
}

const FIELDS = {
  file: required(file),
  pages: optional(pageSelection),
  password: optional(orAsked(text)),
  width: optional(number(1, 16_384)),
  dpi: optional(number(1, 2400)),
  format: optional(oneOf(FORMATS)),
};

/**
 * Yields the pictures of pages in order. The worker draws a few pages ahead, and waits while the loop is busy.
 *
 * @throws {ServiceError} what `convert` throws for a PDF. An aborted call throws `signal.reason`
 */
export function renderPages(
  params: RenderParams,
  callOptions: CallOptions,
  host: DeliveryHost,
): AsyncGenerator<RenderedPage, void, undefined> {
  return deliveries(jobOf(params), callOptions, host);
}

/** Reads the fields of `renderPages`. */
export function readRenderFields(params: RenderParams): Values<typeof FIELDS> {
  const values = readFields(FIELDS, params);
  if (values.width !== undefined && values.dpi !== undefined) {
    const message = 'The field "width" must be absent if there is a "dpi". Leave one of them out.';
    throw invalidParameter("width", message);
  }
  return values;
}

async function jobOf(params: RenderParams): Promise<LoopJob<Job<"pdf/render">>> {
  const { format: to = "png", password, ...values } = readRenderFields(params);
  const { file } = values;
  await formatOf(file, "PDFs");
  return { file, password, with: (known) => ({ engine: "pdf/render", to, ...values, password: known }) };
}
