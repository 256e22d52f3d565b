import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { chromiumLaunch } from "../../scripts/machine.mjs";
import type { ServeOptions } from "../../src/service-worker.ts";
import { type StrictServer, serveStrictly } from "../support/browsers/strict-server.ts";
import { launchChromium } from "../support/browsers/watched-page.ts";
import { ROOT } from "../support/build.ts";
import { eventually } from "../support/eventually.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { announceMissing } from "../support/native-tools.ts";

const NO_WITNESSES = announceMissing("service worker", ["unzip"]).length > 0;

const FORM = `<form action="/api/split-pdf" method="post" enctype="multipart/form-data">
  <input type="file" name="file"><input name="pages" value="1,last"><button>Split</button>
</form>`;

/** A page that works for the service worker. */
const WORKING = `import { createClient } from "/vendor/stayput/index.js";
  await navigator.serviceWorker.register("/sw.js", { type: "module" });
  globalThis.client = createClient();
  await client.answerServiceWorker();
  document.title = "ready";`;

/** A page whose client takes the work and never ends it. */
const STUCK = WORKING.replace(
  "createClient()",
  'createClient({ createWorker: () => { document.title = "busy"; return new Worker("/deaf.js"); } })',
);

/** A page of the app that does no work. */
const IDLE = 'await navigator.serviceWorker.ready; document.title = "ready";';

const pageWith = (script: string) =>
  `<!doctype html><title>…</title>${FORM}<script type="module" src="${script}"></script>`;
const serving = (options: ServeOptions) =>
  `import { serve } from "/vendor/stayput/service-worker.js"; serve(${JSON.stringify(options)});`;

let browser: Browser;
let server: StrictServer;
let origin: string;
let folder: string;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "stayput-service-worker-"));
  browser = await launchChromium();
  server = await serveStrictly({
    "/vendor/stayput/": { folder: `${ROOT}dist` },
    "/index.html": { text: pageWith("/working.js") },
    "/working.js": { text: WORKING },
    "/stuck.html": { text: pageWith("/stuck.js") },
    "/stuck.js": { text: STUCK },
    "/deaf.js": { text: "// Hears, and never answers." },
    "/idle.html": { text: pageWith("/idle.js") },
    "/idle.js": { text: IDLE },
    "/empty.html": { text: "<!doctype html><title>Empty</title>" },
    "/sw.js": { text: serving({}) },
    "/brief/index.html": { text: pageWith("/brief/working.js") },
    "/brief/working.js": { text: WORKING.replace("/sw.js", "/brief/sw.js") },
    "/brief/sw.js": { text: serving({ baseUrl: ".", downloadLifetime: 1 }) },
    "/elsewhere.js": { text: serving({ baseUrl: "https://service.example" }) },
  });
  origin = `http://127.0.0.1:${server.port}`;
});

afterAll(async () => {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});

describe("a request", () => {
  test("gets the service's answer without the network", async () => {
    const { page, context } = await open("/");
    const requests: string[] = [];
    context.on("request", (request) => {
      if (request.serviceWorker() !== null) requests.push(request.url());
    });
    const before = server.log.length;
    expect(await split(page)).toEqual({
      status: 200,
      type: "application/json",
      url: `${origin}/api/split-pdf`,
      body: {
        success: true,
        download_url: expect.stringMatching(
          /^http:\/\/127\.0\.0\.1:\d+\/download\/here-[0-9a-z]+-[0-9a-z]+-[0-9a-f-]{36}\/split-Pr%C3%BCfbericht%20\(1\)\.zip$/,
        ),
        file_name: "split-Prüfbericht (1).zip",
      },
    });
    expect(server.log.slice(before).filter((line) => !line.includes("/vendor/stayput/"))).toEqual([]);
    expect(requests).toEqual([]);
  });

  test("that fails gets its status and error", async () => {
    const { page } = await open("/");
    const answers = [
      await post(page, "/api/split-pdf", { pages: "1,9" }),
      await post(page, "/api/unlock-pdf", { password: "a" }),
      await post(page, "/api/protect-pdf", {}),
      await post(page, "/api/convert", { output_format: "docx" }),
    ];
    expect(answers.map(({ status, body }) => [status, body.success, body.error.code])).toEqual([
      [400, false, "invalid_page_selection"],
      [422, false, "not_encrypted"],
      [400, false, "missing_parameter"],
      [501, false, "remote_not_configured"],
    ]);
    expect(answers[0]?.body.error.details).toEqual({ position: 2, page_count: 3 });
    expect(await get(page, "/api/convert")).toMatchObject({
      status: 405,
      headers: { allow: "POST, OPTIONS" },
    });
  });

  test("of the app itself is not answered", async () => {
    const { page } = await open("/");
    const before = server.log.length;
    expect((await get(page, "/api/users")).status).toBe(404);
    expect((await get(page, "/download/report.pdf")).status).toBe(404);
    expect(server.log.slice(before)).toEqual(["GET /api/users", "GET /download/report.pdf"]);
  });

  test("of a page without a client is processed by another page", async () => {
    const { context } = await open("/");
    const idle = await openIn(context, "/idle.html");
    expect((await split(idle)).status).toBe(200);
  });

  test("without a page returns 503, also after the client is closed", async () => {
    const { context, page } = await open("/");
    const idle = await openIn(context, "/idle.html");
    await page.evaluate(() => globalThis.client.close());
    expect(await split(idle)).toMatchObject({
      status: 503,
      body: { success: false, error: { code: "offline", message: expect.stringContaining("Open the app") } },
    });
    await page.close();
    expect((await split(idle)).status).toBe(503);
  });

  test("is processed again by another page when its page is closed", async () => {
    const { context, page } = await open("/stuck.html");
    const idle = await openIn(context, "/idle.html");
    const answer = split(idle);
    await page.waitForFunction(() => document.title === "busy");
    await openIn(context, "/");
    await page.close();
    expect((await answer).status).toBe(200);
  });
});

test("a page in the back/forward cache processes nothing until it is back", async () => {
  const { args, ...launch } = chromiumLaunch();
  // Playwright's own choice is to have no such history.
  const ignoreDefaultArgs = ["--disable-back-forward-cache"];
  const historic = await chromium.launch({ ...launch, args, ignoreDefaultArgs });
  const context = await historic.newContext();
  const page = await openIn(context, "/");
  await page.evaluate(() => {
    addEventListener("pageshow", ({ persisted }) => {
      document.title = persisted ? "back" : "loaded anew";
    });
  });
  const idle = await openIn(context, "/idle.html");
  await page.goto(`${origin}/empty.html`);
  expect((await split(idle)).status).toBe(503);
  // No load event tells of a page that was there all the time.
  await page.evaluate(() => history.back());
  await page.waitForFunction(() => document.title === "back");
  await page.waitForFunction(async () => (await navigator.locks.query()).held?.length === 1);
  expect((await split(idle)).status).toBe(200);
  await historic.close();
});

describe("a form that navigates the only page", () => {
  test.skipIf(NO_WITNESSES)("shows the answer with a download link", async () => {
    const { page } = await open("/");
    await submit(page);
    const { download_url, file_name } = JSON.parse(String(await page.textContent("body")));
    expect(file_name).toBe("split-Prüfbericht (1).zip");

    const later = await openIn(page.context(), "/");
    await later.evaluate((href) => {
      const link = Object.assign(document.createElement("a"), { href, textContent: "Download" });
      document.body.append(link);
    }, download_url);
    const [download] = await Promise.all([later.waitForEvent("download"), later.click("text=Download")]);
    expect(download.suggestedFilename()).toBe(file_name);
    const path = join(folder, "split.zip");
    await download.saveAs(path);
    expect(execFileSync("unzip", ["-Z1", path], { encoding: "utf8" }).trim().split("\n")).toEqual([
      "Prüfbericht (1)-1.pdf",
      "Prüfbericht (1)-3.pdf",
    ]);
  });

  test("shows the error as JSON", async () => {
    const { page } = await open("/");
    await page.fill("[name=pages]", "9");
    await submit(page);
    expect(JSON.parse(String(await page.textContent("body")))).toMatchObject({
      success: false,
      error: { code: "invalid_page_selection" },
    });
  });
});

describe("a download", () => {
  test("has the headers of a file, completely and for ranges", async () => {
    const { page } = await open("/");
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
    const { page } = await open("/brief/");
    const base = `${origin}/brief`;
    const { status, body } = await post(page, `${base}/api/split-pdf`, { pages: "1" });
    expect([status, body.download_url.startsWith(`${base}/download/here-`)]).toEqual([200, true]);
    const before = server.log.length;
    const gone = await get(page, body.download_url);
    expect([gone.status, gone.headers["content-type"]]).toEqual([404, "application/json"]);
    expect(JSON.parse(String.fromCharCode(...gone.bytes))).toMatchObject({ error: { code: "not_found" } });
    expect(server.log.slice(before)).toEqual([]);
    // With a base of its own, the service answers for all that is under it.
    expect((await get(page, `${base}/api/users`)).status).toBe(404);
    expect(server.log.slice(before)).toEqual([]);
  });

  test("that has expired is deleted from the device", async () => {
    const { page } = await open("/brief/");
    const { status } = await post(page, `${origin}/brief/api/split-pdf`, { pages: "1" });
    expect(status).toBe(200);
    const stored = () =>
      page.evaluate(async () => (await (await caches.open("stayput-downloads")).keys()).length);
    await eventually(async () => expect(await stored()).toBe(0));
  });

  test("and running work survive a stop of the service worker", async () => {
    const { page } = await open("/");
    const first = await split(page);
    await stopServiceWorkers(page);
    expect((await get(page, first.body.download_url)).status).toBe(200);
    await stopServiceWorkers(page);
    expect((await split(page)).status).toBe(200);
  });

  test("deletes the oldest results for space, and returns 507 when the result is too large", async () => {
    const { page, context } = await open("/");
    const devtools = await context.newCDPSession(page);
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

test("a service worker for another origin does not start", async () => {
  const { page } = await open("/empty.html");
  const outcome = await page.evaluate(() =>
    navigator.serviceWorker.register("/elsewhere.js", { type: "module" }).then(
      () => "registered",
      (error) => error.name,
    ),
  );
  expect(outcome).toBe("TypeError");
});

/** A profile of its own, with a page in it. */
async function open(path: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ acceptDownloads: true });
  contexts.push(context);
  return { context, page: await openIn(context, path) };
}

async function openIn(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(origin + path);
  if (path !== "/empty.html") await page.waitForFunction(() => document.title === "ready");
  return page;
}

/** Chooses a file in the page's form and sends it. */
async function submit(page: Page): Promise<void> {
  const buffer = Buffer.from(makePdf({ pages: 3 }));
  await page.setInputFiles("[name=file]", {
    name: "Prüfbericht (1).pdf",
    mimeType: "application/pdf",
    buffer,
  });
  await Promise.all([page.waitForURL("**/api/split-pdf"), page.click("button")]);
}

/** Posts a form from the page, and gives the answer. */
function post(
  page: Page,
  path: string,
  fields: Readonly<Record<string, string>>,
  content: Uint8Array = makePdf({ pages: 3 }),
) {
  return page.evaluate(
    async ({ path, fields, content }) => {
      const form = new FormData();
      form.append("file", new File([Uint8Array.from(content)], "Prüfbericht (1).pdf"));
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      const response = await fetch(path, { method: "POST", body: form });
      const type = response.headers.get("content-type");
      return { status: response.status, type, url: response.url, body: await response.json() };
    },
    { path, fields, content: [...content] },
  );
}

function split(page: Page) {
  return post(page, "/api/split-pdf", { pages: "1,last" });
}

/** What a URL answers to the page. */
function get(
  page: Page,
  url: string,
  init: { readonly method?: string; readonly headers?: Record<string, string> } = {},
) {
  return page.evaluate(
    async ({ url, init }) => {
      const response = await fetch(url, init);
      const bytes = [...new Uint8Array(await response.arrayBuffer())];
      const headers: Record<string, string> = Object.fromEntries(response.headers);
      return { status: response.status, headers, bytes };
    },
    { url, init },
  );
}

/** Stops them as the browser does when they are idle. */
async function stopServiceWorkers(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("ServiceWorker.enable");
  await devtools.send("ServiceWorker.stopAllWorkers");
  await devtools.detach();
}
