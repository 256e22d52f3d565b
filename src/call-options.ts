import { knownValues, OPTIONS } from "./shared/known-keys.ts";
import type { Progress } from "./shared/protocol.ts";

/** The options of a call, besides the fields of its operation. */
export interface CallOptions {
  /** Ends the work at once. The call then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /** Gets the progress of the call, a few times a second. An error that it throws ends the call. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

const CALL_OPTIONS = { signal: true, onProgress: true } satisfies Record<keyof CallOptions, true>;

/**
 * Returns the options of a call. The platform and the caller's code check their values.
 *
 * @throws {ServiceError} `invalid_parameter` for the first option that is not known
 */
export function readCallOptions(given: CallOptions | undefined): CallOptions {
  return Object.fromEntries(knownValues(given, Object.keys(CALL_OPTIONS), OPTIONS));
}
