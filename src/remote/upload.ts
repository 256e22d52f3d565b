import { cancelBody } from "../shared/failure.ts";
import { supportsStreams } from "../shared/request-streams.ts";

/** Gets the progress of an upload. */
export interface Upload {
  /** @param bytes how many bytes of the form were sent. The form is a little longer than its file */
  sent(bytes: number): void;
  /** The whole form was sent. */
  done(): void;
}

/** By origin: whether the server accepts a body of unknown length. */
const acceptsStreams = new Map<string, boolean>();

/**
 * Returns a fetch that adds the form to a request without a body. Each try gets a body of its own, when it is sent: ky
 * cancels a body that is not sent, for example without a key. Node 24 (undici 7.29) has an unhandled rejection then.
 *
 * @param upload gets the progress if the platform can report it. For that, the form is sent as a stream. Firefox and
 *   Safari do not support that, and Chromium does over HTTP/2 only. If it fails, the form is sent as a whole
 */
export function fetchWithForm(transport: typeof fetch, form: FormData, upload?: Upload): typeof fetch {
  return async (input, init) => {
    const request = input instanceof Request ? copyOf(input, init) : new Request(input, init);
    request.signal.throwIfAborted();
    const sendWhole = () => transport(copyOf(request, { body: form }));
    const { origin, protocol } = new URL(request.url);
    // Browsers use HTTP/2 over TLS only.
    const isStreamed = protocol === "https:" && acceptsStreams.get(origin) !== false && supportsStreams();
    if (upload === undefined || !isStreamed) return sendWhole();
    try {
      const response = await transport(streamed(request, form, upload));
      // These are the answers of servers that need the length, or that did not read a body without one.
      const needsLength = [400, 411, 501].includes(response.status) && !acceptsStreams.has(origin);
      if (!needsLength) {
        if (response.ok) acceptsStreams.set(origin, true);
        return response;
      }
      cancelBody(response.body);
    } catch (thrown) {
      if (request.signal.aborted) throw thrown;
    }
    acceptsStreams.set(origin, false);
    return sendWhole();
  };
}

function streamed(request: Request, form: FormData, { sent, done }: Upload): Request {
  const { body, headers } = new Response(form);
  const streamHeaders = new Headers(request.headers);
  streamHeaders.set("Content-Type", headers.get("Content-Type") ?? "");
  const init: RequestInit & { duplex: "half" } = {
    headers: streamHeaders,
    body: body?.pipeThrough(counting(sent, done)) ?? null,
    duplex: "half",
  };
  return copyOf(request, init);
}

/**
 * Returns a copy of a request with its policy of the referrer. A copy that changes anything loses the policy
 * (Fetch, 5.4). In Node 24, so does any copy.
 */
function copyOf(request: Request, init: RequestInit = {}): Request {
  return new Request(request, { referrerPolicy: request.referrerPolicy, ...init });
}

/** Passes bytes on and calls `onBytes` with the number of bytes so far. An error of `onBytes` fails both ends. */
export function counting(
  onBytes: (bytes: number) => void,
  done: () => void = () => {},
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      onBytes(bytes);
      controller.enqueue(chunk);
    },
    flush: done,
  });
}
