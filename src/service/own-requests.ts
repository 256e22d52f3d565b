/** What clients themselves send to the remote service. */
const own = new WeakSet<object>();
let transportsCalled = 0;

/**
 * Has a transport send what a client sends itself. An app's may go through `client.fetch`, which may stand in the place
 * of the platform's: it lets pass what it is handed on, and what is made anew before the transport waits for anything.
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

/** Whether a request is a client's own. */
export function isOwn(input: RequestInfo | URL): boolean {
  return transportsCalled > 0 || (typeof input === "object" && own.has(input));
}
