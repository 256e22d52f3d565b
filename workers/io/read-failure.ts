import type { ServiceError } from "../../src/shared/errors.ts";
import { serviceErrorFrom } from "../../src/shared/job-failure.ts";
import { mixedVersions, notLoaded } from "../../src/shared/load-failure.ts";
import type { Job } from "../../src/shared/protocol.ts";
import { isStored, unreadableFile } from "../../src/shared/read-blob.ts";

/** Returns the error for an input that could not be read, or that has become shorter. */
export function readFailure(thrown?: unknown): unknown {
  // Browsers throw NotReadableError or NotFoundError, Firefox AbortError. Other errors are not about the file.
  if (thrown !== undefined && !(thrown instanceof DOMException)) return thrown;
  return unreadableFile();
}

/**
 * Returns the error of a failed job. An unexpected error may come from an input that can no longer be read, so the
 * input is checked.
 */
export async function jobFailure(thrown: unknown, job: Job): Promise<ServiceError> {
  if (thrown instanceof Error && "stayputFile" in thrown) return loadFailure(thrown as LoadError);
  const error = serviceErrorFrom(thrown, job);
  const isUnexpected = error !== thrown && error.code === "internal_error";
  return isUnexpected && !(await areStored(job)) ? unreadableFile() : error;
}

/** The error of worker.js when another of its files does not load, or is of another version: see scripts/worker-files.mjs. */
interface LoadError extends Error {
  readonly stayputFile: string;
  readonly url?: string;
  /** The version of a file of another version. */
  readonly version?: string;
}

async function loadFailure({ stayputFile, url, version, message }: LoadError): Promise<ServiceError> {
  const part = `The file ${stayputFile} of Stayput`;
  return version === undefined ? notLoaded({ part, url, reason: message }) : mixedVersions(part, version);
}

/**
 * Checks that the inputs of a job can still be read.
 *
 * @throws {ServiceError} `damaged_file` when one cannot
 */
export async function checkInputs(job: JobInputs): Promise<void> {
  if (!(await areStored(job))) throw unreadableFile();
}

/** The inputs of a job: all of `inputs`, or `file`. */
export type JobInputs = Pick<Job, "file"> & { readonly inputs?: readonly Pick<Job, "file">[] };

async function areStored({ file, inputs = [{ file }] }: JobInputs): Promise<boolean> {
  // One after the other: there may be more files than the browser can open at once.
  for (const input of inputs) if (!(await isStored(input.file))) return false;
  return true;
}
