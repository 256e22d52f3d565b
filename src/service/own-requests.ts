/** Requests that clients send to the remote service. */
const own = new WeakSet<object>();
let transportsCalled = 0;

/**
 * Sends a request of a client through a transport. The transport of an app may call `client.fetch`, which may also
 * replace the global `fetch`. Then {@link isOwn} lets the request pass, and any request that the transport makes of it
 * before it awaits something.
 */
export function sendOwn(
  transport: typeof fetch,
  ...[input, init]: Parameters<typeof fetch>
): ReturnType<typeof fetch> {
  if (typeof input === "object") own.add(input);
  transportsCalled++;
  try {
    return transport(input, init);
  } finally {
    transportsCalled--;
  }
}

/** Returns whether a client sent this request to the remote service. */
export function isOwn(input: RequestInfo | URL): boolean {
  return transportsCalled > 0 || (typeof input === "object" && own.has(input));
}
