import { internalError } from "../shared/failure.ts";

/** The cache that holds the results. docs/reference/service-worker.md names it, for apps that delete unknown caches. */
export const DOWNLOADS_CACHE = "stayput-downloads";

/**
 * Erases all results that the service workers of this origin have stored. Call it when a user signs out.
 *
 * A request in progress stores nothing and fails with `not_found`.
 *
 * @throws {ServiceError} `internal_error` when the browser refuses
 *
 * @example
 * import { clearDownloads } from "stayput/service-worker";
 * addEventListener("message", (event) => {
 *   if (event.data === "signed out") event.waitUntil(clearDownloads());
 * });
 */
export async function clearDownloads(): Promise<void> {
  try {
    // `caches` is undefined on pages that cannot have a service worker.
    await globalThis.caches?.delete(DOWNLOADS_CACHE);
  } catch (error) {
    throw internalError(
      "The browser did not erase the stored results. Clear this site's data in the browser's settings.",
      error,
    );
  }
}
