import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { announceBrowser, startBrowser } from "../support/browsers/browser-session.ts";
import type { DrivenBrowser, DrivenPage } from "../support/browsers/driven-browser.ts";
import { launchChromium } from "../support/browsers/launched-chromium.ts";
import { eventually } from "../support/eventually.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { serveTwoSites, type TwoSites } from "./two-sites.ts";

// The promise: while the service worker runs, results stay on the device for at most 15 minutes. Expired
// results are deleted when it starts. A sign-out erases all results at once.

const PDF = [...makePdf({ pages: 3 })];
/** Its split takes longer than to delete a cache. */
const LONG_PDF = [...makePdf({ pages: 4_000 })];
const FIFTEEN_MINUTES_MS = 15 * 60_000;

let sites: TwoSites;
beforeAll(async () => {
  sites = await serveTwoSites();
});
afterAll(() => sites.close());

interface Result {
  readonly status: number;
  readonly download_url: string;
}

describe.each(["chromium", "firefox", "webkit"] as const)("in %s", (name) => {
  describe.skipIf(!announceBrowser(name, "stored results"))("stored results", () => {
    let browser: DrivenBrowser;
    let page: DrivenPage;
    beforeAll(async () => {
      browser = await startBrowser(name);
      page = await browser.open(`${sites.app}/`);
    });
    afterAll(() => browser.close());

    test("expire after 15 minutes", async () => {
      const earliest = Date.now() + FIFTEEN_MINUTES_MS;
      const { download_url } = await page.call<Result>("split", PDF);
      const latest = Date.now() + FIFTEEN_MINUTES_MS;
      const expires = Number.parseInt(/here-([0-9a-z]+)-/.exec(download_url)?.[1] ?? "", 36);
      expect(expires).toBeGreaterThanOrEqual(earliest);
      expect(expires).toBeLessThanOrEqual(latest);
    });

    test("have addresses with 122 random bits each (RFC 9562, version 4)", async () => {
      const idOf = async () => {
        const { download_url } = await page.call<Result>("split", PDF);
        const id = /-([\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12})\/[^/]*$/.exec(
          download_url,
        );
        return id?.[1];
      };
      const [one, other] = [await idOf(), await idOf()];
      expect(one).toBeDefined();
      expect(other).toBeDefined();
      expect(one).not.toBe(other);
    });

    test("are erased by client.clearDownloads() together with the client's own results", async () => {
      const { download_url } = await page.call<Result>("split", PDF);
      const blobUrl = await page.call<string>("splitHere", PDF);
      expect(await page.call("statusOf", blobUrl)).toBe(200);
      await page.call("clearDownloads", null);
      // WebKit's JSON has no undefined.
      expect((await page.call<unknown>("stored", null)) ?? null).toBeNull();
      expect(await page.call("statusOf", download_url)).toBe(404);
      await expect(page.call("statusOf", blobUrl)).rejects.toThrow(/Failed to fetch|NetworkError|TypeError/);
    });

    test("are erased by clearDownloads() of the service worker", async () => {
      await page.call("split", PDF);
      await page.call("signOut", null);
      expect((await page.call<unknown>("stored", null)) ?? null).toBeNull();
    });

    test("do not include the result of a request that clearDownloads() interrupts", async () => {
      expect(await page.call("clearWhileSplitting", LONG_PDF)).toMatchObject({
        status: 404,
        error: { code: "not_found" },
      });
      expect((await page.call<unknown>("stored", null)) ?? null).toBeNull();
      expect(await page.call("split", PDF)).toMatchObject({ status: 200 });
    });

    test("are erased by a sign-out with Clear-Site-Data", async () => {
      await page.call("split", PDF);
      expect(await page.call("stored", null)).not.toEqual([]);
      await page.call("signOutByServer", null);
      await eventually(async () => expect(await page.call("hasCache", null)).toBe(false));
      // WebKit keeps the service worker of an open page.
      const left = name === "webkit" ? [0, 1] : [0];
      await eventually(async () => expect(left).toContain(await page.call("registrations", null)));
    });
  });
});

describe.skipIf(!announceBrowser("chromium", "stored results"))("a service worker that starts", () => {
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    const browser = await launchChromium();
    context = await browser.newContext();
    page = await context.newPage();
    await page.goto(`${sites.app}/`);
    await page.waitForFunction(() => document.title === "ready");
  });
  afterAll(() => context.browser()?.close());

  const stored = () => page.evaluate(() => Reflect.get(window, "stored")(null));

  /** Stores a file like the service worker, with an expiry time. */
  const store = (expires: number) =>
    page.evaluate(async (time) => {
      const cache = await caches.open("stayput-downloads");
      await cache.put(`/download/here-${time}-1-${crypto.randomUUID()}/a.pdf`, new Response("x"));
    }, expires.toString(36));

  /** Stops the service worker, and starts it again with a request. */
  const restart = async () => {
    const devtools = await context.newCDPSession(page);
    await devtools.send("ServiceWorker.enable");
    await devtools.send("ServiceWorker.stopAllWorkers");
    await devtools.detach();
    await page.evaluate(() => fetch("/config.json"));
  };

  test("deletes expired results, and then the empty cache", async () => {
    await store(Date.now() - 1);
    await store(Date.now() + 1e6);
    await restart();
    await eventually(async () => expect(await stored()).toHaveLength(1));
    await page.evaluate(() => Reflect.get(window, "clearDownloads")(null));
    await store(Date.now() - 1);
    await restart();
    await eventually(async () =>
      expect(await page.evaluate(() => Reflect.get(window, "hasCache")())).toBe(false),
    );
  });
});
