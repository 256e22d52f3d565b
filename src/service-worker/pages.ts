import type { ServiceCall } from "../service/request.ts";
import { ServiceError } from "../shared/errors.ts";
import type { PageClient, ServiceWorkerGlobal } from "./global.ts";
import { type Reply, type Task, workingClient } from "./work.ts";

interface WorkingPage {
  readonly lock: string;
  readonly id: string;
  readonly client: PageClient;
}

/**
 * Has one of the app's pages do a call: the one that asks when it can, else another. When it goes away meanwhile,
 * the next one starts again.
 *
 * @param asking the client that asks
 * @throws {ServiceError} what the call fails with, and `offline` when no page is there
 */
export async function askPage(
  scope: ServiceWorkerGlobal,
  call: ServiceCall,
  asking: string,
): Promise<Exclude<Reply, { kind: "error" | "closed" }>> {
  const tried = new Set<string>();
  for (;;) {
    const pages = await workingPages(scope);
    const untried = pages.filter(({ lock }) => !tried.has(lock));
    const page = untried.find(({ client }) => client.id === asking) ?? untried[0];
    if (page === undefined) {
      throw new ServiceError(
        "offline",
        "The work is done by an open page of this app, and there is none. Open the app and try again.",
      );
    }
    tried.add(page.lock);
    const reply = await ask(page, call);
    if (reply.kind === "error") throw ServiceError.fromWire(reply.error);
    if (reply.kind !== "closed") return reply;
  }
}

async function workingPages({ clients, registration }: ServiceWorkerGlobal): Promise<WorkingPage[]> {
  const { held = [] } = await navigator.locks.query();
  const pages: WorkingPage[] = [];
  for (const { name: lock = "" } of held) {
    const working = workingClient(lock, registration.scope);
    if (working === undefined) continue;
    const client = await clients.get(working.clientId);
    if (client !== undefined) pages.push({ lock, id: working.id, client });
  }
  return pages;
}

/** What a page replies; one that goes away has closed. No browser says when its own asker gives up. */
async function ask({ lock, id, client }: WorkingPage, call: ServiceCall): Promise<Reply> {
  const { port1, port2 } = new MessageChannel();
  const answered = new AbortController();
  try {
    return await new Promise((resolve, reject) => {
      port1.onmessage = ({ data }: MessageEvent<Reply>) => resolve(data);
      client.postMessage({ id, call } satisfies Task, [port2]);
      const gone = () => resolve({ kind: "closed" });
      navigator.locks.request(lock, { signal: answered.signal }, gone).catch(reject);
    });
  } finally {
    answered.abort();
    port1.close();
  }
}
