import { execFileSync } from "node:child_process";
import { chromium, type Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { chromiumLaunch } from "../../scripts/machine.mjs";
import { app, get, split, useServiceWorkerApp } from "../support/browsers/service-worker-app.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";

const NO_WITNESSES = announceMissing("service worker", ["unzip"]).length > 0;

const scratch = new Scratch();
afterAll(() => scratch.remove());

useServiceWorkerApp();

describe("a request", () => {
  test("gets the service's answer without the network", async () => {
    const { page, context } = await app.open("/");
    const requests: string[] = [];
    context.on("request", (request) => {
      if (request.serviceWorker() !== null) requests.push(request.url());
    });
    const before = app.server.log.length;
    expect(await split(page)).toEqual({
      status: 200,
      type: "application/json",
      url: `${app.origin}/api/split-pdf`,
      body: {
        success: true,
        download_url: expect.stringMatching(
          /^http:\/\/127\.0\.0\.1:\d+\/download\/here-[0-9a-z]+-[0-9a-z]+-[0-9a-f-]{36}\/split-Pr%C3%BCfbericht%20\(1\)\.zip$/,
        ),
        file_name: "split-Prüfbericht (1).zip",
      },
    });
    expect(app.server.log.slice(before).filter((line) => !line.includes("/vendor/stayput/"))).toEqual([]);
    expect(requests).toEqual([]);
  });

  test("of the app itself is not answered", async () => {
    const { page } = await app.open("/");
    const before = app.server.log.length;
    expect((await get(page, "/api/users")).status).toBe(404);
    expect((await get(page, "/download/report.pdf")).status).toBe(404);
    expect(app.server.log.slice(before)).toEqual(["GET /api/users", "GET /download/report.pdf"]);
  });

  test("of a page without a client is processed by another page", async () => {
    const { context } = await app.open("/");
    const idle = await app.openIn(context, "/idle.html");
    expect((await split(idle)).status).toBe(200);
  });

  test("without a page returns 503, also after the client is closed", async () => {
    const { context, page } = await app.open("/");
    const idle = await app.openIn(context, "/idle.html");
    await page.evaluate(() => globalThis.client.close());
    expect(await split(idle)).toMatchObject({
      status: 503,
      body: { success: false, error: { code: "offline", message: expect.stringContaining("Open the app") } },
    });
    await page.close();
    expect((await split(idle)).status).toBe(503);
  });

  test("is processed again by another page when its page is closed", async () => {
    const { context, page } = await app.open("/stuck.html");
    const idle = await app.openIn(context, "/idle.html");
    const answer = split(idle);
    await page.waitForFunction(() => document.title === "busy");
    await app.openIn(context, "/");
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
  const page = await app.openIn(context, "/");
  await page.evaluate(() => {
    addEventListener("pageshow", ({ persisted }) => {
      document.title = persisted ? "back" : "loaded anew";
    });
  });
  const idle = await app.openIn(context, "/idle.html");
  await page.goto(`${app.origin}/empty.html`);
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
    const { page } = await app.open("/");
    await submit(page);
    const { download_url, file_name } = JSON.parse(String(await page.textContent("body")));
    expect(file_name).toBe("split-Prüfbericht (1).zip");

    const later = await app.openIn(page.context(), "/");
    await later.evaluate((href) => {
      const link = Object.assign(document.createElement("a"), { href, textContent: "Download" });
      document.body.append(link);
    }, download_url);
    const [download] = await Promise.all([later.waitForEvent("download"), later.click("text=Download")]);
    expect(download.suggestedFilename()).toBe(file_name);
    const path = scratch.path("split.zip");
    await download.saveAs(path);
    expect(execFileSync("unzip", ["-Z1", path], { encoding: "utf8" }).trim().split("\n")).toEqual([
      "Prüfbericht (1)-1.pdf",
      "Prüfbericht (1)-3.pdf",
    ]);
  });

  test("shows the error as JSON", async () => {
    const { page } = await app.open("/");
    await page.fill("[name=pages]", "9");
    await submit(page);
    expect(JSON.parse(String(await page.textContent("body")))).toMatchObject({
      success: false,
      error: { code: "invalid_page_selection" },
    });
  });
});

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
