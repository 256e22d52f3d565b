import { ServiceError } from "../../../src/shared/errors.ts";

/** Returns the error for a file that is no image of its format, or a damaged one. */
export function damagedImage(format: string, reason: string): ServiceError {
  return new ServiceError(
    "damaged_file",
    `The ${format} image cannot be read: ${reason}. Try another copy of it.`,
  );
}
