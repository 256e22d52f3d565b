import { afterEach, describe, expect, test, vi } from "vitest";
import { ServiceError } from "../../src/errors.ts";
import { PAST_SERVICE_WORKER } from "../../src/service/path.ts";
import { DownloadStore } from "../../src/service-worker/download-store.ts";
import { INTRODUCTION } from "../../src/service-worker/work.ts";
import { type ServeOptions, serve } from "../../src/service-worker.ts";
import { eventually } from "../eventually.ts";

const ORIGIN = "https://app.example";

/** What a service worker of that script and scope has. */
function standIn(scope: string, script = `${scope}sw.js`) {
  const listeners = new Map<string, (event: object) => void>();
  vi.stubGlobal("location", new URL(script, ORIGIN));
  vi.stubGlobal("registration", { scope: new URL(scope, ORIGIN).href });
  vi.stubGlobal("clients", { claim: async () => {}, get: async () => undefined });
  vi.stubGlobal("addEventListener", (type: string, listener: (event: object) => void) => {
    listeners.set(type, listener);
  });
  return {
    /** Whether a request is answered; what is not goes to the network. */
    answers(url: string, init: RequestInit = {}): boolean {
      const respondWith = vi.fn(async (response: Promise<Response>) => void (await response.catch(() => {})));
      listeners.get("fetch")?.({
        request: new Request(new URL(url, ORIGIN), init),
        clientId: "",
        respondWith,
      });
      return respondWith.mock.calls.length > 0;
    },
    listensTo: () => [...listeners.keys()],
    /** A page introduces itself. */
    async meets(): Promise<void> {
      const work: Promise<unknown>[] = [];
      const waitUntil = (one: Promise<unknown>) => void work.push(one);
      listeners.get("message")?.({ data: INTRODUCTION, source: { id: "1" }, ports: [], waitUntil });
      await Promise.all(work);
    },
  };
}

function refusal(options: ServeOptions): unknown {
  try {
    serve(options);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** A cache storage for so many bytes, and what is in it. */
function storage(quota = Infinity): ReadonlyMap<string, Response> {
  const stored = new Map<string, Response>();
  const sizes = new Map<string, number>();
  const cache = {
    put: async (url: string, response: Response) => {
      const { size } = await response.clone().blob();
      let usage = size;
      for (const other of stored.keys()) usage += sizes.get(other) ?? 0;
      if (usage > quota) throw new DOMException("no room", "QuotaExceededError");
      stored.set(url, response);
      sizes.set(url, size);
    },
    match: async (url: string) => stored.get(url)?.clone(),
    delete: async (key: Request | string) => stored.delete(typeof key === "string" ? key : key.url),
    keys: async () => [...stored.keys()].map((url) => new Request(url)),
  };
  vi.stubGlobal("caches", { open: async () => cache });
  return stored;
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("serve", () => {
  test("belongs in a service worker", () => {
    expect(() => serve()).toThrow("belongs in a service worker");
  });

  test.each<[scope: string, ServeOptions]>([
    ["/", {}],
    ["/", { baseUrl: undefined, downloadLifetime: undefined }],
    ["/", { baseUrl: ORIGIN }],
    ["/", { baseUrl: `${ORIGIN}:443/pdf/` }],
    ["/", { baseUrl: "pdf" }],
    ["/tools/", { baseUrl: "." }],
    ["/tools/", { baseUrl: "/tools" }],
    ["/tools/", { baseUrl: new URL(`${ORIGIN}/tools/pdf`) }],
    ["/", { downloadLifetime: 1 }],
  ])("with the scope %s takes %j", (scope, options) => {
    const worker = standIn(scope);
    serve(options);
    expect(worker.listensTo()).toEqual(["fetch", "message"]);
  });

  test.each<[scope: string, ServeOptions, parameter: string]>([
    ["/", { baseUrl: "https://service.example" }, "baseUrl"],
    ["/", { baseUrl: "//service.example" }, "baseUrl"],
    ["/", { baseUrl: "http://app.example" }, "baseUrl"],
    ["/", { baseUrl: `${ORIGIN}:8443` }, "baseUrl"],
    ["/", { baseUrl: `${ORIGIN}.evil.example` }, "baseUrl"],
    ["/", { baseUrl: "?a=b" }, "baseUrl"],
    ["/", { baseUrl: "#a" }, "baseUrl"],
    ["/", { baseUrl: "https://" }, "baseUrl"],
    // Forms that post outside of the scope go to the network.
    ["/tools/", {}, "baseUrl"],
    ["/tools/", { baseUrl: ".." }, "baseUrl"],
    ["/tools/", { baseUrl: "/toolshed" }, "baseUrl"],
    ["/", { downloadLifetime: 0 }, "downloadLifetime"],
    ["/", { downloadLifetime: Number.NaN }, "downloadLifetime"],
    ["/", { downloadLifetime: Number.POSITIVE_INFINITY }, "downloadLifetime"],
  ])("with the scope %s throws on %j, and answers nothing", (scope, options, parameter) => {
    const worker = standIn(scope);
    const error = refusal(options);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: "invalid_parameter", details: { parameter } });
    expect(worker.listensTo()).toEqual([]);
  });
});

describe("what is answered", () => {
  const post = { method: "POST" };

  test("without a base: the four paths, and downloads that are here", () => {
    const worker = standIn("/");
    serve();
    for (const operation of ["convert", "protect-pdf", "unlock-pdf", "split-pdf"]) {
      expect(worker.answers(`/api/${operation}`, post)).toBe(true);
      expect(worker.answers(`/api/${operation}?a=b`)).toBe(true);
    }
    expect(worker.answers("/download/here-0-1/a.pdf", { method: "POST" })).toBe(true);
    for (const path of ["/", "/api/", "/api/users", "/v1/api/convert", "/download/a.pdf"]) {
      expect(worker.answers(path, post), path).toBe(false);
    }
    expect(worker.answers("https://service.example/api/convert", post)).toBe(false);
  });

  test("not what a client sends to a remote service of this origin", () => {
    const worker = standIn("/");
    serve({ baseUrl: "/" });
    const sent = { method: "POST", headers: { [PAST_SERVICE_WORKER]: "1" } };
    expect(worker.answers("/api/convert", sent)).toBe(false);
    expect(worker.answers("/download/1/a.pdf", { headers: sent.headers })).toBe(false);
  });

  test("with a base: all that is under its /api/", () => {
    const worker = standIn("/");
    serve({ baseUrl: "/pdf" });
    expect(worker.answers("/pdf/api/convert", post)).toBe(true);
    expect(worker.answers("/pdf/api/anything")).toBe(true);
    expect(worker.answers("/api/convert", post)).toBe(false);
    expect(worker.answers("/pdf/index.html")).toBe(false);
    expect(worker.answers("https://service.example/pdf/api/convert", post)).toBe(false);
  });
});

describe("a file whose time is over is removed", () => {
  const HOUR = 3_600_000;
  const will = new Blob(["decrypted"]);
  const clock = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });

  test("when the service worker starts", async () => {
    clock();
    const stored = storage();
    await new DownloadStore(ORIGIN, HOUR).add(will, "unlocked-will.pdf");
    await new DownloadStore(`${ORIGIN}/earlier`, HOUR).add(will, "unlocked-will.pdf");
    vi.setSystemTime(Date.now() + HOUR / 2);
    await new DownloadStore(ORIGIN, HOUR).add(will, "later.pdf");
    expect(stored.size).toBe(3);
    vi.setSystemTime(Date.now() + HOUR / 2);
    standIn("/");
    serve();
    await eventually(() => expect([...stored.keys()].join()).toMatch(/^[^,]*later\.pdf$/));
  });

  test("when a page introduces itself", async () => {
    clock();
    const stored = storage();
    const worker = standIn("/");
    serve();
    await new DownloadStore(ORIGIN, HOUR).add(will, "unlocked-will.pdf");
    vi.setSystemTime(Date.now() + HOUR - 1);
    await worker.meets();
    expect(stored.size).toBe(1);
    vi.setSystemTime(Date.now() + 1);
    await worker.meets();
    expect(stored.size).toBe(0);
  });

  test("while the service worker lives, each in its time", async () => {
    clock();
    const stored = storage();
    const store = new DownloadStore(ORIGIN, HOUR);
    await store.add(will, "first.pdf");
    await vi.advanceTimersByTimeAsync(HOUR / 2);
    await store.add(will, "second.pdf");
    await vi.advanceTimersByTimeAsync(HOUR / 2 - 1);
    expect(stored.size).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect([...stored.keys()].join()).toMatch(/^[^,]*second\.pdf$/);
    await vi.advanceTimersByTimeAsync(HOUR / 2);
    expect(stored.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("not before, however long it is", async () => {
    clock();
    const stored = storage();
    const year = 365 * 24 * HOUR;
    await new DownloadStore(ORIGIN, year + 0.5).add(will, "unlocked-will.pdf");
    await vi.advanceTimersByTimeAsync(year - HOUR);
    expect(stored.size).toBe(1);
    await vi.advanceTimersByTimeAsync(2 * HOUR);
    expect(stored.size).toBe(0);
  });
});

describe("where there is no room", () => {
  const HOUR = 3_600_000;
  /** A cache storage that takes so many bytes, and three files of 100 bytes in it. */
  async function full(quota: number) {
    const stored = storage(quota);
    const store = new DownloadStore(ORIGIN, HOUR);
    for (const name of ["1.pdf", "2.pdf", "3.pdf"]) await store.add(blobOf(100), name);
    const names = () => [...stored.keys()].map((url) => url.replace(/.*\//, ""));
    return { store, names };
  }
  const blobOf = (bytes: number) => new Blob(["x".repeat(bytes)]);
  const noRoom = { code: "out_of_memory" };

  test.each([
    [350, 50, ["1.pdf", "2.pdf", "3.pdf", "new.pdf"]],
    [350, 51, ["2.pdf", "3.pdf", "new.pdf"]],
    [300, 200, ["3.pdf", "new.pdf"]],
    [300, 300, ["new.pdf"]],
    [350, 350, ["new.pdf"]],
  ])("as many of the oldest go as a file needs: of %i bytes %i", async (quota, size, left) => {
    const { store, names } = await full(quota);
    await store.add(blobOf(size), "new.pdf");
    expect(names()).toEqual(left);
  });

  test.each([
    [300, 301],
    [350, 351],
    [350, 5000],
  ])("for a file even without them, they stay: of %i bytes %i", async (quota, size) => {
    const { store, names } = await full(quota);
    await expect(store.add(blobOf(size), "new.pdf")).rejects.toMatchObject(noRoom);
    expect(names()).toEqual(["1.pdf", "2.pdf", "3.pdf"]);
  });

  test.each([
    ["at its end", { slice: () => new Blob([]) }],
    ["in the middle", {}],
  ])("a file that cannot be read %s takes none", async (_, own) => {
    const { store, names } = await full(300);
    const stream = () =>
      new ReadableStream({
        pull: (controller) => controller.error(new DOMException("changed", "NotReadableError")),
      });
    const lost = Object.assign(blobOf(100), { stream }, own);
    await expect(store.add(lost, "new.pdf")).rejects.toMatchObject(noRoom);
    expect(names()).toEqual(["1.pdf", "2.pdf", "3.pdf"]);
  });
});

test("a service worker that may not store anything starts all the same", async () => {
  const open = vi.fn(() => Promise.reject(new DOMException("not here", "SecurityError")));
  vi.stubGlobal("caches", { open });
  const worker = standIn("/");
  serve();
  await worker.meets();
  expect(open).toHaveBeenCalledTimes(2);
});
