import type { ServiceError } from "../shared/errors.ts";
import { internalError } from "../shared/failure.ts";

/**
 * Holds a lock while the page is shown, until `closing` aborts. Resolves once the lock is held.
 *
 * A page in the back/forward cache cannot hold a lock. The lock is released on `pagehide` and taken again when the
 * page comes back.
 */
export async function holdWhileShown(lock: string, closing: AbortSignal): Promise<void> {
  let release = () => {};
  const hold = () =>
    new Promise<void>((resolve, reject) => {
      const untilReleased = () => {
        resolve();
        return new Promise<void>((releaseLock) => {
          release = releaseLock;
          if (closing.aborted) releaseLock();
        });
      };
      navigator.locks.request(lock, untilReleased).catch(reject);
    });
  await hold();
  addEventListener("pagehide", () => release(), { signal: closing });
  addEventListener("pageshow", ({ persisted }) => persisted && void hold(), { signal: closing });
  closing.addEventListener("abort", () => release());
}

/** Returns the error for a page that has neither locks nor service workers. */
export function noServiceWorkers(): ServiceError {
  return internalError("This page has no service workers. Serve it over https.", undefined);
}
