import { type Browser, chromium, type Page } from "playwright-core";
import { chromiumLaunch } from "../../../scripts/machine.mjs";
import { HANG_LIMIT_MS } from "../hang-limit.ts";
import { openReady } from "./open-ready.ts";
import { processIdsOf } from "./profile-chromium.ts";
import { SourceServer } from "./source-server.ts";

/** The real client in Chromium, on pages that Playwright drives. */
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

  /** Opens a page with a script of the repository, and waits until the script sets the title to `ready`. */
  async open(script: string): Promise<Page> {
    const page = await this.#browser.newPage();
    page.setDefaultTimeout(HANG_LIMIT_MS);
    await openReady(page, this.#sources.pageWith(script));
    return page;
  }

  /** A URL at which pages read the file (GET) or write it (POST). */
  share(path: string): string {
    return this.#sources.share(path);
  }

  /** The ids of the browser's processes: itself, its pages and its services. */
  processIds(): Promise<readonly number[]> {
    return processIdsOf(this.#browser);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#sources.close();
  }
}
