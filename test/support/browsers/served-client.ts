import { type Browser, chromium, type Page } from "playwright-core";
import { chromiumLaunch } from "../../../scripts/machine.mjs";
import { HANG_LIMIT_MS } from "../hang-limit.ts";
import { SourceServer } from "./source-server.ts";

/** The real client in a real Chromium, with pages in Playwright's hands. */
export class ServedClient {
  readonly #sources: SourceServer;
  readonly #browser: Browser;

  private constructor(sources: SourceServer, browser: Browser) {
    this.#sources = sources;
    this.#browser = browser;
  }

  static async start(): Promise<ServedClient> {
    return new ServedClient(await SourceServer.start(), await chromium.launch(chromiumLaunch()));
  }

  /** Opens a page of the repository that sets its title to `ready` once it is. */
  async open(path: string): Promise<Page> {
    const page = await this.#browser.newPage();
    page.setDefaultTimeout(HANG_LIMIT_MS);
    await page.goto(this.#sources.urlOf(path));
    await page.waitForFunction(() => document.title === "ready");
    return page;
  }

  /** A URL at which pages can GET that file, or POST what is to be written to it. */
  share(path: string): string {
    return this.#sources.share(path);
  }

  /** The browser's processes: itself, its pages, and what serves them. */
  async processIds(): Promise<readonly number[]> {
    const session = await this.#browser.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    await session.detach();
    return processInfo.map(({ id }) => id);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#sources.close();
  }
}
