import { abortable } from "../abortable.ts";
import type { Methods } from "../service/methods.ts";
import type { FormEntries } from "../service/request.ts";
import { respond } from "../service/response.ts";

/**
 * Answers a request to the service on this device. Rejects as `fetch` does: with the signal's reason when aborted.
 *
 * @param path under the service's base
 * @param form the request's form, where it has not been made a body
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
  // A body that never ends is never read: the work itself ends by the signal, but not the reading.
  return from(url, await abortable(response, [signal]));
}

/** A response that says where it came from, which those that a page makes do not. */
function from(url: string, response: Response): Response {
  const clone = response.clone.bind(response);
  return Object.defineProperties(response, {
    url: { value: url.split("#", 1)[0] },
    type: { value: new URL(url).origin === globalThis.location?.origin ? "basic" : "cors" },
    clone: { value: () => from(url, clone()) },
  });
}
