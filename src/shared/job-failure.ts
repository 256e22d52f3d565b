import { ServiceError } from "./errors.ts";
import { outOfMemory } from "./failure.ts";
import type { Job } from "./protocol.ts";

/**
 * Anything thrown while doing a job, as the error that its caller gets: a lack of memory by what the browsers
 * call it, and what nobody expected as `internal_error`, which does not quote a password.
 */
export function serviceErrorFrom(thrown: unknown, job: Job): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (tellsOfMemory(thrown)) return outOfMemory();
  const text = textOf(thrown);
  const telling = passwordsOf(job).some((password) => text.includes(password)) ? "" : ` (${text})`;
  return new ServiceError("internal_error", `Stayput failed at this file${telling}. Please report it.`);
}

/**
 * Whether what was thrown, by a browser, a WebAssembly trap or Emscripten's abort, says that memory has run out. "Memory
 * access out of bounds" does not.
 */
export function tellsOfMemory(thrown: unknown): boolean {
  // An address may have "oom" in it: of a classroom, or of what zooms.
  const text = textOf(thrown).replace(/\b\w+:\/\/\S+/g, "");
  return /\bmemory\b(?! access)|\bOOM\b|allocat|invalid (array|string|typed array) length/i.test(text);
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
}

function passwordsOf(job: Job): string[] {
  const passwords = [
    "password" in job ? job.password : undefined,
    "ownerPassword" in job ? job.ownerPassword : undefined,
  ];
  return passwords.filter((password): password is string => password !== undefined && password !== "");
}
