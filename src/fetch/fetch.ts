import type { Methods } from "../service/methods.ts";
import { isOwn } from "../service/own-requests.ts";
import { servicePath } from "../service/path.ts";

/** What `fetch` is, here and on the platform. */
export type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` that answers the service's requests on this device, and hands all others to the platform's untouched.
 *
 * @param baseUrl the service's; without one, the page's origin
 */
export function createFetch(methods: Methods, baseUrl: string | undefined, platformFetch: Fetch): Fetch {
  return async (...args) => {
    const [input, init] = args;
    const url = urlOf(input);
    const path = servicePath(url, baseUrl);
    if (path === undefined || isOwn(input)) return platformFetch(...args);
    // Taken at once, as the platform does: the caller may change its form for the next request. A form is not made
    // a body, which would have to be read into memory to get its files back.
    const form = init?.body instanceof FormData ? [...init.body] : undefined;
    const request = new Request(input, form ? { ...init, body: new Uint8Array() } : init);
    const { answer } = await import("./fetch-answer.ts");
    return answer(methods, path, request, form);
  };
}

/** Where a request would go; nothing that is a URL for what the platform's `fetch` will refuse. */
function urlOf(input: RequestInfo | URL): string {
  if (typeof input === "object" && "url" in input) return input.url;
  try {
    return new Request(input).url;
  } catch {
    return "";
  }
}
