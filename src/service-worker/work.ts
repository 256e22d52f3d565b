import type { ServiceResult } from "../downloads.ts";
import type { ServiceCall } from "../http/request.ts";
import type { WireError } from "../shared/errors.ts";

// The messages between the service worker and the pages.
//
// A working page is a page whose client has called `answerServiceWorker`. It holds a lock while it is open. The browser
// may stop and start the service worker at any time, and then all of its state is lost. The locks show it which working
// pages are open, and when one is closed.

/** From a page that becomes a working page, with a port. The service worker answers with the client id of the page. */
export const INTRODUCTION = "stayput: this page works";

/** A client on a working page. */
export interface WorkingClient {
  /** The id of the page in the service worker. */
  readonly clientId: string;
  /** Distinguishes the clients of one page. */
  readonly id: string;
}

/** Returns the name of the lock that a working page holds for the service worker of a scope. */
export function lockName(scope: string, { clientId, id }: WorkingClient): string {
  return `${lockPrefix(scope)}${clientId} ${id}`;
}

/** Parses a name from {@link lockName}. Returns undefined for another lock. */
export function workingClient(lock: string, scope: string): WorkingClient | undefined {
  const prefix = lockPrefix(scope);
  const [clientId, id] = lock.startsWith(prefix) ? lock.slice(prefix.length).split(" ") : [];
  return clientId === undefined || id === undefined ? undefined : { clientId, id };
}

function lockPrefix(scope: string): string {
  return `stayput ${scope} `;
}

/** From the service worker: a call to run, with a port for the {@link Reply}. */
export interface Task {
  /** The id of the client that runs it. A page may have several. */
  readonly id: string;
  readonly call: ServiceCall;
}

/** From a page: how a task ended. */
export type Reply =
  | { readonly kind: "file"; readonly file: Blob; readonly fileName: string }
  /** A file that is at another URL. */
  | { readonly kind: "result"; readonly result: ServiceResult }
  | { readonly kind: "error"; readonly error: WireError }
  /** The client was closed. */
  | { readonly kind: "closed" };
