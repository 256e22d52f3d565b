import { abortable } from "./abortable.ts";
import type { CallHost } from "./calls.ts";
import { file, number, oneOf, optional, pageSelection, readFields, required, text } from "./fields.ts";
import { formatOf } from "./inputs.ts";
import type { CallOptions } from "./pool/worker-slot.ts";
import { invalidParameter } from "./shared/failure.ts";
import type { Job, RenderedPage } from "./shared/protocol.ts";

const FORMATS = ["png", "jpg", "webp", "avif"] as const;

/** The parameters of `renderPages`. */
export interface RenderParams {
  readonly file: Blob;
  /** Which pages, as a page selection: `1,3-5`. Default: all. */
  readonly pages?: string | undefined;
  /** The password of a protected PDF. */
  readonly password?: string | undefined;
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
  password: optional(text),
  width: optional(number(1, 16_384)),
  dpi: optional(number(1, 2400)),
  format: optional(oneOf(FORMATS)),
};

/**
 * How many milliseconds the worker has to end its page when the loop is left. It then stays for the next call. Otherwise,
 * it is ended.
 */
const END_MS = 500;

/** A page that waits for the loop. */
interface Offer {
  readonly page: RenderedPage;
  /** Tells the worker whether the loop wants more pages. */
  answer(goesOn: boolean): void;
}

/**
 * Yields the pictures of pages in order. The worker draws a few pages ahead, and waits while the loop is busy.
 *
 * @throws {ServiceError} what `convert` throws for a PDF. An aborted call throws `signal.reason`
 */
export async function* renderPages(
  params: RenderParams,
  { signal, onProgress }: CallOptions,
  { closing, openPool }: Pick<CallHost, "closing" | "openPool">,
): AsyncGenerator<RenderedPage, void, undefined> {
  const job = await abortable(jobOf(params), [closing, signal]);
  const pool = await openPool();
  signal?.throwIfAborted();

  const offers: Offer[] = [];
  let wake = () => {};
  let isOver = false;
  let isLeft = false;
  const onPage = (page: RenderedPage) =>
    new Promise<boolean>((answer) => {
      if (isLeft) return answer(false);
      offers.push({ page, answer });
      wake();
    });
  const ending = new AbortController();
  const abort = () => ending.abort(signal?.reason);
  signal?.addEventListener("abort", abort);
  const work = pool.run(job, { signal: ending.signal, onProgress, onPage }).finally(() => {
    isOver = true;
    wake();
  });
  // The loop throws the error when it asks for the next page.
  work.catch(() => {});
  try {
    for (;;) {
      closing.throwIfAborted();
      signal?.throwIfAborted();
      const offer = offers.shift();
      if (offer !== undefined) {
        offer.answer(true);
        yield offer.page;
      } else if (isOver) {
        await work;
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    isLeft = true;
    for (const { answer } of offers) answer(false);
    signal?.removeEventListener("abort", abort);
    const timer = setTimeout(() => ending.abort(), END_MS);
    // The error is that of the loop, or comes from ending the worker.
    await work.catch(() => {});
    clearTimeout(timer);
  }
}

async function jobOf(params: RenderParams): Promise<Job<"pdf/render">> {
  const { format: to = "png", ...values } = readFields(FIELDS, params);
  if (values.width !== undefined && values.dpi !== undefined) {
    const message = 'The field "width" must be absent if there is a "dpi". Leave one of them out.';
    throw invalidParameter("width", message);
  }
  await formatOf(values.file, "PDFs");
  return { engine: "pdf/render", to, ...values };
}
