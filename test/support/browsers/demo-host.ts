import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { DEMO, DEMO_WITH_SERVICE, SERVICE_URL } from "../../../scripts/built.mjs";
import { launchChromium } from "./launched-chromium.ts";
import { type Mounts, type StrictServer, serveStrictly } from "./strict-server.ts";
import { openWatched, type WatchedPage } from "./watched-page.ts";

/** The built demo on a strict server, opened in Chromium, with a folder for its input and output files. */
export class DemoHost {
  readonly folder = mkdtempSync(join(tmpdir(), "stayput-demo-"));
  readonly browser: Browser;
  readonly #server: StrictServer;

  private constructor(browser: Browser, server: StrictServer) {
    this.browser = browser;
    this.#server = server;
  }

  /**
   * @param serviceUrl where a service answers. Nothing does when absent
   * @param launch starts the browser
   */
  static async start(serviceUrl = SERVICE_URL, launch = launchChromium): Promise<DemoHost> {
    const mounts = {
      "/app/": { folder: DEMO },
      "/with-service/": { folder: DEMO_WITH_SERVICE },
      ...callingService(serviceUrl),
    };
    return new DemoHost(await launch(), await serveStrictly(mounts, [serviceUrl]));
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
  open(options: BrowserContextOptions = {}): Promise<WatchedPage> {
    return openWatched(this.browser, this.urlOf("app"), { serviceWorkers: "block", ...options });
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.#server.close();
    rmSync(this.folder, { recursive: true });
  }
}

/** Returns the files of the demo that name the service, as files that name another one. */
function callingService(url: string): Mounts {
  const folder = join(DEMO_WITH_SERVICE, "assets");
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .map((name) => [name, readFileSync(join(folder, name), "utf8")] as const)
    .filter(([, text]) => text.includes(SERVICE_URL));
  return Object.fromEntries(
    files.map(([name, text]) => [
      `/with-service/assets/${name}`,
      { text: text.replaceAll(SERVICE_URL, url) },
    ]),
  );
}
