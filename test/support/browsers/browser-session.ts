import { findChromium, findFirefox, findWebKit } from "../../../scripts/machine.mjs";
import { startChromium } from "./chromium.ts";
import type { DrivenBrowser, DrivenPage } from "./driven-browser.ts";
import { type FirefoxPreferences, startFirefox } from "./firefox.ts";
import { type PageAnswer, RUN } from "./page-answer.ts";
import { SourceServer } from "./source-server.ts";
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

/** Whether this machine has the browser. Prints a SKIPPED line when it has not. */
export function announceBrowser(name: BrowserName, suite: string): boolean {
  if (BROWSERS[name].find() !== undefined) return true;
  process.stderr.write(`SKIPPED: ${suite} in ${name}: not on this machine\n`);
  return false;
}

/** A page of a browser with the real client. A page that hangs or crashes is replaced. */
export class BrowserSession {
  readonly name: BrowserName;
  readonly #sources: SourceServer;
  readonly #browser: DrivenBrowser;
  readonly #url: string;
  #page: DrivenPage | undefined;

  private constructor(name: BrowserName, sources: SourceServer, browser: DrivenBrowser, url: string) {
    this.name = name;
    this.#sources = sources;
    this.#browser = browser;
    this.#url = url;
  }

  /** @param path the page, as a path in the repository; it calls `serveRun` */
  static start(name: BrowserName, path: string): Promise<BrowserSession> {
    return BrowserSession.#of(name, BROWSERS[name].start, path);
  }

  /** Starts a session in a Firefox with preferences. */
  static startFirefox(preferences: FirefoxPreferences, path: string): Promise<BrowserSession> {
    return BrowserSession.#of("firefox", () => startFirefox(preferences), path);
  }

  static async #of(
    name: BrowserName,
    start: () => Promise<DrivenBrowser>,
    path: string,
  ): Promise<BrowserSession> {
    const sources = await SourceServer.start();
    try {
      return new BrowserSession(name, sources, await start(), sources.urlOf(path));
    } catch (error) {
      await sources.close();
      throw error;
    }
  }

  async prepare(): Promise<void> {
    this.#page ??= await this.#browser.open(this.#url);
  }

  /** Runs a job of the page on the input file and stores the result at `output`. */
  async run(job: unknown, input: string, output: string, timeLimitMs: number): Promise<SessionAnswer> {
    const page = this.#page;
    if (page === undefined) throw new Error("prepare comes before run");
    const request = { job, inputUrl: this.#sources.share(input), outputUrl: this.#sources.share(output) };
    const answer = await new Promise<SessionAnswer>((resolve) => {
      const clock = setTimeout(
        () => resolve({ kind: "hung", message: `no answer in ${timeLimitMs / 1000} s` }),
        timeLimitMs,
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
    await this.#sources.close();
  }
}
