import { ServiceError } from "./errors.ts";
import { internalError, outOfMemory, textOf } from "./failure.ts";
import type { Job } from "./protocol.ts";

/**
 * Returns the error that a caller gets for anything thrown during a job. Recognizes the ways in which browsers say that
 * memory has run out. An unexpected error becomes `internal_error`, with `details.cause` unless it quotes a password.
 */
export function serviceErrorFrom(thrown: unknown, job: Job): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (isOutOfMemory(thrown)) return outOfMemory();
  const text = textOf(thrown);
  const isQuoted = passwordsOf(job).some((password) => text.includes(password));
  return internalError("Something went wrong with this file. Try again.", isQuoted ? undefined : text);
}

/**
 * Returns whether an error of a browser, a WebAssembly trap or an Emscripten abort says that memory has run out. "Memory
 * access out of bounds" is another error.
 */
export function isOutOfMemory(thrown: unknown): boolean {
  // URLs do not count: they may contain "classroom" or "zoom".
  const text = textOf(thrown).replace(/\b\w+:\/\/\S+/g, "");
  return /\bmemory\b(?! access)|\bOOM\b|allocat|invalid (array|string|typed array) length/i.test(text);
}

function passwordsOf(job: Job): string[] {
  const passwords = [
    "password" in job ? job.password : undefined,
    "ownerPassword" in job ? job.ownerPassword : undefined,
    ...("inputs" in job ? job.inputs.map((input) => ("password" in input ? input.password : undefined)) : []),
  ];
  return passwords.filter((password): password is string => password !== undefined && password !== "");
}
