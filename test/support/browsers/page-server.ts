import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { pipeline } from "node:stream/promises";
import { build } from "vite";
import { buildPackageOnce } from "../../../scripts/built.mjs";
import { ROOT } from "../../../scripts/dependencies.mjs";
import { fontFiles } from "../../../scripts/fonts.mjs";
import { listenOnLoopback } from "../loopback.ts";

/** The variable with the address of a server that all test files of a run share. */
export const SHARED_PAGES = "STAYPUT_TEST_PAGES";

/** The entry of the package, for pages. */
const PACKAGE_ENTRY = "/package/index.js";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".wasm": "application/wasm",
};

/**
 * Serves pages that load one script of the repository, on the loopback. The script gets the built package where it imports
 * `src/index.ts`. Pages also read files of the test and write results through the server.
 */
export class PageServer {
  /** For {@link SHARED_PAGES}. Its path is a secret of this run, because the server writes files. */
  readonly address: string;
  readonly #end: () => Promise<void>;

  private constructor(address: string, end: () => Promise<void>) {
    this.address = address;
    this.#end = end;
  }

  /** Starts a server with the package of this checkout, or takes the one that all test files of this run share. */
  static async start(): Promise<PageServer> {
    const shared = process.env[SHARED_PAGES];
    if (shared !== undefined) return new PageServer(shared, async () => {});
    await buildPackageOnce();
    return PageServer.startWith(join(ROOT, "dist"));
  }

  /** Starts a server with a package that is built already. */
  static async startWith(dist: string): Promise<PageServer> {
    const folder = mkdtempSync(join(tmpdir(), "stayput-pages-"));
    const token = randomUUID();
    const server = createServer(respondFrom(new BuiltPages(folder), dist, token));
    const port = await listenOnLoopback(server);
    return new PageServer(`http://127.0.0.1:${port}/${token}`, async () => {
      await closed(server);
      rmSync(folder, { recursive: true });
    });
  }

  /** The URL of a page with one script, named by its path in the repository. The page has an input for files. */
  pageWith(script: string): string {
    return new URL(`/page/${script}`, this.address).href;
  }

  /** A URL at which pages read the file (GET) or write it (POST). */
  share(path: string): string {
    return `${this.address}/${encodeURIComponent(path)}`;
  }

  close(): Promise<void> {
    return this.#end();
  }
}

/** The scripts of pages, each bundled when the first page needs it. */
class BuiltPages {
  readonly folder: string;
  readonly #built = new Map<string, Promise<void>>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Bundles a script, and the workers that it starts, into the folder of its name. */
  build(script: string): Promise<void> {
    const building = this.#built.get(script) ?? this.#bundle(script);
    this.#built.set(script, building);
    return building;
  }

  async #bundle(script: string): Promise<void> {
    await build({
      root: ROOT,
      configFile: false,
      logLevel: "error",
      base: `/built/${script}/`,
      // The package brings its own WebAssembly. A page that imports a codec gets a file, as in the package.
      build: {
        outDir: join(this.folder, script),
        target: "es2022",
        minify: false,
        assetsInlineLimit: 0,
        modulePreload: false,
        rolldownOptions: { input: join(ROOT, script), output: { entryFileNames: "page.js" } },
      },
      worker: { format: "es" },
      plugins: [
        {
          name: "built-package",
          enforce: "pre",
          async resolveId(source, importer) {
            if (!/(^|\/)src\/index\.ts$/.test(source) || importer === undefined) return null;
            return { id: PACKAGE_ENTRY, external: "absolute" };
          },
        },
      ],
    });
  }
}

/**
 * @param dist the folder of the package
 * @param token the path under which pages read and write files
 */
function respondFrom(pages: BuiltPages, dist: string, token: string) {
  const fonts = fontFiles();
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const [, place = "", path = ""] = /^\/([\w-]+)\/(.*)$/.exec(pathname) ?? [];
    const answer = async (): Promise<void> => {
      if (place === "page") await sendPage(pages, path, response);
      else if (place === token) await exchange(decodeURIComponent(path), request, response);
      else if (place === "built") await sendFile(join(pages.folder, normalize(path)), response);
      else if (place === "package")
        await sendFile(fonts.get(path.replace("fonts/", "")) ?? join(dist, normalize(path)), response);
      else response.writeHead(404).end();
    };
    answer().catch((error: unknown) => {
      // The page was closed, or the file cannot be read. A page that is still there sees a broken response and reports it.
      response.destroy(error instanceof Error ? error : undefined);
    });
  };
}

async function sendPage(pages: BuiltPages, script: string, response: ServerResponse): Promise<void> {
  await pages.build(script);
  response.writeHead(200, { "content-type": TYPES[".html"] });
  response.end(`<!doctype html>
<html lang="en">
  <title>starting</title>
  <link rel="icon" href="data:," />
  <script type="module" src="/built/${script}/page.js"></script>
  <input type="file" id="file" multiple />
</html>
`);
}

async function sendFile(path: string, response: ServerResponse): Promise<void> {
  if (!existsSync(path)) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
  await pipeline(createReadStream(path), response);
}

async function exchange(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === "POST") {
    await pipeline(request, createWriteStream(path));
    response.writeHead(204).end();
  } else {
    response.writeHead(200, { "content-type": "application/octet-stream", "cache-control": "no-store" });
    await pipeline(createReadStream(path), response);
  }
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
