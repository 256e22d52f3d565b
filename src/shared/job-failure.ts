import { ServiceError } from "./errors.ts";
import { outOfMemory } from "./failure.ts";
import type { Job } from "./protocol.ts";

/** The name of the error that worker.js throws if another of its files does not load: see scripts/worker-files.mjs. */
const LOAD_ERROR = "LoadError";

/**
 * Returns the error that a caller gets for anything thrown during a job. Recognizes the ways in which browsers say that
 * memory has run out. An unexpected error becomes `internal_error`; its message never quotes a password.
 */
export function serviceErrorFrom(thrown: unknown, job: Job): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof Error && thrown.name === LOAD_ERROR)
    return notLoaded("A part of Stayput", thrown.message);
  if (tellsOfMemory(thrown)) return outOfMemory();
  const text = textOf(thrown);
  const reason = passwordsOf(job).some((password) => text.includes(password)) ? "" : ` (${text})`;
  return new ServiceError("internal_error", `Stayput failed at this file${reason}. Please report it.`);
}

/**
 * Returns the error for code that could not be loaded.
 *
 * @param part the missing part, as the subject of the message
 * @param place where the code should be, and the reason in parentheses
 * @param directive the directive of the Content-Security-Policy that must allow it
 */
export function notLoaded(part: string, place: string, directive = "script-src"): ServiceError {
  return new ServiceError(
    "internal_error",
    `${part} could not be loaded from ${place}. ` +
      `Check that the file is served and that the Content-Security-Policy allows it (${directive}).`,
  );
}

/**
 * Returns whether an error of a browser, a WebAssembly trap or an Emscripten abort says that memory has run out. "Memory
 * access out of bounds" is another error.
 */
export function tellsOfMemory(thrown: unknown): boolean {
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
  ];
  return passwords.filter((password): password is string => password !== undefined && password !== "");
}
