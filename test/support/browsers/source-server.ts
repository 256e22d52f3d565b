import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createServer, type ViteDevServer } from "vite";
import { withFonts } from "../../../scripts/fonts.mjs";

const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));
const EXCHANGE = "/exchange/";

/**
 * The sources, served by Vite on the loopback, with a place where a page can fetch files of this process and leave
 * its results.
 */
export class SourceServer {
  readonly #server: ViteDevServer;
  readonly #origin: string;
  readonly #cache: string;
  readonly #exchange: Map<string, string>;
  #tokens = 0;

  private constructor(server: ViteDevServer, origin: string, cache: string, exchange: Map<string, string>) {
    this.#server = server;
    this.#origin = origin;
    this.#cache = cache;
    this.#exchange = exchange;
  }

  static async start(): Promise<SourceServer> {
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
        // Where workers look for them when they are not told.
        withFonts("workers/fonts/"),
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
    return new SourceServer(server, origin, cache, exchange);
  }

  /** Where a file of the repository is served. */
  urlOf(path: string): string {
    return new URL(path, this.#origin).href;
  }

  /** A URL at which pages can GET that file, or POST what is to be written to it. */
  share(path: string): string {
    this.#tokens += 1;
    const token = String(this.#tokens);
    this.#exchange.set(token, path);
    return new URL(EXCHANGE + token, this.#origin).href;
  }

  async close(): Promise<void> {
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
