import { ServiceError } from "../../src/shared/errors.ts";
import { serviceErrorFrom } from "../../src/shared/job-failure.ts";
import type { Job } from "../../src/shared/protocol.ts";
import { isStored } from "../../src/shared/read-blob.ts";

/** Returns the error for an input that could not be read, or that has become shorter. */
export function readFailure(thrown?: unknown): unknown {
  // Browsers throw NotReadableError or NotFoundError, Firefox AbortError. Other errors are not about the file.
  if (thrown !== undefined && !(thrown instanceof DOMException)) return thrown;
  return inputLost();
}

/**
 * Returns the error of a failed job. An unexpected error may come from an input that can no longer be read, so the
 * input is checked.
 */
export async function jobFailure(thrown: unknown, job: Job): Promise<ServiceError> {
  const error = serviceErrorFrom(thrown, job);
  const isUnexpected = error !== thrown && error.code === "internal_error";
  return isUnexpected && !(await isStored(job.file)) ? inputLost() : error;
}

/**
 * Checks that a job's input can still be read.
 *
 * @throws {ServiceError} `damaged_file` when it cannot
 */
export async function checkInput(file: Blob): Promise<void> {
  if (!(await isStored(file))) throw inputLost();
}

function inputLost(): ServiceError {
  return new ServiceError(
    "damaged_file",
    "The file cannot be read any more: it was changed, moved or removed meanwhile. Choose it again.",
  );
}
