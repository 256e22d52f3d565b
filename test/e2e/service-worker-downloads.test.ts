import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { app, get, post, split, useServiceWorkerApp } from "../support/browsers/service-worker-app.ts";
import { eventually } from "../support/eventually.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

useServiceWorkerApp();

describe("a download", () => {
  test("has the headers of a file, completely and for ranges", async () => {
    const { page } = await app.open("/");
    const { body } = await split(page);
    const url = body.download_url;
    const whole = await get(page, url);
    const size = whole.bytes.length;
    expect(whole).toMatchObject({
      status: 200,
      headers: {
        "accept-ranges": "bytes",
        "content-disposition":
          "attachment; filename=\"split-Pr_fbericht (1).zip\"; filename*=UTF-8''split-Pr%C3%BCfbericht%20%281%29.zip",
        "content-length": String(size),
        "content-type": "application/zip",
        "x-content-type-options": "nosniff",
      },
    });
    expect(size).toBeGreaterThan(1000);

    const etag = whole.headers.etag ?? "";
    const part = (range: string, more = {}) => get(page, url, { headers: { range, ...more } });
    expect(await part("bytes=2-9")).toMatchObject({
      status: 206,
      headers: { "content-range": `bytes 2-9/${size}`, "content-length": "8", etag },
      bytes: whole.bytes.slice(2, 10),
    });
    expect((await part("bytes=-4")).bytes).toEqual(whole.bytes.slice(-4));
    expect(await part(`bytes=${size}-`)).toMatchObject({
      status: 416,
      headers: { "content-range": `bytes */${size}` },
      bytes: [],
    });
    expect((await part("bytes=2-9", { "if-range": etag })).status).toBe(206);
    expect((await part("bytes=2-9", { "if-range": '"other"' })).bytes).toEqual(whole.bytes);
    expect(await get(page, url, { method: "HEAD" })).toMatchObject({
      status: 200,
      headers: { "content-length": String(size) },
      bytes: [],
    });
    expect((await get(page, `${url}?again#top`)).bytes).toEqual(whole.bytes);
    expect(await get(page, url, { method: "DELETE" })).toMatchObject({
      status: 405,
      headers: { allow: "GET, HEAD" },
    });
  });

  test("that has expired returns 404 without a request to the server", async () => {
    const { page } = await app.open("/brief/");
    const base = `${app.origin}/brief`;
    const { status, body } = await post(page, `${base}/api/split-pdf`, { pages: "1" });
    expect([status, body.download_url.startsWith(`${base}/download/here-`)]).toEqual([200, true]);
    const before = app.server.log.length;
    const gone = await get(page, body.download_url);
    expect([gone.status, gone.headers["content-type"]]).toEqual([404, "application/json"]);
    expect(JSON.parse(String.fromCharCode(...gone.bytes))).toMatchObject({ error: { code: "not_found" } });
    expect(app.server.log.slice(before)).toEqual([]);
    // With a base of its own, the service answers for all that is under it.
    expect((await get(page, `${base}/api/users`)).status).toBe(404);
    expect(app.server.log.slice(before)).toEqual([]);
  });

  test("that has expired is deleted from the device", async () => {
    const { page } = await app.open("/brief/");
    const { status } = await post(page, `${app.origin}/brief/api/split-pdf`, { pages: "1" });
    expect(status).toBe(200);
    const stored = () =>
      page.evaluate(async () => (await (await caches.open("stayput-downloads")).keys()).length);
    await eventually(async () => expect(await stored()).toBe(0));
  });

  test("and running work survive a stop of the service worker", async () => {
    const { page } = await app.open("/");
    const first = await split(page);
    await stopServiceWorkers(page);
    expect((await get(page, first.body.download_url)).status).toBe(200);
    await stopServiceWorkers(page);
    expect((await split(page)).status).toBe(200);
  });

  test("deletes the oldest results for space, and returns 507 when the result is too large", async () => {
    const { page, context } = await app.open("/");
    const devtools = await context.newCDPSession(page);
    const { origin } = app;
    const { usage } = await devtools.send("Storage.getUsageAndQuota", { origin });
    const quota = (quotaSize: number) =>
      devtools.send("Storage.overrideQuotaForOrigin", { origin, quotaSize });
    const protect = (ballastPerPage: number) =>
      post(page, "/api/protect-pdf", { password: "key" }, makePdf({ pages: 1, ballastPerPage }));
    const protectLarge = () => protect(50_000);
    const noRoom = { status: 507, body: { error: { code: "out_of_memory" } } };
    const downloads: string[] = [];
    await quota(usage + 150_000);
    for (let count = 1; count <= 4; count++) {
      const { status, body } = await protectLarge();
      expect(status).toBe(200);
      downloads.push(body.download_url);
    }
    const statuses = await Promise.all(downloads.map(async (url) => (await get(page, url)).status));
    expect(statuses[0]).toBe(404);
    expect(statuses.at(-1)).toBe(200);

    expect(await protect(200_000)).toMatchObject(noRoom);
    const [last = ""] = downloads.slice(-1);
    expect((await get(page, last)).status).toBe(200);

    await quota(usage + 1000);
    expect(await protectLarge()).toMatchObject(noRoom);
  });
});

/** Stops service workers like the browser does when they are idle. */
async function stopServiceWorkers(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("ServiceWorker.enable");
  await devtools.send("ServiceWorker.stopAllWorkers");
  await devtools.detach();
}
