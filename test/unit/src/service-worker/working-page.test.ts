import { describe, expect, test, vi } from "vitest";
import { INTRODUCTION, type Reply, workingClient } from "../../../../src/service-worker/work.ts";
import { eventually } from "../../../support/eventually.ts";
import { docx, KEY, newClient, service, useService, working } from "../../../support/remote-calls.ts";

const SCOPE = "https://app.example/";

/** The page's side of a service worker, as far as a page that works needs it. */
class StandInContainer extends EventTarget {
  readonly ready = Promise.resolve({
    scope: SCOPE,
    active: { postMessage: (_: unknown, [port]: MessagePort[]) => port?.postMessage("client-1") },
  });
  startMessages(): void {}
}

/** Has a client work, and gives what hands it a task. */
async function workOf(apiKey: string | undefined) {
  const container = new StandInContainer();
  let lock = "";
  const request = async (name: string, held: () => unknown) => {
    lock = name;
    return held();
  };
  vi.stubGlobal("navigator", { onLine: true, serviceWorker: container, locks: { request } });
  vi.stubGlobal("addEventListener", () => {});
  await newClient({ apiKey }).answerServiceWorker();
  return (requestKey: string | undefined): Promise<Reply> => {
    const params = { file: docx, output_format: "pdf" };
    const call = { operation: "convert", params, ...(requestKey !== undefined && { apiKey: requestKey }) };
    const { port1, port2 } = new MessageChannel();
    const reply = new Promise<Reply>((resolve) => {
      port1.onmessage = ({ data }) => resolve(data);
    });
    const data = { id: workingClient(lock, SCOPE)?.id, call };
    container.dispatchEvent(new MessageEvent("message", { data, ports: [port2] }));
    return reply;
  };
}

useService();

describe("the key for the remote service in a task of the service worker", () => {
  test.each([
    [KEY, "session-of-the-app", KEY],
    [KEY, undefined, KEY],
    [undefined, KEY, KEY],
    [undefined, undefined, undefined],
  ])("for the key %j of the client and %j of the request is %j", async (ownKey, requestKey, shown) => {
    working();
    const task = await workOf(ownKey);
    expect((await task(requestKey)).kind).toBe("file");
    const keys = service.requests.map(({ headers }) => headers.authorization);
    expect(keys).toEqual(Array(2).fill(shown && `Bearer ${shown}`));
  });
});

describe("a client that is closed", () => {
  /** A client whose page has a service worker that never answers, if any, and what that is told. */
  function waiting(isThere: boolean) {
    const container = new StandInContainer();
    const told: unknown[] = [];
    const active = { postMessage: (message: unknown) => told.push(message) };
    const ready = isThere ? Promise.resolve({ scope: SCOPE, active }) : new Promise<never>(() => {});
    vi.stubGlobal("navigator", { onLine: true, serviceWorker: Object.assign(container, { ready }) });
    return { client: newClient(), container, told };
  }

  test("stops waiting for a service worker that never starts", async () => {
    const { client } = waiting(false);
    const work = client.answerServiceWorker();
    client.close();
    await expect(work).rejects.toMatchObject({ code: "client_closed" });
  });

  test("stops waiting for one that never answers, and asks no later one", async () => {
    const { client, container, told } = waiting(true);
    const work = client.answerServiceWorker();
    await eventually(() => expect(told).toEqual([INTRODUCTION]));
    container.dispatchEvent(new Event("controllerchange"));
    await eventually(() => expect(told).toEqual([INTRODUCTION, INTRODUCTION]));
    client.close();
    await expect(work).rejects.toMatchObject({ code: "client_closed" });
    container.dispatchEvent(new Event("controllerchange"));
    await new Promise((later) => setImmediate(later));
    expect(told).toHaveLength(2);
  });

  test("asks no service worker", async () => {
    const { client, told } = waiting(true);
    client.close();
    await expect(client.answerServiceWorker()).rejects.toMatchObject({ code: "client_closed" });
    expect(told).toEqual([]);
  });
});

describe("clearDownloads of a client", () => {
  test("works when the client is closed", async () => {
    const deleted = vi.fn(async () => true);
    vi.stubGlobal("caches", { delete: deleted });
    const client = newClient();
    client.close();
    await client.clearDownloads();
    expect(deleted).toHaveBeenCalledOnce();
  });
});

test("formToken is internal_error where there are no service workers", async () => {
  vi.stubGlobal("navigator", { onLine: true });
  await expect(newClient().formToken()).rejects.toMatchObject({ code: "internal_error" });
});
