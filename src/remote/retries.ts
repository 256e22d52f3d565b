import { HTTPError, type RetryOptions } from "ky";
import { ServiceError } from "../shared/errors.ts";

/** How often a request is sent at most. */
export const TRIES = 3;

/** A `Retry-After` that asks for more is not waited for. */
const LONGEST_WAIT_MS = 30_000;
const FIRST_PAUSE_MS = 500;
/** Answers of a service, or of what stands before it, that may be others a moment later. */
const PASSING_STATUS = [429, 502, 503, 504];

/**
 * How ky repeats requests: a few times, where a later one may do better and there is time for it. What to wait
 * for is decided here alone, since ky takes other headers for `Retry-After` too.
 *
 * @param timeLeft how many milliseconds the call still has
 */
export function retries(timeLeft: () => number): RetryOptions {
  let pause = 0;
  return {
    limit: TRIES - 1,
    methods: ["get", "post"],
    shouldRetry: ({ error, retryCount }) => {
      const wanted = pauseAfter(error, retryCount);
      if (wanted === undefined || wanted >= timeLeft()) return false;
      pause = wanted;
      // What nobody reads keeps its connection.
      if (error instanceof HTTPError) error.response.body?.cancel().catch(() => {});
      return true;
    },
    delay: () => pause,
  };
}

/** The milliseconds to wait before the next try; undefined when there is nothing to be had from one. */
function pauseAfter(error: Error, failures: number): number | undefined {
  if (error instanceof ServiceError) return undefined;
  if (error instanceof HTTPError) {
    if (!PASSING_STATUS.includes(error.response.status)) return undefined;
    const asked = retryAfterOf(error.response);
    if (asked !== undefined) return asked * 1000 <= LONGEST_WAIT_MS ? asked * 1000 : undefined;
  } else if (globalThis.navigator?.onLine === false) return undefined;
  // Spread out, so that clients that failed together do not come back together.
  return FIRST_PAUSE_MS * 2 ** (failures - 1) * (0.5 + Math.random() / 2);
}

/** `Retry-After` in seconds, which may be given as a date (RFC 9110, 10.2.3). */
export function retryAfterOf({ headers }: Response, now = Date.now()): number | undefined {
  const given = headers.get("Retry-After")?.trim() ?? "";
  if (/^\d+$/.test(given)) return Math.min(Number(given), Number.MAX_SAFE_INTEGER);
  const date = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
