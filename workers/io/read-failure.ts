import { isStored } from "../../src/downloads.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { serviceErrorFrom } from "../../src/shared/job-failure.ts";
import type { Job } from "../../src/shared/protocol.ts";

/** What an input that could not be read, or was shorter than it should be, comes to. */
export function readFailure(thrown?: unknown): unknown {
  // Browsers say NotReadableError or NotFoundError, Firefox AbortError. Anything else is not about the file.
  if (thrown !== undefined && !(thrown instanceof DOMException)) return thrown;
  return inputLost();
}

/**
 * What a job has failed with, whatever was thrown: what nobody expected may come of an input that cannot be read any
 * more, wherever that was read.
 */
export async function jobFailure(thrown: unknown, job: Job): Promise<ServiceError> {
  const error = serviceErrorFrom(thrown, job);
  const isUnexpected = error !== thrown && error.code === "internal_error";
  return isUnexpected && !(await isStored(job.file)) ? inputLost() : error;
}

/**
 * Looks whether a job's input can still be read.
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
