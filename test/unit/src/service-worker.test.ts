import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { PAST_SERVICE_WORKER } from "../../../src/http/path.ts";
import { DownloadStore } from "../../../src/service-worker/download-store.ts";
import { clearDownloads, type ServeOptions, serve } from "../../../src/service-worker.ts";
import { eventually } from "../../support/eventually.ts";
import { refusal } from "../../support/refusal.ts";
import { add, ORIGIN, standIn, storage } from "../../support/service-worker-scope.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("serve", () => {
  test("runs in a service worker only", () => {
    expect(() => serve()).toThrow("runs in a service worker only");
  });

  test.each<[scope: string, ServeOptions]>([
    ["/", {}],
    ["/", { baseUrl: ORIGIN }],
    ["/", { baseUrl: `${ORIGIN}:443/pdf/` }],
    ["/", { baseUrl: "pdf" }],
    ["/tools/", { baseUrl: "." }],
    ["/tools/", { baseUrl: "/tools" }],
    ["/tools/", { baseUrl: new URL(`${ORIGIN}/tools/pdf`) }],
    // Another origin.
    ["/", { baseUrl: "https://service.example" }],
    ["/tools/", { baseUrl: "//service.example/pdf/" }],
    ["/", { baseUrl: `${ORIGIN}:8443` }],
    ["/", { downloadLifetime: 1 }],
  ])("with the scope %s accepts %j", (scope, options) => {
    const worker = standIn(scope);
    serve(options);
    expect(worker.listensTo()).toEqual(["fetch", "message"]);
  });

  test.each<[scope: string, ServeOptions, parameter: string]>([
    ["/", { baseUrl: "?a=b" }, "baseUrl"],
    ["/", { baseUrl: "#a" }, "baseUrl"],
    ["/", { baseUrl: "https://" }, "baseUrl"],
    ["/", { baseUrl: "https://user@service.example" }, "baseUrl"],
    ["/", { baseUrl: "https://service.example/?a=b" }, "baseUrl"],
    ["/", { baseUrl: "ftp://service.example" }, "baseUrl"],
    ["/", { baseUrl: "data:,a" }, "baseUrl"],
    // Forms that post outside of the scope go to the network.
    ["/tools/", {}, "baseUrl"],
    ["/tools/", { baseUrl: ".." }, "baseUrl"],
    ["/tools/", { baseUrl: "/toolshed" }, "baseUrl"],
    ["/", { downloadLifetime: 0 }, "downloadLifetime"],
    ["/", { downloadLifeTime: 60_000 } as ServeOptions, "downloadLifeTime"],
    ["/", { downloadLifetime: Number.POSITIVE_INFINITY }, "downloadLifetime"],
  ])("with the scope %s throws on %j, and answers nothing", (scope, options, parameter) => {
    const worker = standIn(scope);
    expect(() => serve(options)).toThrow(refusal("invalid_parameter", { parameter }));
    expect(worker.listensTo()).toEqual([]);
  });
});

describe("serve answers", () => {
  const post = { method: "POST" };

  test("the paths of the operations and stored downloads without a base", () => {
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

  test("no request of a client to a remote service of this origin", () => {
    const worker = standIn("/");
    serve({ baseUrl: "/" });
    const sent = { method: "POST", headers: { [PAST_SERVICE_WORKER]: "1" } };
    expect(worker.answers("/api/convert", sent)).toBe(false);
    expect(worker.answers("/download/1/a.pdf", { headers: sent.headers })).toBe(false);
  });

  test("all paths under /api/ of a base", () => {
    const worker = standIn("/");
    serve({ baseUrl: "/pdf" });
    expect(worker.answers("/pdf/api/convert", post)).toBe(true);
    expect(worker.answers("/pdf/api/anything")).toBe(true);
    expect(worker.answers("/api/convert", post)).toBe(false);
    expect(worker.answers("/pdf/index.html")).toBe(false);
    expect(worker.answers("https://service.example/pdf/api/convert", post)).toBe(false);
  });
});

describe("serve with the base of another origin", () => {
  const post = { method: "POST" };

  test("answers all paths under its /api/, and results under its own scope", () => {
    const worker = standIn("/tools/");
    serve({ baseUrl: "https://service.example/pdf" });
    expect(worker.answers("https://service.example/pdf/api/convert", post)).toBe(true);
    expect(worker.answers("https://service.example/pdf/API/convert/", post)).toBe(true);
    expect(worker.answers("/tools/download/here-0-1/a.pdf")).toBe(true);
    for (const url of ["https://service.example/api/convert", "https://other.example/pdf/api/convert"])
      expect(worker.answers(url, post), url).toBe(false);
    for (const path of ["/api/convert", "/pdf/api/convert", "/download/here-0-1/a.pdf"])
      expect(worker.answers(path, post), path).toBe(false);
  });

  test("sends a request of a client to the network, by the fragment of its URL", () => {
    const worker = standIn("/");
    serve({ baseUrl: "https://service.example" });
    const url = `https://service.example/api/convert#${PAST_SERVICE_WORKER}`;
    expect(worker.answers(url, post)).toBe(false);
    expect(worker.answers(`${url}?`, post)).toBe(true);
  });

  test("answers a request of this origin with that fragment", () => {
    const worker = standIn("/");
    serve();
    expect(worker.answers(`/api/convert#${PAST_SERVICE_WORKER}`, post)).toBe(true);
  });
});

const HOUR = 3_600_000;

describe("an expired file is deleted", () => {
  const will = new Blob(["decrypted"]);
  let stored: ReturnType<typeof storage>;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    stored = storage();
  });

  test("when the service worker starts", async () => {
    await add(new DownloadStore(ORIGIN, HOUR), will, "unlocked-will.pdf");
    await add(new DownloadStore(`${ORIGIN}/earlier`, HOUR), will, "unlocked-will.pdf");
    vi.setSystemTime(Date.now() + HOUR / 2);
    await add(new DownloadStore(ORIGIN, HOUR), will, "later.pdf");
    expect(stored.names()).toHaveLength(3);
    vi.setSystemTime(Date.now() + HOUR / 2);
    standIn("/");
    serve();
    await eventually(() => expect(stored.names()).toEqual(["later.pdf"]));
  });

  test("when a page introduces itself", async () => {
    const worker = standIn("/");
    serve();
    await add(new DownloadStore(ORIGIN, HOUR), will, "unlocked-will.pdf");
    vi.setSystemTime(Date.now() + HOUR - 1);
    await worker.meets();
    expect(stored.names()).toHaveLength(1);
    vi.setSystemTime(Date.now() + 1);
    await worker.meets();
    expect(stored.names()).toHaveLength(0);
  });

  test("while the service worker runs, each at its time", async () => {
    const store = new DownloadStore(ORIGIN, HOUR);
    await add(store, will, "first.pdf");
    await vi.advanceTimersByTimeAsync(HOUR / 2);
    await add(store, will, "second.pdf");
    await vi.advanceTimersByTimeAsync(HOUR / 2 - 1);
    expect(stored.names()).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(stored.names()).toEqual(["second.pdf"]);
    await vi.advanceTimersByTimeAsync(HOUR / 2);
    // The cache is deleted with its last file.
    expect(stored.caches.urls()).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("without its cache, when another result is about to be stored", async () => {
    const store = new DownloadStore(ORIGIN, HOUR);
    await store.storing(async (add) => {
      await store.removeExpired();
      expect(stored.caches.urls()).toEqual([]);
      await add(will, "unlocked-will.pdf");
    });
    expect(stored.names()).toEqual(["unlocked-will.pdf"]);
  });

  test("not before a very long lifetime ends", async () => {
    const year = 365 * 24 * HOUR;
    await add(new DownloadStore(ORIGIN, year + 0.5), will, "unlocked-will.pdf");
    await vi.advanceTimersByTimeAsync(year - HOUR);
    expect(stored.names()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2 * HOUR);
    expect(stored.names()).toHaveLength(0);
  });
});

describe("when the storage is full", () => {
  /** A cache storage that takes so many bytes, and three files of 100 bytes in it. */
  async function full(quota: number) {
    const { names } = storage(quota);
    const store = new DownloadStore(ORIGIN, HOUR);
    for (const name of ["1.pdf", "2.pdf", "3.pdf"]) await add(store, blobOf(100), name);
    return { store, names };
  }
  const blobOf = (bytes: number) => new Blob(["x".repeat(bytes)]);
  const noRoom = { code: "out_of_memory" };

  test.each([
    [350, 50, ["1.pdf", "2.pdf", "3.pdf", "new.pdf"]],
    [350, 51, ["2.pdf", "3.pdf", "new.pdf"]],
    [300, 200, ["3.pdf", "new.pdf"]],
    [350, 350, ["new.pdf"]],
  ])("the oldest files are deleted until a file fits: of %i bytes %i", async (quota, size, left) => {
    const { store, names } = await full(quota);
    await add(store, blobOf(size), "new.pdf");
    expect(names()).toEqual(left);
  });

  test.each([351, 5000])("no file is deleted for one that can never fit: of 350 bytes %i", async (size) => {
    const { store, names } = await full(350);
    await expect(add(store, blobOf(size), "new.pdf")).rejects.toMatchObject(noRoom);
    expect(names()).toEqual(["1.pdf", "2.pdf", "3.pdf"]);
  });

  test.each([
    ["at its end", { slice: () => new Blob([]) }],
    ["in the middle", {}],
  ])("a file that cannot be read %s deletes none", async (_, own) => {
    const { store, names } = await full(300);
    const stream = () =>
      new ReadableStream({
        pull: (controller) => controller.error(new DOMException("changed", "NotReadableError")),
      });
    const lost = Object.assign(blobOf(100), { stream }, own);
    await expect(add(store, lost, "new.pdf")).rejects.toMatchObject(noRoom);
    expect(names()).toEqual(["1.pdf", "2.pdf", "3.pdf"]);
  });
});

describe("clearDownloads", () => {
  test("rejects with internal_error when the browser refuses", async () => {
    vi.stubGlobal("caches", { delete: () => Promise.reject(new DOMException("not here", "SecurityError")) });
    await expect(clearDownloads()).rejects.toMatchObject({ code: "internal_error" });
  });

  test("does nothing without a storage", async () => {
    vi.stubGlobal("caches", undefined);
    await expect(clearDownloads()).resolves.toBeUndefined();
  });
});

test("serve starts where storage is forbidden", async () => {
  vi.stubGlobal("caches", { has: () => Promise.reject(new DOMException("not here", "SecurityError")) });
  const worker = standIn("/");
  serve();
  await expect(worker.meets()).resolves.toBeUndefined();
});
