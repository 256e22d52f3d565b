import { isOwn } from "../http/own-requests.ts";
import { servicePath } from "../http/path.ts";
import type { Methods } from "../http/request.ts";
import { forbiddenUpload, isRequest, type UploadRules } from "./uploads.ts";

/** The type of `fetch`. */
export type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/**
 * Returns a `fetch` that answers requests to the service on this device. It passes all others to the platform, unchanged,
 * unless the rules forbid their upload: then it answers with `remote_refused` or `remote_not_configured`.
 *
 * @param rules have the base of the service. Default: the origin of the page
 */
export function createFetch(methods: Methods, rules: UploadRules, platformFetch: Fetch): Fetch {
  return async (...args) => {
    const [input, init] = args;
    // A client that sends no file has no requests of its own. Those of other clients follow its rules.
    if (rules.remote !== "never" && isOwn(input)) return platformFetch(...args);
    const url = urlOf(input);
    const path = servicePath(url, rules.baseUrl);
    if (path === undefined) {
      const upload = forbiddenUpload(url, input, init, rules);
      if (upload === undefined) return platformFetch(...args);
      const { refuseUpload } = await import("./refuse-upload.ts");
      return (await refuseUpload(upload, rules, input, init)) ?? platformFetch(...args);
    }
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
  if (isRequest(input)) return input.url;
  try {
    return new Request(input).url;
  } catch (thrown) {
    if (thrown instanceof TypeError) return "";
    throw thrown;
  }
}
