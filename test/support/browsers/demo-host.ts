import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { DEMO, DEMO_WITH_SERVICE, SERVICE_URL } from "../build.ts";
import { type StrictServer, serveStrictly } from "./strict-server.ts";
import { launchChromium, openWatched, type WatchedPage } from "./watched-page.ts";

/** The built demo on a strict server, opened in Chromium, with a folder for its input and output files. */
export class DemoHost {
  readonly folder = mkdtempSync(join(tmpdir(), "stayput-demo-"));
  readonly browser: Browser;
  readonly #server: StrictServer;

  private constructor(browser: Browser, server: StrictServer) {
    this.browser = browser;
    this.#server = server;
  }

  static async start(): Promise<DemoHost> {
    const mounts = { "/app/": { folder: DEMO }, "/with-service/": { folder: DEMO_WITH_SERVICE } };
    return new DemoHost(await launchChromium(), await serveStrictly(mounts, [SERVICE_URL]));
  }

  /** The method and path of each request to the server so far. */
  get log(): readonly string[] {
    return this.#server.log;
  }

  /** The URL of the demo, or of the demo that calls a service. */
  urlOf(build: "app" | "with-service"): string {
    return `http://127.0.0.1:${this.#server.port}/${build}/`;
  }

  /** Opens the demo without its service worker, so that all its files come from the server. */
  open(): Promise<WatchedPage> {
    return openWatched(this.browser, this.urlOf("app"), { serviceWorkers: "block" });
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.#server.close();
    rmSync(this.folder, { recursive: true });
  }
}
