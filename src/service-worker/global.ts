// The parts of a service worker's global that are used here. TypeScript declares them only in a library that conflicts
// with the library for pages.

/** The global of a service worker. */
export interface ServiceWorkerGlobal {
  readonly location: { readonly href: string; readonly origin: string };
  readonly registration: { readonly scope: string };
  readonly clients: {
    get(id: string): Promise<PageClient | undefined>;
    claim(): Promise<void>;
  };
  addEventListener(type: "fetch", listener: (event: RequestEvent) => void): void;
  addEventListener(type: "message", listener: (event: PageMessage) => void): void;
}

/** A page or a worker of the origin of the service worker. */
export interface PageClient {
  readonly id: string;
  postMessage(message: unknown, transfer: Transferable[]): void;
}

/** A request of a page that the service worker controls, or for a page under its scope. */
export interface RequestEvent {
  readonly request: Request;
  /** The client that sends the request. Empty for a navigation. */
  readonly clientId: string;
  respondWith(response: Promise<Response>): void;
}

/** A message to the service worker. */
export interface PageMessage {
  readonly data: unknown;
  readonly source: object | null;
  readonly ports: readonly MessagePort[];
  waitUntil(work: Promise<unknown>): void;
}

/** Returns the global of this service worker. Returns undefined elsewhere. */
export function serviceWorkerGlobal(): ServiceWorkerGlobal | undefined {
  const scope: object = globalThis;
  return isServiceWorker(scope) ? scope : undefined;
}

function isServiceWorker(scope: object): scope is ServiceWorkerGlobal {
  return "registration" in scope && "clients" in scope;
}
