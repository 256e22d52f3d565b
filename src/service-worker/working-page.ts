import type { Downloads } from "../downloads.ts";
import type { Methods } from "../http/request.ts";
import { ServiceError } from "../shared/errors.ts";
import { holdWhileShown, noServiceWorkers } from "./page-lock.ts";
import { INTRODUCTION, lockName, type Reply, type Task } from "./work.ts";

export { clearDownloads } from "./clear-downloads.ts";
export { formToken } from "./form-token.ts";

/**
 * Lets this page do the work for its service worker, until the client is closed.
 *
 * @param hasKey whether the client has a key. The key of a request is then ignored: it is meant for the origin of the app
 * @returns when the service worker controls the page. Never settles if there is no service worker
 * @throws {ServiceError} `internal_error` where service workers are unavailable. Rejects with `closing.reason` when
 *   `closing` aborts
 */
export async function answerServiceWorker(
  methods: Methods,
  downloads: Downloads,
  closing: AbortSignal,
  hasKey: boolean,
): Promise<void> {
  const container = globalThis.navigator?.serviceWorker;
  if (container === undefined) throw noServiceWorkers();
  const { scope } = await container.ready;
  const clientId = await introduce(container, closing);
  closing.throwIfAborted();
  const id = crypto.randomUUID();
  const listen = (event: MessageEvent) => {
    const [port] = event.ports;
    if (port !== undefined && isTask(event.data, id))
      void send(perform(event.data, methods, downloads, hasKey), port);
  };
  container.addEventListener("message", listen, { signal: closing });
  container.startMessages();
  await holdWhileShown(lockName(scope, { clientId, id }), closing);
}

/** Asks the service worker for the client id of this page. Asks again if another version of it takes over meanwhile. */
async function introduce(container: ServiceWorkerContainer, closing: AbortSignal): Promise<string> {
  for (;;) {
    closing.throwIfAborted();
    const { port1, port2 } = new MessageChannel();
    const over = new AbortController();
    const answer = await new Promise((resolve) => {
      port1.onmessage = ({ data }) => resolve(data);
      container.addEventListener("controllerchange", resolve, { signal: over.signal });
      closing.addEventListener("abort", resolve, { signal: over.signal });
      void container.ready.then(({ active }) => active?.postMessage(INTRODUCTION, [port2]));
    });
    over.abort();
    port1.close();
    if (typeof answer === "string") return answer;
  }
}

async function send(reply: Promise<Reply>, port: MessagePort): Promise<void> {
  port.postMessage(await reply);
  port.close();
}

async function perform(
  { call: { operation, params, apiKey } }: Task,
  methods: Methods,
  downloads: Downloads,
  hasKey: boolean,
): Promise<Reply> {
  try {
    const result = await methods[operation](params, hasKey ? {} : { apiKey });
    const file = downloads.take(result);
    return file ? { kind: "file", file, fileName: result.file_name } : { kind: "result", result };
  } catch (thrown) {
    // Another page does the work when the client of this one was closed.
    if (!(thrown instanceof ServiceError) || thrown.code === "client_closed") return { kind: "closed" };
    return { kind: "error", error: thrown.toWire() };
  }
}

function isTask(data: unknown, id: string): data is Task {
  return typeof data === "object" && data !== null && "id" in data && data.id === id && "call" in data;
}
