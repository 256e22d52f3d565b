import { isOwn } from "../service/own-requests.ts";
import { servicePath } from "../service/path.ts";
import type { Methods } from "../service/request.ts";

/** The type of `fetch`. */
export type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/**
 * Returns a `fetch` that answers requests to the service on this device. It passes all others to the platform, unchanged.
 *
 * @param baseUrl the base of the service. Default: the origin of the page
 */
export function createFetch(methods: Methods, baseUrl: string | undefined, platformFetch: Fetch): Fetch {
  return async (...args) => {
    const [input, init] = args;
    const url = urlOf(input);
    const path = servicePath(url, baseUrl);
    if (path === undefined || isOwn(input)) return platformFetch(...args);
    // Copy the form at once, like the platform: the caller may change it for the next request. Do not put it into a body:
    // a body must be read into memory to get the files back.
    const form = init?.body instanceof FormData ? [...init.body] : undefined;
    const request = new Request(input, form ? { ...init, body: new Uint8Array() } : init);
    const { answer } = await import("./fetch-answer.ts");
    // Node forgets the signal of a request that it has collected. So both requests live as long as the call.
    return answer(methods, path, request, form).finally(() => [input, request]);
  };
}

/** Returns the URL of a request. Returns an empty string if the platform will refuse the request. */
function urlOf(input: RequestInfo | URL): string {
  if (typeof input === "object" && "url" in input) return input.url;
  try {
    return new Request(input).url;
  } catch (thrown) {
    if (thrown instanceof TypeError) return "";
    throw thrown;
  }
}
