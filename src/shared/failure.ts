import { type ErrorCode, ServiceError } from "./errors.ts";

/** The device could not hold what a job needs. */
export function outOfMemory(): ServiceError {
  return new ServiceError(
    "out_of_memory",
    "This device has not enough memory for the job: close other tabs, or take a smaller file.",
  );
}

/**
 * Code that is loaded when it is needed.
 *
 * @param code the error's; by default `offline` where the device is, for what the remote service may be asked next
 * @throws {ServiceError} when it does not come
 */
export function importChunk<Part>(
  part: Promise<Part>,
  code: ErrorCode = globalThis.navigator?.onLine === false ? "offline" : "internal_error",
): Promise<Part> {
  return part.catch((thrown) => {
    throw new ServiceError(code, `A part of Stayput could not be loaded (${thrown}).`);
  });
}
