import type { Job } from "../workers/protocol.ts";
import { type ErrorCode, ServiceError } from "./errors.ts";

/**
 * Anything thrown while doing a job, as the error that its caller gets: a lack of memory by what the browsers
 * call it, and what nobody expected as `internal_error`, which does not quote a password.
 */
export function serviceErrorFrom(thrown: unknown, job: Job): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  if (/out of memory|OOM|allocat|invalid (array|string|typed array) length/i.test(text)) return outOfMemory();
  const telling = passwordsOf(job).some((password) => text.includes(password)) ? "" : ` (${text})`;
  return new ServiceError("internal_error", `Stayput failed at this file${telling}. Please report it.`);
}

/** The device could not hold what a job needs. */
export function outOfMemory(): ServiceError {
  return new ServiceError(
    "out_of_memory",
    "This device has not enough memory for the job: close other tabs, or take a smaller file.",
  );
}

/** Code that is loaded when it is needed did not come. */
export function notLoaded(
  thrown: unknown,
  code: ErrorCode = globalThis.navigator?.onLine === false ? "offline" : "internal_error",
): ServiceError {
  return new ServiceError(code, `A part of Stayput could not be loaded (${thrown}).`);
}

function passwordsOf(job: Job): string[] {
  const passwords = [
    "password" in job ? job.password : undefined,
    "ownerPassword" in job ? job.ownerPassword : undefined,
  ];
  return passwords.filter((password): password is string => password !== undefined && password !== "");
}
