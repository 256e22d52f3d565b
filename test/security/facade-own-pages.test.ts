import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { announceBrowser } from "../support/browsers/browser-session.ts";
import { startChromium } from "../support/browsers/chromium.ts";
import type { DrivenBrowser, DrivenPage, Shown } from "../support/browsers/driven-browser.ts";
import { startFirefox } from "../support/browsers/firefox.ts";
import { launchChromium } from "../support/browsers/launched-chromium.ts";
import { startWebKit } from "../support/browsers/webkit.ts";
import { eventually } from "../support/eventually.ts";
import { docx } from "../support/fixtures/office/documents.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { type FormPlan, serveTwoSites, type TwoSites } from "./two-sites.ts";

// The promise: the service worker works only for pages of its own origin. A request from another site causes
// no work, no storage and no remote call.

const PDF = [...makePdf({ pages: 3 })];
const DOCX = [...docx(["Of the attacker"])];

/** Firefox shows JSON in a viewer, which is a separate page. */
const PLAIN_JSON = { "devtools.jsonview.enabled": false };

let sites: TwoSites;
beforeAll(async () => {
  sites = await serveTwoSites();
});
afterAll(() => sites.close());

interface Attack {
  readonly title: string;
  /** The path of the page on the other site. */
  readonly from?: string;
  readonly plan: (sites: TwoSites) => FormPlan;
}

const convert = ({ app }: TwoSites): FormPlan => ({
  action: `${app}/api/convert`,
  fields: { output_format: "pdf" },
  content: DOCX,
});
const split = ({ app }: TwoSites): FormPlan => ({
  action: `${app}/api/split-pdf`,
  fields: { pages: "1" },
  content: PDF,
});

const ATTACKS: readonly Attack[] = [
  { title: "an office document", plan: convert },
  { title: "a PDF", plan: split },
  { title: "a form with rel=noreferrer", plan: (s) => ({ ...split(s), rel: "noreferrer" }) },
  { title: "a form of a page with no-referrer", from: "/quiet.html", plan: convert },
  { title: "a form of a sandboxed frame", plan: (s) => ({ ...convert(s), isSandboxed: true }) },
  {
    title: "a form of a sandboxed frame without a referrer",
    from: "/quiet.html",
    plan: (s) => ({ ...split(s), isSandboxed: true }),
  },
  {
    title: "a guessed token",
    from: "/quiet.html",
    plan: (s) => ({ ...split(s), action: `${s.app}/api/split-pdf?stayput_token=${"0".repeat(32)}` }),
  },
];

const STARTS = { chromium: startChromium, firefox: () => startFirefox(PLAIN_JSON), webkit: startWebKit };

describe.each(["chromium", "firefox"] as const)("in %s", (name) => {
  describe.skipIf(!announceBrowser(name, "the service worker's own pages"))("another site", () => {
    let browser: DrivenBrowser;
    let app: DrivenPage;
    beforeAll(async () => {
      browser = await STARTS[name]();
      app = await browser.open(`${sites.app}/`);
      for (let count = 0; count < 2; count++)
        expect(await app.call("split", PDF)).toMatchObject({ status: 200 });
    });
    afterAll(() => browser.close());

    /** Returns the results, the tasks and the sent requests of the app. */
    const state = async () => ({
      stored: await app.call<string[]>("stored", null),
      tasks: await app.call("tasks", null),
      remote: [...sites.remoteLog],
      server: sites.appLog.filter((line) => /api|download/.test(line)),
    });

    test.each(ATTACKS)("gets 403 for $title and causes no work", async ({ from = "/", plan }) => {
      const before = await state();
      expect(before).toMatchObject({ tasks: 2, remote: [], server: [] });
      expect(before.stored).toHaveLength(2);
      const evil = await browser.open(sites.evil + from);
      await evil.call("navigate", plan(sites));
      expect(await answerOn(evil)).toEqual([403, "forbidden"]);
      expect(await state()).toEqual(before);
      await evil.close();
    });

    test("cannot use the token of a page", async () => {
      const before = await state();
      const token = await app.call<string>("formToken", null);
      const evil = await browser.open(`${sites.evil}/`);
      const action = `${sites.app}/api/split-pdf?stayput_token=${token}`;
      await evil.call("navigate", { ...split(sites), action });
      expect(await answerOn(evil)).toEqual([403, "forbidden"]);
      expect(await state()).toEqual(before);
      await evil.close();
    });

    test("cannot open a result by a link", async () => {
      const before = await state();
      const evil = await browser.open(`${sites.evil}/`);
      await evil.call("go", before.stored[0]);
      expect(await answerOn(evil)).toEqual([403, "forbidden"]);
      expect(await state()).toEqual(before);
      await evil.close();
    });
  });
});

describe.skipIf(!announceBrowser("firefox", "the service worker's own pages"))("in firefox alone", () => {
  test("another site gets 403 when the browser sends the request's own URL as the referrer", async () => {
    const browser = await startFirefox({ ...PLAIN_JSON, "network.http.referer.spoofSource": true });
    try {
      const app = await browser.open(`${sites.app}/`);
      const evil = await browser.open(`${sites.evil}/`);
      await evil.call("navigate", convert(sites));
      expect(await answerOn(evil)).toEqual([403, "forbidden"]);
      expect([await app.call("tasks", null), sites.remoteLog]).toEqual([0, []]);
    } finally {
      await browser.close();
    }
  });
});

describe.each(["chromium", "firefox", "webkit"] as const)("in %s", (name) => {
  describe.skipIf(!announceBrowser(name, "the service worker's own pages"))("the app itself", () => {
    let browser: DrivenBrowser;
    let page: DrivenPage;
    beforeAll(async () => {
      browser = await STARTS[name]();
    });
    afterAll(() => browser.close());
    afterEach(() => page.close());

    test("gets an answer to a form when the page sends its referrer", async () => {
      page = await browser.open(`${sites.app}/`);
      await page.call("navigate", split(sites));
      expect(await isAllowed(page)).toBe(true);
    });

    test("gets an answer to a form with a token when the page sends no referrer", async () => {
      page = await browser.open(`${sites.app}/quiet.html`);
      const token = await page.call<string>("formToken", null);
      await page.call("navigate", {
        ...split(sites),
        action: `${sites.app}/api/split-pdf?stayput_token=${token}`,
      });
      expect(await isAllowed(page)).toBe(true);
    });

    test("gets forbidden for a form without a token when the page sends no referrer", async () => {
      page = await browser.open(`${sites.app}/quiet.html`);
      await page.call("navigate", split(sites));
      expect(await isAllowed(page)).toBe(false);
    });

    test("refuses another site in the same tab", async () => {
      page = await browser.open(`${sites.app}/`);
      await page.call("go", `${sites.evil}/`);
      await eventually(async () => expect((await page.shown()).url).toBe(`${sites.evil}/`));
      await page.call("navigate", convert(sites));
      expect(await isAllowed(page)).toBe(false);
    });

    /** WebKit reports no status. Its service workers get other bytes of a file than the page sent. */
    const isAllowed = async (page: DrivenPage) => {
      const [status, code] = await answerOn(page);
      if (name === "webkit") return code !== "forbidden";
      expect([200, 403]).toContain(status);
      return status === 200;
    };
  });
});

describe.skipIf(!announceBrowser("chromium", "the service worker's own pages"))("in chromium alone", () => {
  let context: BrowserContext;
  let app: Page;
  beforeAll(async () => {
    const browser = await launchChromium();
    context = await browser.newContext();
    app = await ready(`${sites.app}/`);
  });
  afterAll(() => context.browser()?.close());

  const ready = async (url: string) => {
    const page = await context.newPage();
    await page.goto(url);
    await page.waitForFunction(() => document.title === "ready");
    return page;
  };
  const call = (page: Page, name: string, argument: unknown): Promise<unknown> =>
    page.evaluate(({ name, argument }) => Reflect.get(window, name)(argument), { name, argument });
  const send = async (page: Page, plan: FormPlan) => {
    const [response] = await Promise.all([
      page.waitForResponse((one) => one.url().includes("/api/")),
      call(page, "navigate", plan),
    ]);
    return response;
  };

  test("another site evicts no result when storage is full", async () => {
    await call(app, "split", PDF);
    await call(app, "split", PDF);
    const devtools = await context.newCDPSession(app);
    const { usage } = await devtools.send("Storage.getUsageAndQuota", { origin: sites.app });
    await devtools.send("Storage.overrideQuotaForOrigin", { origin: sites.app, quotaSize: usage + 1000 });
    const before = await call(app, "stored", null);
    const evil = await ready(`${sites.evil}/`);
    const response = await send(evil, split(sites));
    expect(await call(app, "stored", null)).toEqual(before);
    expect(response.status()).toBe(403);
    await devtools.send("Storage.overrideQuotaForOrigin", { origin: sites.app });
  });

  test("another site gets 403 again after a reload and through a redirect", async () => {
    const evil = await ready(`${sites.evil}/`);
    expect((await send(evil, convert(sites))).status()).toBe(403);
    await evil.waitForURL("**/api/convert");
    expect((await evil.reload())?.status()).toBe(403);
    const through = await ready(`${sites.evil}/`);
    const response = await send(through, { ...convert(sites), action: `${sites.evil}/through` });
    expect([response.url(), response.status()]).toEqual([`${sites.app}/api/convert`, 403]);
    expect(sites.remoteLog).toEqual([]);
  });

  test("a token survives a stop of the service worker and ends with its page", async () => {
    const holder = await ready(`${sites.app}/quiet.html`);
    const token = await call(holder, "formToken", null);
    const action = `${sites.app}/api/split-pdf?stayput_token=${token}`;
    const devtools = await context.newCDPSession(app);
    await devtools.send("ServiceWorker.enable");
    await devtools.send("ServiceWorker.stopAllWorkers");
    const sender = await ready(`${sites.app}/quiet.html`);
    expect((await send(sender, { ...split(sites), action })).status()).toBe(200);
    await holder.close();
    const late = await ready(`${sites.app}/quiet.html`);
    expect((await send(late, { ...split(sites), action })).status()).toBe(403);
  });
});

/** Returns the status of the service worker's answer that a page shows, and the error code, if any. */
async function answerOn(page: DrivenPage): Promise<readonly [number, string | undefined]> {
  let shown: Shown | undefined;
  await eventually(async () => {
    shown = await page.shown();
    expect(shown.url).toMatch(/\/(api|download)\//);
    expect(shown.text).toContain("success");
  });
  const { error } = JSON.parse(shown?.text ?? "");
  return [shown?.status ?? 0, error?.code];
}
