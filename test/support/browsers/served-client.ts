import type { Browser, Page } from "playwright-core";
import { HANG_LIMIT_MS } from "../hang-limit.ts";
import { launchOwnChromium } from "./launched-chromium.ts";
import { openReady } from "./open-ready.ts";
import { PageServer } from "./page-server.ts";
import { processIdsOf } from "./profile-chromium.ts";

/** The built package in a Chromium of its own, on pages that Playwright drives. */
export class ServedClient {
  readonly #pages: PageServer;
  readonly #browser: Browser;

  private constructor(pages: PageServer, browser: Browser) {
    this.#pages = pages;
    this.#browser = browser;
  }

  /** @param dist the folder of another build of the package than this checkout's */
  static async start(dist?: string): Promise<ServedClient> {
    const pages = await (dist === undefined ? PageServer.start() : PageServer.startWith(dist));
    return new ServedClient(pages, await launchOwnChromium());
  }

  /** Opens a page with a script of the repository, and waits until the script sets the title to `ready`. */
  async open(script: string): Promise<Page> {
    const page = await this.#browser.newPage();
    page.setDefaultTimeout(HANG_LIMIT_MS);
    await openReady(page, this.#pages.pageWith(script));
    return page;
  }

  /** A URL at which pages read the file (GET) or write it (POST). */
  share(path: string): string {
    return this.#pages.share(path);
  }

  /** The ids of the browser's processes: itself, its pages and its services. */
  processIds(): Promise<readonly number[]> {
    return processIdsOf(this.#browser);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#pages.close();
  }
}
