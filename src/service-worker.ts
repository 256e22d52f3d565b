/**
 * The service worker: what the service worker of an app imports.
 *
 * @module stayput/service-worker
 */
import type { ServiceResult } from "./downloads.ts";
import { PAST_SERVICE_WORKER, servicePath } from "./http/path.ts";
import type { ServiceCall } from "./http/request.ts";
import { failed, OPERATION_METHODS, respond } from "./http/response.ts";
import { type AddDownload, DOWNLOAD_METHODS, DownloadStore } from "./service-worker/download-store.ts";
import {
  type PageMessage,
  type RequestEvent,
  type ServiceWorkerGlobal,
  serviceWorkerGlobal,
} from "./service-worker/global.ts";
import { askPage } from "./service-worker/pages.ts";
import { mayCall, senderOf } from "./service-worker/sender.ts";
import { INTRODUCTION } from "./service-worker/work.ts";
import { ServiceError } from "./shared/errors.ts";
import { internalError, wrongOption } from "./shared/failure.ts";
import { knownValues, OPTIONS } from "./shared/known-keys.ts";

export { clearDownloads } from "./service-worker/clear-downloads.ts";

/** Options of {@link serve}. All are optional. */
export interface ServeOptions {
  /**
   * The base URL that the app uses for the service. All paths under its `/api/` are answered. On the origin of the app, it
   * must be under the scope of the service worker. With another origin, requests of `fetch` and `XMLHttpRequest` are
   * answered. HTML forms to another origin never reach a service worker: they upload their file. Default: the origin, and
   * only the paths of the operations.
   */
  readonly baseUrl?: string | URL | undefined;
  /** How long a result can be downloaded, in milliseconds. Default: 15 minutes. */
  readonly downloadLifetime?: number | undefined;
}

const OPTION_NAMES = { baseUrl: true, downloadLifetime: true } satisfies Record<keyof ServeOptions, true>;

const DEFAULT_LIFETIME_MS = 15 * 60_000;

/**
 * Answers requests to the service in the service worker of the app: requests of forms, `XMLHttpRequest` and `fetch`, on
 * all pages. A page that has called `client.answerServiceWorker()` does the work. Call `serve()` while the service worker
 * starts, before the app adds its own listeners for `fetch`.
 *
 * Other sites get `forbidden`. A navigation is answered if its referrer has this origin. A navigation without a referrer
 * is answered if its URL has the token of an open page (`client.formToken()`).
 *
 * @throws {ServiceError} `invalid_parameter` for an option that is not known or is wrong, such as a base of this origin
 *   outside the scope of the service worker: a form that posts there would upload its file
 *
 * @example
 * import { serve } from "stayput/service-worker";
 * serve();
 */
export function serve(options: ServeOptions = {}): void {
  const scope = serviceWorkerGlobal();
  if (scope === undefined) {
    throw internalError("serve() runs in a service worker only. Call it there.", undefined);
  }
  knownValues(options, Object.keys(OPTION_NAMES), OPTIONS);
  const { baseUrl, resultsUrl, isForeign } = basesOf(options, scope);
  const store = new DownloadStore(resultsUrl, lifetimeOf(options));
  const givenBase = options.baseUrl === undefined ? undefined : baseUrl;
  const isMarked = ({ headers, url }: Request) =>
    headers.has(PAST_SERVICE_WORKER) || (isForeign && url.endsWith(`#${PAST_SERVICE_WORKER}`));
  // Results that expired while the service worker was stopped are deleted when it starts.
  void store.removeExpired();

  const answer = async (event: RequestEvent, path: string): Promise<Response> => {
    const { request } = event;
    if (!(await mayCall(request, givenBase))) return failed(forbidden(), request.method, OPERATION_METHODS);
    return store.storing((add) => respond(request, path, (call) => perform(call, event, scope, add)));
  };

  // A user may open a link to a result by hand, without a referrer. The id cannot be guessed.
  const download = async (request: Request): Promise<Response> => {
    if (senderOf(request, givenBase) === "other site")
      return failed(forbidden(), request.method, DOWNLOAD_METHODS);
    return store.answer(request);
  };

  scope.addEventListener("fetch", (event) => {
    const { request } = event;
    if (isMarked(request)) return;
    const path = servicePath(request.url, givenBase);
    if (path !== undefined) event.respondWith(answer(event, path));
    else if (store.holds(request.url)) event.respondWith(download(request));
  });
  scope.addEventListener("message", (event) => {
    if (event.data !== INTRODUCTION) return;
    event.waitUntil(welcome(event, scope));
    event.waitUntil(store.removeExpired());
  });
}

/** Sends a page its client id. First takes control of it, because the page may be older than the service worker. */
async function welcome({ source, ports }: PageMessage, { clients }: ServiceWorkerGlobal): Promise<void> {
  await clients.claim();
  if (source !== null && "id" in source) ports[0]?.postMessage(source.id);
}

/** Passes the call to a page and stores the resulting file. */
async function perform(
  call: ServiceCall,
  { clientId }: RequestEvent,
  scope: ServiceWorkerGlobal,
  add: AddDownload,
): Promise<ServiceResult> {
  try {
    const done = await askPage(scope, call, clientId);
    if (done.kind === "result") return done.result;
    const download_url = await add(done.file, done.fileName);
    return { success: true, download_url, file_name: done.fileName };
  } catch (thrown) {
    if (thrown instanceof ServiceError) throw thrown;
    throw internalError("Something went wrong with this file. Try again.", thrown);
  }
}

function forbidden(): ServiceError {
  return new ServiceError(
    "forbidden",
    "This request does not come from a page of this app, or its page sends no referrer and no token " +
      "(stayput_token). Nothing was done. Open the app and try again there.",
  );
}

interface Bases {
  /** The base of the service. */
  readonly baseUrl: string;
  /** The base of stored results. Links open them, so it is under the scope of the service worker. */
  readonly resultsUrl: string;
  /** Whether the service has another origin than the service worker. */
  readonly isForeign: boolean;
}

function basesOf({ baseUrl: given }: ServeOptions, { location, registration }: ServiceWorkerGlobal): Bases {
  const url = urlOf(given ?? location.origin, location.href);
  const baseUrl = (url.origin + url.pathname).replace(/\/+$/, "");
  const isPlain =
    /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === "";
  if (isPlain && url.origin !== location.origin)
    return { baseUrl, resultsUrl: registration.scope.replace(/\/+$/, ""), isForeign: true };
  if (isPlain && `${baseUrl}/`.startsWith(registration.scope))
    return { baseUrl, resultsUrl: baseUrl, isForeign: false };
  throw wrongOption(
    "baseUrl",
    `an http or https URL without user, query and fragment. On this origin, it must be under ${registration.scope}, ` +
      "the scope of the service worker: a form that posts elsewhere uploads its file",
  );
}

function urlOf(url: string | URL, base: string): URL {
  if (URL.canParse(url, base)) return new URL(url, base);
  throw wrongOption("baseUrl", "a URL");
}

function lifetimeOf({ downloadLifetime = DEFAULT_LIFETIME_MS }: ServeOptions): number {
  if (downloadLifetime > 0 && Number.isFinite(downloadLifetime)) return downloadLifetime;
  throw wrongOption("downloadLifetime", "a number of milliseconds");
}
