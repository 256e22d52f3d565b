import { type ErrorCode, ServiceError } from "./errors.ts";

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
