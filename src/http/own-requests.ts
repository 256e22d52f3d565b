/** Requests that clients send to the remote service. */
const own = new WeakSet<object>();
let transportsCalled = 0;

/**
 * Sends a request of a client to the remote service through a transport.
 *
 * The transport of an app may call `client.fetch`, directly or as the global `fetch`. {@link isOwn} then recognizes the
 * request, so that `client.fetch` sends it to the network. It also recognizes a request that the transport makes from it
 * before its first `await`.
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
