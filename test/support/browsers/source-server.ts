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
const PAGE = "/page/";

/**
 * Serves the sources by Vite on the loopback, and pages that load one script of them. Pages also read files of the test and
 * write results through it.
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
      // Finds all dependencies before the first page opens. Vite reloads the page in the middle of a test for a late one.
      optimizeDeps: { entries: ["src/index.ts", "workers/worker.ts"] },
      worker: { format: "es" },
      server: { host: "127.0.0.1", port: 0, hmr: false, watch: null },
      plugins: [
        // The default place where workers look for fonts.
        withFonts("workers/fonts/"),
        {
          name: "stayput-exchange",
          configureServer: ({ middlewares }) => {
            middlewares.use(EXCHANGE, (request, response) => void serveExchange(exchange, request, response));
            middlewares.use(PAGE, (request, response) => servePage(request.url ?? "", response));
          },
        },
      ],
    });
    await server.listen();
    const origin = server.resolvedUrls?.local[0] ?? server.resolvedUrls?.network[0];
    if (origin === undefined) throw new Error("the development server has no address");
    return new SourceServer(server, origin, cache, exchange);
  }

  /** The URL of a page with one script, named by its path in the repository. The page has an input for files. */
  pageWith(script: string): string {
    return new URL(PAGE + script, this.#origin).href;
  }

  /** A URL at which pages read the file (GET) or write it (POST). */
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

function servePage(script: string, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/html;charset=utf-8" });
  response.end(`<!doctype html>
<html lang="en">
  <title>starting</title>
  <link rel="icon" href="data:," />
  <script type="module" src="${script}"></script>
  <input type="file" id="file" multiple />
</html>
`);
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
  } catch (error) {
    // The page was closed, or the file cannot be read. A page that is still there sees a broken response and reports it.
    response.destroy(error instanceof Error ? error : undefined);
  }
}
