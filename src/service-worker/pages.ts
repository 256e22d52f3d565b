import type { ServiceCall } from "../http/request.ts";
import { ServiceError } from "../shared/errors.ts";
import type { PageClient, ServiceWorkerGlobal } from "./global.ts";
import { type Reply, type Task, workingClient } from "./work.ts";

interface WorkingPage {
  readonly lock: string;
  readonly id: string;
  readonly client: PageClient;
}

/**
 * Runs a call in a working page of the app: in the page that sent the request if it is one, otherwise in another. If
 * that page is closed or left during the call, the next page starts the call again.
 *
 * @param sender the id of the client that sent the request
 * @throws {ServiceError} the error of the call; `offline` if there is no page
 */
export async function askPage(
  scope: ServiceWorkerGlobal,
  call: ServiceCall,
  sender: string,
): Promise<Exclude<Reply, { kind: "error" | "closed" }>> {
  const tried = new Set<string>();
  for (;;) {
    const pages = await workingPages(scope);
    const untried = pages.filter(({ lock }) => !tried.has(lock));
    const page = untried.find(({ client }) => client.id === sender) ?? untried[0];
    if (page === undefined) {
      throw new ServiceError(
        "offline",
        "An open page of this app does the work, but no page is open. Open the app and try again.",
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

/**
 * Returns the reply of a page. A page that is left counts as closed. The call continues if the sender aborts its request,
 * because no browser reports that to the service worker.
 */
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
