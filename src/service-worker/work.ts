import type { ServiceResult } from "../downloads.ts";
import type { ServiceCall } from "../service/request.ts";
import type { WireError } from "../shared/errors.ts";

// What the service worker and the pages say to each other.
//
// A page that works holds a lock, for as long as it lives: so the service worker, which is stopped and started by the
// browser at any time and forgets everything, finds those that are there without asking and waiting, and learns at
// once when one is gone.

/** From a page that will work, with a port for its client id, which it gets once the service worker controls it. */
export const INTRODUCTION = "stayput: this page works";

/** A client of a page that works. */
export interface WorkingClient {
  /** The page, as the service worker calls it. */
  readonly clientId: string;
  /** Tells apart what is made on one page. */
  readonly id: string;
}

/** The name of the lock that a page holds which works for the service worker of a scope. */
export function lockName(scope: string, { clientId, id }: WorkingClient): string {
  return `${lockPrefix(scope)}${clientId} ${id}`;
}

/** What such a name says; nothing when it is another lock's. */
export function workingClient(lock: string, scope: string): WorkingClient | undefined {
  const prefix = lockPrefix(scope);
  const [clientId, id] = lock.startsWith(prefix) ? lock.slice(prefix.length).split(" ") : [];
  return clientId === undefined || id === undefined ? undefined : { clientId, id };
}

function lockPrefix(scope: string): string {
  return `stayput ${scope} `;
}

/** From the service worker: one call to be done, with a port for the {@link Reply}. */
export interface Task {
  /** Who is meant: a page may have several clients. */
  readonly id: string;
  readonly call: ServiceCall;
}

/** From a page: how a task ended. */
export type Reply =
  | { readonly kind: "file"; readonly file: Blob; readonly fileName: string }
  /** A file that is elsewhere. */
  | { readonly kind: "result"; readonly result: ServiceResult }
  | { readonly kind: "error"; readonly error: WireError }
  /** The client was closed. */
  | { readonly kind: "closed" };
