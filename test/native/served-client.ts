import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { createServer, type ViteDevServer } from "vite";
import { chromiumLaunch } from "../../scripts/machine.mjs";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
const EXCHANGE = "/exchange/";
const START_LIMIT_MS = 60_000;

/**
 * The real client in a real Chromium: the sources served by Vite on the loopback, with a place where a page can
 * fetch files of this process and leave its results.
 */
export class ServedClient {
  readonly #server: ViteDevServer;
  readonly #browser: Browser;
  readonly #origin: string;
  readonly #cache: string;
  readonly #exchange: Map<string, string>;
  #tokens = 0;

  private constructor(
    server: ViteDevServer,
    browser: Browser,
    origin: string,
    cache: string,
    exchange: Map<string, string>,
  ) {
    this.#server = server;
    this.#browser = browser;
    this.#origin = origin;
    this.#cache = cache;
    this.#exchange = exchange;
  }

  static async start(): Promise<ServedClient> {
    const cache = mkdtempSync(join(tmpdir(), "stayput-vite-"));
    const exchange = new Map<string, string>();
    const server = await createServer({
      root: REPOSITORY,
      configFile: false,
      cacheDir: cache,
      logLevel: "error",
      // All dependencies are found before the first page: a late one would reload the page in mid-work.
      optimizeDeps: { entries: ["src/index.ts", "workers/worker.ts"] },
      worker: { format: "es" },
      server: { host: "127.0.0.1", port: 0, hmr: false, watch: null },
      plugins: [
        {
          name: "stayput-exchange",
          configureServer: ({ middlewares }) => {
            middlewares.use(EXCHANGE, (request, response) => void serveExchange(exchange, request, response));
          },
        },
      ],
    });
    await server.listen();
    const origin = server.resolvedUrls?.local[0] ?? server.resolvedUrls?.network[0];
    if (origin === undefined) throw new Error("the development server has no address");
    const browser = await chromium.launch(chromiumLaunch());
    return new ServedClient(server, browser, origin, cache, exchange);
  }

  /** Opens a page of the repository that sets its title to `ready` once it is. */
  async open(path: string): Promise<Page> {
    const page = await this.#browser.newPage();
    await page.goto(new URL(path, this.#origin).href, { timeout: START_LIMIT_MS });
    await page.waitForFunction(() => document.title === "ready", undefined, { timeout: START_LIMIT_MS });
    return page;
  }

  /** A URL at which pages can GET that file, or POST what is to be written to it. */
  share(path: string): string {
    this.#tokens += 1;
    const token = String(this.#tokens);
    this.#exchange.set(token, path);
    return new URL(EXCHANGE + token, this.#origin).href;
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
    await this.#server.close();
    rmSync(this.#cache, { recursive: true, force: true });
  }
}

async function serveExchange(
  exchange: ReadonlyMap<string, string>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = exchange.get((request.url ?? "").replace("/", ""));
  if (path === undefined) {
    response.writeHead(404).end();
    return;
  }
  try {
    if (request.method === "POST") {
      await pipeline(request, createWriteStream(path));
      response.writeHead(204).end();
    } else {
      response.writeHead(200, { "content-type": "application/octet-stream", "cache-control": "no-store" });
      await pipeline(createReadStream(path), response);
    }
  } catch {
    // The page went away or the file cannot be read: the page sees a broken answer and says so.
    response.destroy();
  }
}
