// What a service worker's global offers, as far as it is needed here. TypeScript declares it only in a library that
// contradicts the page's.

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

/** A page, or a worker, of the service worker's origin. */
export interface PageClient {
  readonly id: string;
  postMessage(message: unknown, transfer: Transferable[]): void;
}

/** A request of a page that the service worker controls, or for a page under its scope. */
export interface RequestEvent {
  readonly request: Request;
  /** Who asks; empty when a page is to be loaded. */
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

/** The global of this service worker; nothing elsewhere. */
export function serviceWorkerGlobal(): ServiceWorkerGlobal | undefined {
  const scope: object = globalThis;
  return isServiceWorker(scope) ? scope : undefined;
}

function isServiceWorker(scope: object): scope is ServiceWorkerGlobal {
  return "registration" in scope && "clients" in scope;
}
