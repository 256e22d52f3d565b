import { SHARED_CHROMIUM, serveChromium } from "./browsers/launched-chromium.ts";
import { PageServer, SHARED_PAGES } from "./browsers/page-server.ts";

/** Starts what the test files of a run share: one Chromium, and one server of pages with the built package. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Vitest calls this once for each project.
  if (process.env[SHARED_CHROMIUM] !== undefined) return undefined;
  const [browser, pages] = await Promise.all([serveChromium(), PageServer.start()]);
  process.env[SHARED_CHROMIUM] = browser.wsEndpoint();
  process.env[SHARED_PAGES] = pages.address;
  return async () => {
    await browser.close();
    await pages.close();
  };
}
