import { vi } from "vitest";
import type { DownloadStore } from "../../src/service-worker/download-store.ts";
import { INTRODUCTION } from "../../src/service-worker/work.ts";
import { TestCaches, TestLocks } from "./origin-storage.ts";

export const ORIGIN = "https://app.example";

/** A navigation to the service worker's origin. */
export interface Navigation {
  readonly url: string;
  /** Default POST. */
  readonly method?: string;
  readonly referrer: string;
}

/** Replaces Node's global by that of a service worker with this script and scope. */
export function standIn(scope: string, script = `${scope}sw.js`) {
  const listeners = new Map<string, (event: object) => void>();
  vi.stubGlobal("location", new URL(script, ORIGIN));
  vi.stubGlobal("registration", { scope: new URL(scope, ORIGIN).href });
  const get = vi.fn(async () => undefined);
  vi.stubGlobal("clients", { claim: async () => {}, get });
  vi.stubGlobal("addEventListener", (type: string, listener: (event: object) => void) => {
    listeners.set(type, listener);
  });

  const dispatch = (request: Request): Promise<Response> | undefined => {
    let answer: Promise<Response> | undefined;
    const respondWith = (response: Promise<Response>) => {
      answer = response;
    };
    listeners.get("fetch")?.({ request, clientId: "", respondWith });
    return answer;
  };

  return {
    /** The lookup of pages. A refused request must not cause it. */
    get,

    /** Whether the service worker answers a request. Other requests go to the network. */
    answers(url: string, init: RequestInit = {}): boolean {
      const answer = dispatch(new Request(new URL(url, ORIGIN), init));
      answer?.catch(() => {});
      return answer !== undefined;
    },

    /** Navigates and returns the response and whether the request's body was read. */
    async navigate({ url, method = "POST", referrer }: Navigation) {
      const body = method === "POST" ? formOf() : null;
      const request = new Request(new URL(url, ORIGIN), { method, body });
      Object.defineProperties(request, { mode: { value: "navigate" }, referrer: { value: referrer } });
      const response = await dispatch(request);
      return { response, isBodyRead: request.bodyUsed };
    },

    listensTo: () => [...listeners.keys()],

    /** Sends the introduction of a page. */
    async meets(): Promise<void> {
      const work: Promise<unknown>[] = [];
      const waitUntil = (one: Promise<unknown>) => void work.push(one);
      listeners.get("message")?.({ data: INTRODUCTION, source: { id: "1" }, ports: [], waitUntil });
      await Promise.all(work);
    },
  };
}

function formOf(): FormData {
  const form = new FormData();
  form.append("file", new File(["%PDF-1.7"], "a.pdf"));
  form.append("pages", "1");
  return form;
}

/** Installs the storage and the locks of an origin, with a quota in bytes. */
export function storage(quota = Infinity) {
  const caches = new TestCaches(quota);
  vi.stubGlobal("caches", caches);
  vi.stubGlobal("navigator", { locks: new TestLocks() });
  return {
    caches,
    /** The names of the stored files, oldest first. */
    names: () => (caches.urls() ?? []).map((url) => url.replace(/.*\//, "")),
  };
}

/** Stores a file like a request does. */
export function add(store: DownloadStore, file: Blob, fileName: string): Promise<string> {
  return store.storing((add) => add(file, fileName));
}
