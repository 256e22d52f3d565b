import { ServiceError } from "../../src/errors.ts";

/** A page that takes longer to draw is given up. */
export const PATIENCE_MS = 60_000;

/** What happened, with the page to which it did. */
export function aboutPage(page: number, { code, message, details }: ServiceError): ServiceError {
  return new ServiceError(code, `Page ${page}: ${message}`, { ...details, page });
}

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
    `Page ${page} of this PDF takes more than ${PATIENCE_MS / 1000} seconds to draw. Leave it out by means of ` +
      "`pages`, or take a lower dpi.",
    { page },
  );
}
