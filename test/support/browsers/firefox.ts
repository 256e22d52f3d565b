import { type Browser, type ElementHandle, launch } from "puppeteer-core";
import { browserEnvironment } from "../../../scripts/environment.mjs";
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
    defaultViewport: { width: 1280, height: 800 },
    env: browserEnvironment(),
    extraPrefsFirefox: { ...preferences },
    args: ["-remote-allow-system-access"],
    timeout: HANG_LIMIT_MS,
    // Longer than the hang limit of a job, so that the session reports a hang first.
    protocolTimeout: 2 * HANG_LIMIT_MS,
  });
  await stopWatchingWorkers(browser);
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

/** The part of Puppeteer's connection that is used here. Puppeteer's types do not have it. */
interface BidiConnection {
  send(method: string, parameters: object): Promise<{ readonly result: unknown }>;
}

const STOP_WATCHING_WORKERS = `ChromeUtils.importESModule(
  "chrome://remote/content/shared/js-process-actors/WebDriverWorkerListenerActor.sys.mjs",
).unregisterWebDriverWorkerListenerActor()`;

/**
 * Ends the listener by which WebDriver BiDi learns of workers. While it listens, a worker of Firefox 153 that calls
 * `new Worker` on a busy machine may block forever. Without WebDriver and developer tools, Firefox has no such listener.
 */
async function stopWatchingWorkers(browser: Browser): Promise<void> {
  const connection: BidiConnection = Reflect.get(browser, "connection");
  const { result } = await connection.send("browsingContext.getTree", { "moz:scope": "chrome" });
  const { contexts } = result as { readonly contexts: readonly { readonly context: string }[] };
  const context = contexts[0]?.context;
  if (context === undefined) throw new Error("Firefox has no window");
  const answer = await connection.send("script.evaluate", {
    expression: STOP_WATCHING_WORKERS,
    target: { context },
    awaitPromise: false,
  });
  const { type } = answer.result as { readonly type: string };
  if (type !== "success") throw new Error(`Firefox still watches workers: ${JSON.stringify(answer.result)}`);
}
