// Headless Chromium has no share sheet. A form of another page stands for it: both send a POST that opens the app.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { DEMO, DEMO_WITH_SERVICE } from "../../scripts/built.mjs";
import { AppPage } from "../support/browsers/app-page.ts";
import { DemoHost } from "../support/browsers/demo-host.ts";
import { openWatched } from "../support/browsers/watched-page.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

let host: DemoHost;

beforeAll(async () => {
  host = await DemoHost.start();
});

afterAll(() => host.close());

/** Opens the app, and waits until its service worker answers for the server. */
async function openInstalled(): Promise<AppPage> {
  const watched = await openWatched(host.browser, host.urlOf("app"));
  onTestFinished(async () => {
    await watched.page.context().close();
    expect(watched.complaints).toEqual([]);
  });
  await watched.page.locator("#offline", { hasText: "Opens without a network, too" }).waitFor();
  return new AppPage(watched, host.folder);
}

/** Shares files with the app as the system does. */
async function share(page: Page, paths: readonly string[]): Promise<void> {
  await page.goto("about:blank");
  await page.setContent(
    `<form method="post" enctype="multipart/form-data" action="${host.urlOf("app")}shared">
      <input type="file" name="file" multiple><button>Share</button>
    </form>`,
  );
  await page.locator("input").setInputFiles([...paths]);
  await page.getByRole("button", { name: "Share" }).click();
  await page.waitForURL(host.urlOf("app"));
}

test("opens with the shared files, without a request to the server", async () => {
  const app = await openInstalled();
  const paths = ["first.pdf", "second.pdf"].map((name, index) =>
    app.write(name, makePdf({ pages: 2 + index })),
  );
  await share(app.page, paths);
  await app.row("first.pdf").getByText("2 pages").waitFor();
  await app.row("second.pdf").getByText("3 pages").waitFor();
  const others = host.log.filter((request) => !request.startsWith("GET "));
  expect(others).toEqual(["HEAD /app/stayput/sealed.html"]);
});

test("does not take the files again after a reload", async () => {
  const app = await openInstalled();
  await share(app.page, [app.write("first.pdf", makePdf({ pages: 2 }))]);
  await app.row("first.pdf").waitFor();
  await app.page.reload();
  await app.page.locator(".tile").first().waitFor();
  expect(await app.row("first.pdf").count()).toBe(0);
  expect(await app.page.getByRole("alert").count()).toBe(0);
});

test("says when the shared files are gone", async () => {
  const app = await openInstalled();
  await app.page.goto(`${host.urlOf("app")}?shared`);
  await app.page.getByRole("alert").getByText("could not be read").waitFor();
});

test("is offered in share sheets if the host of the app has chosen it", () => {
  const targetOf = (folder: string) =>
    ["manifest.webmanifest", "manifest.de.webmanifest"].map(
      (name) => JSON.parse(readFileSync(join(folder, name), "utf8")).share_target?.action,
    );
  expect(targetOf(DEMO)).toEqual([undefined, undefined]);
  expect(targetOf(DEMO_WITH_SERVICE)).toEqual(["./shared", "./shared"]);
});
