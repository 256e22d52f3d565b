import { type ElementHandle, launch } from "puppeteer-core";
import { findFirefox } from "../../../scripts/machine.mjs";
import { HANG_LIMIT_MS } from "../hang-limit.ts";
import { type DrivenBrowser, type DrivenPage, SHOWN, type Shown } from "./driven-browser.ts";

/** Preferences of Firefox, with the names of about:config. */
export type FirefoxPreferences = Readonly<Record<string, unknown>>;

/** Starts the Firefox of this machine by Puppeteer over WebDriver BiDi. */
export async function startFirefox(preferences: FirefoxPreferences = {}): Promise<DrivenBrowser> {
  const executablePath = findFirefox();
  if (executablePath === undefined) throw new Error("there is no Firefox on this machine");
  const browser = await launch({
    ...{ browser: "firefox", executablePath, headless: true },
    extraPrefsFirefox: { ...preferences },
    timeout: HANG_LIMIT_MS,
    // Longer than the hang limit of a job, so that the session reports a hang first.
    protocolTimeout: 2 * HANG_LIMIT_MS,
  });
  return {
    name: "firefox",

    async open(url): Promise<DrivenPage> {
      const page = await browser.newPage();
      await page.goto(url, { timeout: HANG_LIMIT_MS });
      await page.waitForFunction(() => document.title === "ready", { timeout: HANG_LIMIT_MS });
      return {
        call: (name, argument) =>
          page.evaluate((name, argument) => Reflect.get(window, name)(argument), name, argument),
        async choose(selector, path) {
          const input = await page.$(selector);
          if (input === null) throw new Error(`the page has no ${selector}`);
          await (input as ElementHandle<HTMLInputElement>).uploadFile(path);
        },
        shown: async () => (await page.evaluate(`(() => {${SHOWN}})()`)) as Shown,
        close: () => page.close(),
      };
    },

    close: () => browser.close(),
  };
}
