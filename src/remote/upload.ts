/** Told how an upload goes. */
export interface Upload {
  /** So many bytes have been sent of all that the form becomes, a little more than its file has. */
  sent(bytes: number): void;
  /** All has been sent. */
  done(): void;
}

/** Servers that did not take a body of unknown length, or that nobody knows to take one yet. */
const takesStreams = new Map<string, boolean>();

/**
 * A fetch that tells how much of a form has been sent, where the platform and the server let it: the form goes
 * out as a stream, which Firefox and Safari do not know and Chromium sends over HTTP/2 only. Where that fails,
 * the form is sent as a whole.
 */
export function tellingFetch(whole: typeof fetch, form: FormData, upload: Upload): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { origin, protocol } = new URL(request.url);
    // Browsers speak HTTP/2 over TLS only.
    if (protocol !== "https:" || takesStreams.get(origin) === false || !knowsStreams()) return whole(request);
    try {
      const response = await whole(streamed(request, form, upload));
      // What servers say when they miss the length, or did not look for a body without one.
      const isMissed = [400, 411, 501].includes(response.status) && !takesStreams.has(origin);
      if (!isMissed) {
        if (response.ok) takesStreams.set(origin, true);
        return response;
      }
      response.body?.cancel().catch(() => {});
    } catch (thrown) {
      if (request.signal.aborted) throw thrown;
    }
    takesStreams.set(origin, false);
    return whole(request);
  };
}

function streamed(request: Request, form: FormData, { sent, done }: Upload): Request {
  const { body, headers } = new Response(form);
  const told = new Headers(request.headers);
  told.set("Content-Type", headers.get("Content-Type") ?? "");
  const init: RequestInit & { duplex: "half" } = {
    headers: told,
    body: body?.pipeThrough(counting(sent, done)) ?? null,
    duplex: "half",
  };
  return new Request(request, init);
}

/** Passes bytes on and calls `tell` with the number of bytes so far. An error of `tell` fails both ends. */
export function counting(
  tell: (bytes: number) => void,
  done: () => void = () => {},
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      tell(bytes);
      controller.enqueue(chunk);
    },
    flush: done,
  });
}

/** A platform that does not know streams as bodies turns them into text, and never asks for `duplex`. */
function knowsStreams(): boolean {
  let asksForDuplex = false;
  const init = {
    method: "POST",
    body: new ReadableStream(),
    get duplex() {
      asksForDuplex = true;
      return "half";
    },
  };
  try {
    return !new Request("https://empty.invalid", init).headers.has("Content-Type") && asksForDuplex;
  } catch {
    return false;
  }
}
