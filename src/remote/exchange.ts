import ky, { HTTPError, type Options } from "ky";
import { PAST_SERVICE_WORKER } from "../http/path.ts";
import { ServiceError } from "../shared/errors.ts";
import { isStored, unreadableFile } from "../shared/read-blob.ts";
import { failureOf } from "./answers.ts";
import { retries } from "./retries.ts";
import type { Secrets } from "./secrets.ts";

/** Sends a request, again if that may help. Returns the answer if it is a success. */
export type Exchange = (url: URL | string, options: Options) => Promise<Response>;

/** The circumstances of all requests of a call. */
export interface ExchangeOptions {
  /** The origin of the service. Requests to other origins carry no key. */
  readonly service: string;
  readonly secrets: Secrets;
  /** The file of the call. If the service does not answer, the reason may be that the file is unreadable. */
  readonly file: Blob;
  readonly transport: typeof fetch;
  readonly signal: AbortSignal;
  /** Returns how many milliseconds are left for the call. */
  timeLeft(): number;
}

/**
 * Returns the function that sends the requests of a call.
 *
 * @throws {ServiceError} the function throws the error of the service, or the reason why it did not answer
 */
export function exchanger({
  service,
  secrets,
  file,
  transport,
  signal,
  timeLeft,
}: ExchangeOptions): Exchange {
  const authorize = async (request: Request) => {
    if (new URL(request.url).origin !== service) return;
    if (service === globalThis.location?.origin) request.headers.set(PAST_SERVICE_WORKER, "1");
    await secrets.authorize(request);
  };
  return async (url, options) => {
    const response = await ky(pastServiceWorker(url), {
      timeout: false,
      // A redirect would send the file to another place. With "error", a redirect looks like a network failure, which is
      // retried.
      redirect: "manual",
      cache: "no-store",
      // The request has the key and the file, but no cookie, no client certificate and no stored password.
      credentials: "omit",
      // The URL of a page may name a document or a user.
      referrerPolicy: "no-referrer",
      signal,
      retry: retries(timeLeft),
      hooks: { beforeRequest: [(request) => authorize(request)] },
      fetch: transport,
      ...options,
    }).catch(async (thrown: unknown) => {
      if (thrown instanceof ServiceError) throw thrown;
      throw thrown instanceof HTTPError
        ? await failureOf(thrown.response, secrets)
        : await unreachable(service, file);
    });
    // A transport that the app provides may follow redirects despite `redirect: "manual"`.
    if (response.redirected) throw await failureOf(response, secrets);
    return response;
  };
}

/** Marks a URL of another origin for the service worker that controls this page, if one does. */
function pastServiceWorker(given: URL | string): URL {
  const url = new URL(given);
  const isControlled = Boolean(globalThis.navigator?.serviceWorker?.controller);
  if (isControlled && url.origin !== globalThis.location.origin) url.hash = PAST_SERVICE_WORKER;
  return url;
}

/** Returns the error for a request without an answer. Browsers do not give pages the reason. */
async function unreachable(service: string, file: Blob): Promise<ServiceError> {
  if (globalThis.navigator?.onLine === false)
    return new ServiceError(
      "offline",
      "This conversion needs the remote service, but the device is offline. Connect and try again.",
    );
  if (!(await isStored(file))) return unreadableFile();
  return new ServiceError(
    "remote_failed",
    `${service} did not answer. It may be down, or it does not allow this page to call it (CORS). Try again later.`,
  );
}
