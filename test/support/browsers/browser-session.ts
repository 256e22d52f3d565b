import { findChromium, findFirefox, findWebKit } from "../../../scripts/machine.mjs";
import { HANG_LIMIT_MS } from "../hang-limit.ts";
import { startChromium } from "./chromium.ts";
import type { DrivenBrowser, DrivenPage } from "./driven-browser.ts";
import { type FirefoxPreferences, startFirefox } from "./firefox.ts";
import { type PageAnswer, RUN } from "./page-answer.ts";
import { PageServer } from "./page-server.ts";
import { startWebKit } from "./webkit.ts";

/** How a job on a page ended. A page that hung or crashed is not used again. */
export type SessionAnswer = PageAnswer | { readonly kind: "hung" | "crashed"; readonly message: string };

/** The answer of a job that made a file. Any other answer is thrown as an error that states its reason. */
export function madeFile(answer: SessionAnswer): Extract<SessionAnswer, { kind: "file" }> {
  if (answer.kind === "file") return answer;
  const code = answer.kind === "typed error" ? ` ${answer.code}` : "";
  throw new Error(`the page made no file: ${answer.kind}${code}: ${answer.message}`);
}

const BROWSERS = {
  chromium: { find: findChromium, start: startChromium },
  firefox: { find: findFirefox, start: () => startFirefox() },
  "firefox that resists fingerprinting": {
    find: findFirefox,
    start: () => startFirefox({ "privacy.resistFingerprinting": true }),
  },
  webkit: { find: findWebKit, start: startWebKit },
} as const;

export type BrowserName = keyof typeof BROWSERS;

/** Starts the browser of this name on this machine. */
export function startBrowser(name: BrowserName): Promise<DrivenBrowser> {
  return BROWSERS[name].start();
}

/** Whether this machine has the browser. Prints a SKIPPED line when it has not. */
export function announceBrowser(name: BrowserName, suite: string): boolean {
  if (BROWSERS[name].find() !== undefined) return true;
  process.stderr.write(`SKIPPED: ${suite} in ${name}: not on this machine\n`);
  return false;
}

/** A page of a browser with the real client. A page that hangs or crashes is replaced. */
export class BrowserSession<Job = unknown> {
  readonly name: BrowserName;
  readonly #pages: PageServer;
  readonly #browser: DrivenBrowser;
  readonly #url: string;
  readonly #timeLimitMs: number;
  #page: DrivenPage | undefined;

  private constructor(
    name: BrowserName,
    pages: PageServer,
    browser: DrivenBrowser,
    url: string,
    timeLimitMs: number,
  ) {
    this.name = name;
    this.#pages = pages;
    this.#browser = browser;
    this.#url = url;
    this.#timeLimitMs = timeLimitMs;
  }

  /**
   * Starts a browser.
   *
   * @param script the script of the page, as a path in the repository. It calls `serveRun`
   * @param timeLimitMs how long a job may take
   * @param preferences for Firefox only
   */
  static async start<Job>(
    name: BrowserName,
    script: string,
    timeLimitMs: number = HANG_LIMIT_MS,
    preferences?: FirefoxPreferences,
  ): Promise<BrowserSession<Job>> {
    const pages = await PageServer.start();
    try {
      const browser = await (preferences ? startFirefox(preferences) : BROWSERS[name].start());
      return new BrowserSession(name, pages, browser, pages.pageWith(script), timeLimitMs);
    } catch (error) {
      await pages.close();
      throw error;
    }
  }

  /** Opens the page. The time limit of a job does not include this. */
  async prepare(): Promise<DrivenPage> {
    this.#page ??= await this.#browser.open(this.#url);
    return this.#page;
  }

  /** Runs a job of the page on the input file and stores the result at `output`. */
  async run(job: Job, input: string, output: string): Promise<SessionAnswer> {
    const page = await this.prepare();
    const request = { job, inputUrl: this.#pages.share(input), outputUrl: this.#pages.share(output) };
    const answer = await new Promise<SessionAnswer>((resolve) => {
      const clock = setTimeout(
        () => resolve({ kind: "hung", message: `no answer in ${this.#timeLimitMs / 1000} s` }),
        this.#timeLimitMs,
      );
      page
        .call<PageAnswer>(RUN, request)
        .then(resolve, (error) => resolve({ kind: "crashed", message: String(error) }))
        .finally(() => clearTimeout(clock));
    });
    if (answer.kind === "hung" || answer.kind === "crashed") {
      this.#page = undefined;
      // Closing a crashed page may fail. The page is not used again.
      await page.close().catch(() => undefined);
    }
    return answer;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#pages.close();
  }
}
