import { describe, expect, test } from "vitest";
import { announceBrowser } from "../support/browsers/browser-session.ts";
import type { DrivenBrowser } from "../support/browsers/driven-browser.ts";
import { startFirefox } from "../support/browsers/firefox.ts";
import { PageServer } from "../support/browsers/page-server.ts";
import { startWebKit } from "../support/browsers/webkit.ts";

const BROWSERS = { firefox: startFirefox, webkit: startWebKit };

describe.each(["firefox", "webkit"] as const)("in %s", (name) => {
  test.skipIf(!announceBrowser(name, "helpers"))("a worker leases a helper, which answers", async () => {
    const pages = await PageServer.start();
    let browser: DrivenBrowser | undefined;
    try {
      browser = await BROWSERS[name]();
      const page = await browser.open(pages.pageWith("test/native/helper-pool-page.ts"));
      expect(await page.call("askHelper", 21)).toBe(42);
    } finally {
      await browser?.close();
      await pages.close();
    }
  });
});
