import { ServiceError } from "../../src/shared/errors.ts";
import { LONGEST_FILE } from "./file-access.ts";

/** How long drawing a page may take, in milliseconds of active time. */
export const PAGE_TIMEOUT_MS = 60_000;

/** What a page fails with that cannot be drawn. */
export function damagedPage(page: number, why: string): ServiceError {
  return new ServiceError(
    "damaged_file",
    `Page ${page} of this PDF cannot be drawn: ${why}. Leave it out by means of \`pages\`, or ask for another copy.`,
    { page },
  );
}

/** What a page fails with that is given up. */
export function tooSlow(page: number): ServiceError {
  return new ServiceError(
    "input_too_large",
    `Page ${page} of this PDF takes more than ${PAGE_TIMEOUT_MS / 1000} seconds to draw. Leave it out by means of ` +
      "`pages`, or take a lower dpi.",
    { page },
  );
}

/** What a file fails with whose pages PDFium does not get to. */
export function tooSlowToOpen(): ServiceError {
  return new ServiceError(
    "input_too_large",
    `The list of this PDF's pages takes more than ${PAGE_TIMEOUT_MS / 1000} seconds to read. Ask for another copy.`,
  );
}

/** What a file fails with that is longer than PDFium can take, with no more than the pages that are wanted. */
export function tooLong(bytes: number): ServiceError {
  return new ServiceError(
    "input_too_large",
    `These pages are ${bytes} bytes, and no more than ${LONGEST_FILE} can be drawn from one file. Take fewer at a ` +
      "time by means of `pages`.",
    { size: bytes, largest_size: LONGEST_FILE },
  );
}
