import { afterEach, describe, expect, test, vi } from "vitest";
import { DownloadStore } from "../../../../src/service-worker/download-store.ts";
import { serve } from "../../../../src/service-worker.ts";
import { add, type Navigation, ORIGIN, standIn, storage } from "../../../support/service-worker-scope.ts";

const PATH = "/api/split-pdf";

afterEach(() => vi.unstubAllGlobals());

/** A service worker with one stored result. */
async function serving() {
  const stored = storage(100);
  const url = await add(new DownloadStore(ORIGIN, 1e6), new Blob(["x".repeat(90)]), "kept.pdf");
  const worker = standIn("/");
  serve();
  return { stored, worker, url };
}

/** Takes a token as a new page does. */
async function tokenOfPage(): Promise<string> {
  vi.stubGlobal("addEventListener", () => {});
  vi.resetModules();
  const { formToken } = await import("../../../../src/service-worker/form-token.ts");
  const token = await formToken();
  expect(token).toMatch(/^[0-9a-f]{32}$/);
  expect(await formToken()).toBe(token);
  return token;
}

describe("a navigation is forbidden", () => {
  test.each<[string, Navigation]>([
    ["of another site", { url: PATH, referrer: "https://evil.example/page" }],
    ["of another site that sends its origin only", { url: PATH, referrer: "https://evil.example/" }],
    ["of another port", { url: PATH, referrer: `${ORIGIN}:8443/` }],
    ["of another scheme", { url: PATH, referrer: "http://app.example/" }],
    ["of a subdomain", { url: PATH, referrer: "https://user.app.example/" }],
    ["of a name that begins as the app's", { url: PATH, referrer: `${ORIGIN}.evil.example/` }],
    ["of a native app", { url: PATH, referrer: "android-app://evil.example/" }],
    ["without a referrer", { url: PATH, referrer: "" }],
    ["with the client for its referrer", { url: PATH, referrer: "about:client" }],
    ["whose referrer is the request's own address", { url: PATH, referrer: ORIGIN + PATH }],
    ["with a token that no page holds", { url: `${PATH}?stayput_token=${"0".repeat(32)}`, referrer: "" }],
    ["with an empty token", { url: `${PATH}?stayput_token=`, referrer: "" }],
    ["by GET, without a referrer", { url: PATH, method: "GET", referrer: "" }],
  ])("%s", async (_, navigation) => {
    const { stored, worker } = await serving();
    const { response, isBodyRead } = await worker.navigate(navigation);
    expect(response?.status).toBe(403);
    expect(await response?.json()).toMatchObject({
      success: false,
      error: { code: "forbidden", details: {} },
    });
    expect(isBodyRead).toBe(false);
    expect(worker.get).not.toHaveBeenCalled();
    expect(stored.names()).toEqual(["kept.pdf"]);
  });

  test("of another site, even with a valid token", async () => {
    const { worker } = await serving();
    const token = await tokenOfPage();
    const url = `${PATH}?stayput_token=${token}`;
    const { response, isBodyRead } = await worker.navigate({ url, referrer: "https://evil.example/" });
    expect([response?.status, isBodyRead]).toEqual([403, false]);
  });

  test.each(["GET", "POST"])("by %s to a result from another site", async (method) => {
    const { worker, url } = await serving();
    const { response } = await worker.navigate({ url, method, referrer: "https://evil.example/" });
    expect(response?.status).toBe(403);
  });
});

describe("a navigation is answered", () => {
  test.each([
    ["of this origin", { url: PATH, referrer: `${ORIGIN}/tools/split.html` }],
    ["of this origin, which sends its origin only", { url: PATH, referrer: `${ORIGIN}/` }],
  ])("%s", async (_, navigation) => {
    const { worker } = await serving();
    const { response, isBodyRead } = await worker.navigate(navigation);
    // There is no page that works.
    expect([response?.status, isBodyRead]).toEqual([503, true]);
  });

  test("without a referrer, with the token of an open page", async () => {
    const { worker } = await serving();
    const url = `${PATH}?a=b&stayput_token=${await tokenOfPage()}`;
    expect((await worker.navigate({ url, referrer: "" })).response?.status).toBe(503);
  });

  test("to a result without a referrer", async () => {
    const { worker, url } = await serving();
    const { response } = await worker.navigate({ url, method: "GET", referrer: "" });
    expect([response?.status, (await response?.blob())?.size]).toEqual([200, 90]);
  });
});
