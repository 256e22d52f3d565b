import { ServiceError } from "../../src/shared/errors.ts";
import type { JobContext } from "../job-context.ts";
import { LONGEST_FILE } from "./file-access.ts";

/** How long drawing a page may take, in milliseconds of active time. */
export const PAGE_TIMEOUT_MS = 60_000;
/**
 * The time, in milliseconds, after which another thread ends the worker. PDFium does not check its own time limit
 * everywhere.
 */
export const HANG_TIMEOUT_MS = 1.25 * PAGE_TIMEOUT_MS;

/** Called with the error of the job before PDFium works, because it may never return. With `undefined` when it has. */
export type HangGuard = (error: ServiceError | undefined) => void;

/** Returns a function that announces to the page that PDFium may hang. */
export function hangGuard(deadline: JobContext["deadline"]): HangGuard {
  return (error) => deadline(error && { milliseconds: HANG_TIMEOUT_MS, error: error.toWire() });
}

/** The work of PDFium on a page. */
export type PageWork = "draw" | "read";

/**
 * Returns the error for a page that cannot be drawn or read.
 *
 * @param page the page number, from 1
 */
export function damagedPage(page: number, why: string, work: PageWork = "draw"): ServiceError {
  const done = work === "draw" ? "drawn" : "read";
  return new ServiceError(
    "damaged_file",
    `Page ${page} of this PDF cannot be ${done}: ${why}. Leave it out with the field "pages", or ask for another copy.`,
    { page },
  );
}

/** Returns the error for a page that takes longer than {@link PAGE_TIMEOUT_MS}. */
export function tooSlow(page: number, work: PageWork = "draw"): ServiceError {
  const more = work === "draw" ? ", or take a lower dpi" : "";
  return new ServiceError(
    "input_too_large",
    `Page ${page} of this PDF takes more than ${PAGE_TIMEOUT_MS / 1000} seconds to ${work}. Leave it out with the ` +
      `field "pages"${more}.`,
    { page },
  );
}

/** Returns the error for a file in which PDFium does not reach the pages within {@link PAGE_TIMEOUT_MS}. */
export function tooSlowToOpen(): ServiceError {
  return new ServiceError(
    "input_too_large",
    `The list of this PDF's pages takes more than ${PAGE_TIMEOUT_MS / 1000} seconds to read. Ask for another copy.`,
  );
}

/**
 * Returns the error for a file that is too long for PDFium, although it has only the requested pages.
 *
 * @param bytes the length of the file
 */
export function tooLong(bytes: number): ServiceError {
  return new ServiceError(
    "input_too_large",
    `These pages are ${bytes} bytes, and no more than ${LONGEST_FILE} can be drawn from one file. Take fewer at a ` +
      'time with the field "pages".',
    { size: bytes, largest_size: LONGEST_FILE },
  );
}
