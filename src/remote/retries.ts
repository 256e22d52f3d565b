import { HTTPError, type RetryOptions } from "ky";
import { ServiceError } from "../shared/errors.ts";
import { cancelBody } from "../shared/failure.ts";

/** How many times a request is sent at most. */
const TRIES = 3;

/** Requests with a longer `Retry-After` are not repeated. */
const LONGEST_WAIT_MS = 30_000;
const FIRST_PAUSE_MS = 500;
/** Statuses of a service, or of a proxy, that may change after a moment. */
const TRANSIENT_STATUS = [429, 502, 503, 504];

/**
 * Returns the retry options for ky: a request is repeated a few times if it may succeed and there is time for it. All
 * pauses are decided here, because ky also accepts other headers than `Retry-After`.
 *
 * @param timeLeft returns how many milliseconds are left for the call
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
      if (error instanceof HTTPError) cancelBody(error.response.body);
      return true;
    },
    delay: () => pause,
  };
}

/** Returns the milliseconds to wait before the next try, or undefined if another try is useless. */
function pauseAfter(error: Error, failures: number): number | undefined {
  if (error instanceof ServiceError) return undefined;
  if (error instanceof HTTPError) {
    if (!TRANSIENT_STATUS.includes(error.response.status)) return undefined;
    const asked = retryAfterOf(error.response);
    if (asked !== undefined) return asked * 1000 <= LONGEST_WAIT_MS ? asked * 1000 : undefined;
  } else if (globalThis.navigator?.onLine === false) return undefined;
  // Random, so that clients that failed together do not repeat together.
  return FIRST_PAUSE_MS * 2 ** (failures - 1) * (0.5 + Math.random() / 2);
}

/** Returns `Retry-After` in seconds. The header may be a date (RFC 9110, 10.2.3). */
export function retryAfterOf({ headers }: Response, now = Date.now()): number | undefined {
  const given = headers.get("Retry-After")?.trim() ?? "";
  if (/^\d+$/.test(given)) return Math.min(Number(given), Number.MAX_SAFE_INTEGER);
  const date = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
