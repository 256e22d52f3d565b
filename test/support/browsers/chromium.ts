import { HANG_LIMIT_MS } from "../hang-limit.ts";
import { type DrivenBrowser, type DrivenPage, SHOWN } from "./driven-browser.ts";
import { launchChromium } from "./launched-chromium.ts";
import { openReady } from "./open-ready.ts";

/** Starts the Chromium of this machine by Playwright, or takes the one that all test files share. */
export async function startChromium(): Promise<DrivenBrowser> {
  const browser = await launchChromium();
  // All pages share one profile, as in the other browsers.
  const context = await browser.newContext();
  context.setDefaultTimeout(HANG_LIMIT_MS);
  return {
    name: "chromium",

    async open(url): Promise<DrivenPage> {
      const page = await context.newPage();
      await openReady(page, url);
      return {
        call: (name, argument) =>
          new Promise((resolve, reject) => {
            const crash = () => reject(new Error("the page crashed"));
            page.once("crash", crash);
            page
              .evaluate(({ name, argument }) => Reflect.get(window, name)(argument), { name, argument })
              .then(resolve, reject)
              .finally(() => page.off("crash", crash));
          }),
        choose: (selector, path) => page.setInputFiles(selector, path),
        shown: () => page.evaluate(`(() => {${SHOWN}})()`),
        close: () => page.close(),
      };
    },

    close: () => browser.close(),
  };
}
