import { type ErrorCode, type ErrorDetails, ServiceError } from "./errors.ts";

/** The message for a part of Stayput that could not be loaded. */
export const NOT_LOADED = "A part of this app could not be loaded. Reload or restart the app.";

/** Longer names of files are cut in messages. */
const LONGEST_NAME = 80;

/**
 * Returns an error about one of several files. Its message begins with the name of the file.
 *
 * @param index the place of the file in the call, counted from 0. It becomes `details.file_index`
 */
export function aboutFile(
  name: string,
  index: number,
  { code, message, details }: ServiceError,
): ServiceError {
  return new ServiceError(code, `${name.slice(0, LONGEST_NAME)}: ${message}`, {
    ...details,
    file_index: index,
  });
}

/** Returns the error for a field or an option with a wrong value. The message must not quote a password. */
export function invalidParameter(parameter: string, message: string): ServiceError {
  return new ServiceError("invalid_parameter", message, { parameter });
}

/** Returns the error for a wrong option of the client or of the service worker. */
export function wrongOption(parameter: string, expected: string): ServiceError {
  return invalidParameter(parameter, `The option "${parameter}" must be ${expected}.`);
}

/**
 * Returns an error whose reason is the affair of a developer.
 *
 * @param message for people: short, and without technical words
 * @param cause for the developer: what was thrown, or what is wrong. It becomes `details.cause`, and must not quote a
 *   password. Absent when undefined
 */
export function internalError(message: string, cause: unknown, details: ErrorDetails = {}): ServiceError {
  return new ServiceError("internal_error", message, withCause(cause, details));
}

/** Adds what was thrown to the details of an error, as a text. */
export function withCause(cause: unknown, details: ErrorDetails = {}): ErrorDetails {
  return cause === undefined ? details : { ...details, cause: textOf(cause) };
}

/** Returns what was thrown as a text: `TypeError: x is not a function`. */
export function textOf(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
}

/** Returns the error for a job that needs more memory than the device has. */
export function outOfMemory(): ServiceError {
  return new ServiceError(
    "out_of_memory",
    "There is not enough memory for the file now. Try again later, or choose a smaller file.",
  );
}

/** Returns whether a platform API threw an error: a `DOMException`, or a `TypeError` for input that it refuses. */
export function isPlatformError(thrown: unknown): boolean {
  return thrown instanceof DOMException || thrown instanceof TypeError;
}

/** Cancels a body that is not read further, so that its connection can close. */
export function cancelBody(body: ReadableStream | null | undefined): void {
  // A body that has failed rejects with its error. Its connection is closed already.
  body?.cancel().catch(() => {});
}

/**
 * Passes on a dynamic import, and turns its failure into a `ServiceError`.
 *
 * @param code default: `offline` if the device is offline, otherwise `internal_error`
 * @throws {ServiceError} if the import fails
 */
export function importChunk<Part>(
  part: Promise<Part>,
  code: ErrorCode = globalThis.navigator?.onLine === false ? "offline" : "internal_error",
): Promise<Part> {
  return part.catch((thrown) => {
    throw new ServiceError(code, NOT_LOADED, withCause(thrown));
  });
}
