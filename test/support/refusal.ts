import { expect } from "vitest";
import type { ErrorCode, ErrorDetails } from "../../src/shared/errors.ts";

/** Matches a `ServiceError` by its code, and if they are given, by all its details and by a part of its message. */
export function refusal(code: ErrorCode, details?: ErrorDetails, message = ""): object {
  return expect.objectContaining({
    code,
    message: expect.stringContaining(message),
    ...(details && { details }),
  });
}
