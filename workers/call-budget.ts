import { type ErrorDetails, ServiceError } from "../src/shared/errors.ts";

const MEGABYTE = 2 ** 20;

/**
 * The most pages that one call produces: draws, reads, or copies into documents. The longest sound documents have tens of
 * thousands. A selection may name a page several times.
 */
export const MOST_PAGES = 1_000_000;
/** The most files of a split. They take 10 seconds for each 100,000. */
export const MOST_FILES = 150_000;
/** The most pages that one call draws or reads. PDFium draws 50 in a second, so these take more than half an hour. */
export const MOST_DRAWN_PAGES = 100_000;
/** The most pixels of all pictures of a call: 28,000 pages of A4 at 600 dpi, or 460,000 at 150 dpi. */
export const MOST_PIXELS = 1e12;
/**
 * All images that a call decodes may have these pixels together, and in addition a multiple of the bytes of the input.
 * Decoding the first takes at most 20 seconds. 250 photos, drawings and scans of the test files have at most 540
 * pixels per byte, and more than that only in blank ones: 41 blank images of 12 megapixels go without the multiple.
 */
const DECODED_FREE_PIXELS = 5e8;
const DECODED_PIXELS_PER_BYTE = 1000;
/** The most pixels in any case: 8,000 photos of 12 megapixels. Decoding them takes an hour. */
const MOST_DECODED_PIXELS = 1e11;
/** The most bytes of all pictures of a call. 2,000 pages of A4 at 600 dpi have 4 to 20 GB as PNG. */
export const MOST_PICTURE_BYTES = 64 * 2 ** 30;
/** The longest text of a call, in bytes: more than the text of any book. */
export const MOST_TEXT_BYTES = 256 * MEGABYTE;

/**
 * All documents of a split together may have these bytes, and in addition a multiple of the bytes of the input. In honest
 * files, many pages share fonts and images, and each output needs them. For 880 test files split into single pages,
 * the outputs have at most 6 times the bytes of the input. For a thousand pages of 10 KB that share a font of
 * 1 MB, they have 92 times. For a file that lists one page many times, they have thousands of times.
 */
const COPIED_FREE_BYTES = 512 * MEGABYTE;
const COPIED_TIMES = 100;

/**
 * The most memory of one instance of PDFium, in bytes. A picture of 16,384 by 8,192 pixels takes 512 MB of it. Eight
 * hostile files of 1 to 50 KB took 2 to 3 GB without it.
 */
export const MOST_PDFIUM_MEMORY = 768 * MEGABYTE;
/**
 * The same for an instance in a helper. A page that needs more is drawn again by the worker of the job, so that all
 * instances of a job stay below 1.5 GB.
 */
export const MOST_HELPER_MEMORY = 256 * MEGABYTE;

/** How long PDFium may take for a page, or to open a document, in milliseconds of active time. */
export const PAGE_TIMEOUT_MS = 40_000;
/**
 * The time, in milliseconds, after which another thread ends the worker. PDFium does not check its own time limit
 * everywhere.
 */
export const HANG_TIMEOUT_MS = 55_000;

/** The details of an error for a limit. */
type LimitDetails = ErrorDetails<"input_too_large">;

/** The names of the limits in `details.limit`. */
export type LimitName =
  | "pages"
  | "files"
  | "pixels"
  | "output_bytes"
  | "memory_bytes"
  | "seconds"
  | "repeated_pages"
  | "page_tree_depth"
  | "outline_entries"
  | "parser_work"
  | "content_work"
  | "unpacked_bytes"
  | "content_names"
  | "objects";

/** What a call may produce at most. */
interface CallLimits {
  readonly pages?: number;
  readonly pixels?: number;
  readonly bytes?: number;
}

/**
 * Returns the error for a call that reaches one of our limits.
 *
 * @param limit its name, for `details.limit`
 */
export function limitReached(limit: LimitName, message: string, details: LimitDetails = {}): ServiceError {
  return new ServiceError("input_too_large", message, { limit, ...details });
}

/** Whether an error says that one of our limits was reached. Such an error ends the call: there is no fallback. */
export function isLimitReached(thrown: unknown): boolean {
  return thrown instanceof ServiceError && thrown.code === "input_too_large";
}

/** Returns the error for a file for which PDFium needs more memory than our limit. */
export function tooMuchMemory(bytes: number): ServiceError {
  return limitReached(
    "memory_bytes",
    `This PDF needs more than ${bytes / MEGABYTE} MB of memory to be drawn or read. Select other pages, or ask for another copy.`,
    { largest_memory_bytes: bytes },
  );
}

/**
 * Refuses a split into too many files, before the first is written.
 *
 * @throws {ServiceError} `input_too_large`
 */
export function checkFileCount(files: number): void {
  if (files <= MOST_FILES) return;
  const message = `A split makes at most ${MOST_FILES} files, and these are ${files}. Select fewer at a time.`;
  throw limitReached("files", message, { files, largest_files: MOST_FILES });
}

/** Counts what a call produces: pages, pixels and bytes. A small hostile file could ask for any number of them. */
export class CallBudget {
  readonly #limits: Required<CallLimits>;
  /** For `details` of the errors. */
  readonly #about: LimitDetails;
  #pages = 0;
  #pixels = 0;
  #bytes = 0;

  constructor(
    { pages = MOST_PAGES, pixels = MOST_PIXELS, bytes = MOST_PICTURE_BYTES }: CallLimits = {},
    about: LimitDetails = {},
  ) {
    this.#limits = { pages, pixels, bytes };
    this.#about = about;
  }

  /** Returns the budget of a call that draws or reads pages. */
  static forDrawing(bytes = MOST_PICTURE_BYTES): CallBudget {
    return new CallBudget({ pages: MOST_DRAWN_PAGES, bytes });
  }

  /**
   * Returns the budget of a call that decodes images.
   *
   * @param inputs all inputs of the call
   */
  static forDecoding(inputs: readonly Blob[]): CallBudget {
    const inputBytes = inputs.reduce((sum, { size }) => sum + size, 0);
    const pixels = DECODED_FREE_PIXELS + DECODED_PIXELS_PER_BYTE * inputBytes;
    return new CallBudget({ pixels: Math.min(MOST_DECODED_PIXELS, pixels) }, { input_bytes: inputBytes });
  }

  /**
   * Returns the budget of a call that copies pages into documents.
   *
   * @param inputBytes the bytes of all inputs
   */
  static forCopying(inputBytes: number): CallBudget {
    const bytes = COPIED_FREE_BYTES + COPIED_TIMES * inputBytes;
    return new CallBudget({ bytes }, { input_bytes: inputBytes });
  }

  /**
   * Counts pages before they are produced.
   *
   * @throws {ServiceError} `input_too_large` past the limit
   */
  takePages(count: number): void {
    this.#pages += count;
    const most = this.#limits.pages;
    if (this.#pages <= most) return;
    const message = `These are more than ${most} pages. Take fewer pages at a time.`;
    throw limitReached("pages", message, { ...this.#about, pages: this.#pages, largest_pages: most });
  }

  /** Counts the pixels of pictures that are drawn or decoded. Throws as {@link takePages}. */
  takePixels(count: number): void {
    this.#pixels += count;
    const most = this.#limits.pixels;
    if (this.#pixels <= most) return;
    const message =
      `All pictures together have ${millions(this.#pixels)} million pixels or more, and ${millions(most)} million are allowed. ` +
      "Take fewer at a time, or smaller ones.";
    throw limitReached("pixels", message, { ...this.#about, pixels: this.#pixels, largest_pixels: most });
  }

  /**
   * Counts the bytes of an output, including those that are copied from the input without being read. Throws as
   * {@link takePages}.
   *
   * @param about more details of the error
   */
  takeBytes(count: number, about: LimitDetails = {}): void {
    this.#bytes += count;
    const most = this.#limits.bytes;
    if (this.#bytes <= most) return;
    const input = this.#about.input_bytes;
    const size = typeof input === "number" ? ` of ${megabytes(input)}` : "";
    const message = `What is made of this file${size} is larger than ${megabytes(most)} together. Take fewer pages at a time.`;
    throw limitReached("output_bytes", message, { ...this.#about, ...about, output_limit_bytes: most });
  }
}

function millions(pixels: number): string {
  return (pixels / 1e6).toFixed(0);
}

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(bytes < 10 * MEGABYTE ? 1 : 0)} MB`;
}
