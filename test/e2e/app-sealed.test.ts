import { afterAll, beforeAll, expect, test } from "vitest";
import { AppPage } from "../support/browsers/app-page.ts";
import { DemoHost } from "../support/browsers/demo-host.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

let host: DemoHost;

beforeAll(async () => {
  host = await DemoHost.start();
});
afterAll(() => host.close());

/** Opens the app with a file. */
async function openWithFile(watched: Awaited<ReturnType<DemoHost["open"]>>): Promise<AppPage> {
  const app = new AppPage(watched, host.folder);
  app.write("report.pdf", makePdf({ pages: 3 }));
  await app.choose("report.pdf");
  await app.row("report.pdf").getByText("3 pages").waitFor();
  return app;
}

test("runs sealed, and says so with what was tried", async () => {
  const watched = await host.open();
  const { page } = watched;
  expect(await page.locator("#promise").textContent()).toBe("On this device");
  const app = await openWithFile(watched);
  const seal = page.getByRole("button", { name: "Sealed: the browser blocks all requests" });
  await seal.click();
  const dialog = page.getByRole("dialog", { name: "Sealed by your browser" });
  await dialog.getByText("XMLHttpRequest, WebSocket").waitFor();
  expect(await app.violations()).toEqual([]);
  await dialog.getByRole("button", { name: "Close" }).click();
  expect(await app.hasFocus(seal)).toBe(true);
  const frame = page.locator("iframe");
  expect(await frame.getAttribute("sandbox")).toBe("allow-scripts");
  expect(await frame.getAttribute("src")).toMatch(/\/stayput\/sealed\.html$/);
  await page.context().close();
  expect(watched.complaints).toEqual([]);
});

test("works where it cannot be sealed, and does not say that it is", async () => {
  const watched = await host.open();
  await watched.page.context().route("**/sealed.html", (route) => route.abort());
  await openWithFile(watched);
  expect(await watched.page.locator("#promise").textContent()).toBe("On this device");
  expect(await watched.page.locator("iframe").count()).toBe(0);
  await watched.page.context().close();
});

test("says that it seals the tab, and works without the seal when that takes too long", async () => {
  const watched = await host.open();
  const { page } = watched;
  // It is never answered.
  await page.context().route("**/sealed.html", () => {});
  const app = new AppPage(watched, host.folder);
  const report = app.write("report.pdf", makePdf({ pages: 3 }));
  await page.locator("#file-input").setInputFiles(report);
  await page.locator("#promise", { hasText: "Sealing this tab …" }).waitFor();
  await page.locator(".stage").getByText("Sealing this tab …").waitFor();
  await app.row("report.pdf").getByText("3 pages").waitFor();
  expect(await page.locator("#promise").textContent()).toBe("On this device");
  await page.context().close();
});
