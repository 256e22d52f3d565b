import { expect, onTestFinished, test } from "vitest";
import { DEMO } from "../../scripts/built.mjs";
import { AppPage } from "../support/browsers/app-page.ts";
import { launchChromium } from "../support/browsers/launched-chromium.ts";
import { serveStrictly } from "../support/browsers/strict-server.ts";
import { openWatched } from "../support/browsers/watched-page.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { Scratch } from "../support/native-tools.ts";

test("after the first visit, the app works with PDFs without its server", async () => {
  const scratch = new Scratch();
  onTestFinished(() => scratch.remove());
  const server = await serveStrictly({ "/app/": { folder: DEMO } });
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const watched = await openWatched(browser, `http://127.0.0.1:${server.port}/app/`);
  const app = new AppPage(watched, scratch.directory);
  await app.page.locator("#offline", { hasText: "Opens without a network, too" }).waitFor();
  await server.close();
  await app.page.reload();

  app.write("report.pdf", makePdf({ pages: 3 }));
  await app.choose("report.pdf");
  await app.task("Protect");
  await app.page.getByLabel("Password", { exact: true }).fill("secret");
  await app.page.getByLabel("Repeat the password").fill("secret");
  await app.start();
  await app.save("protected-report.pdf");
  expect(watched.complaints).toEqual([]);
});
