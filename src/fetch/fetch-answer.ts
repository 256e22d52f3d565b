import { abortable } from "../abortable.ts";
import type { FormEntries, Methods } from "../http/request.ts";
import { respond } from "../http/response.ts";

/**
 * Answers a request to the service on this device. Rejects with the reason of the signal when aborted, like `fetch`.
 *
 * @param path the path under the base of the service
 * @param form the entries of the form. Default: those in the body of the request
 */
export async function answer(
  methods: Methods,
  path: string,
  request: Request,
  form: FormEntries | undefined,
): Promise<Response> {
  const { signal, url } = request;
  signal.throwIfAborted();
  const response = respond(
    request,
    path,
    ({ operation, params, apiKey }) => {
      signal.throwIfAborted();
      return methods[operation](params, { signal, apiKey });
    },
    form,
  );
  // The signal ends the work, but not the reading of the body, which may never end.
  return withUrl(url, await abortable(response, [signal]));
}

/** Adds `url` and `type` to a response. Responses that a page makes have none. */
export function withUrl(url: string, response: Response): Response {
  const clone = response.clone.bind(response);
  return Object.defineProperties(response, {
    url: { value: url.split("#", 1)[0] },
    type: { value: new URL(url).origin === globalThis.location?.origin ? "basic" : "cors" },
    clone: { value: () => withUrl(url, clone()) },
  });
}
