import { ServiceError } from "../../../src/shared/errors.ts";

/** Returns the error for a picture that no decoder can read. */
export function cannotBeDecoded(format: string): ServiceError {
  return new ServiceError(
    "damaged_file",
    `The ${format} image cannot be decoded: it is cut off or damaged. Try another copy of it.`,
  );
}

/**
 * Returns the error for a picture that only the browser can decode, when its canvas cannot be read: see
 * canvas-readback.ts.
 */
export function onlyForTheBrowser(format: string): ServiceError {
  return new ServiceError(
    "unsupported_conversion",
    `Only the browser itself can decode this ${format} image, and to protect you from fingerprinting it gives web pages ` +
      "noise instead of pictures: allow this site to read canvas data there, or use another browser.",
  );
}
