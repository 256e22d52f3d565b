import { holdWhileShown, noServiceWorkers } from "./page-lock.ts";

// The token of a page is the name of a lock that the page holds. Only pages and workers of the same origin
// can take such a lock. A restarted service worker still finds it. Nothing is stored, and the token ends with
// its page.

/**
 * The query parameter of a form's `action` that carries the token. The service worker reads it without the
 * body.
 */
const PARAMETER = "stayput_token";
const TOKEN_BYTES = 16;

let held: Promise<string> | undefined;

/**
 * Returns the token of this page: 128 random bits in hexadecimal. It is valid while the page is shown.
 *
 * @throws {ServiceError} `internal_error` where service workers are unavailable
 */
export function formToken(): Promise<string> {
  held ??= holdToken().catch((error) => {
    held = undefined;
    throw error;
  });
  return held;
}

async function holdToken(): Promise<string> {
  if (globalThis.navigator?.locks === undefined) throw noServiceWorkers();
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
  const token = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  await holdWhileShown(lockOf(token), new AbortController().signal);
  return token;
}

/** Returns whether a URL carries the token of an open page of this origin. */
export async function carriesFormToken(url: string): Promise<boolean> {
  const token = new URL(url).searchParams.get(PARAMETER);
  if (token === null) return false;
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === lockOf(token));
}

function lockOf(token: string): string {
  return `stayput form ${token}`;
}
