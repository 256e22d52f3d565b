import { ServiceError } from "./errors.ts";
import { outOfMemory } from "./failure.ts";
import type { Job } from "./protocol.ts";

/**
 * Returns the error that a caller gets for anything thrown during a job. Recognizes the ways in which browsers say that
 * memory has run out. An unexpected error becomes `internal_error`; its message never quotes a password.
 */
export function serviceErrorFrom(thrown: unknown, job: Job): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (isOutOfMemory(thrown)) return outOfMemory();
  const text = textOf(thrown);
  const reason = passwordsOf(job).some((password) => text.includes(password)) ? "" : ` (${text})`;
  return new ServiceError("internal_error", `Stayput failed at this file${reason}. Please report it.`);
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

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
}

function passwordsOf(job: Job): string[] {
  const passwords = [
    "password" in job ? job.password : undefined,
    "ownerPassword" in job ? job.ownerPassword : undefined,
    ...("inputs" in job ? job.inputs.map((input) => ("password" in input ? input.password : undefined)) : []),
  ];
  return passwords.filter((password): password is string => password !== undefined && password !== "");
}
