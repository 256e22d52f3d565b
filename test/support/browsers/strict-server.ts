import { readFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { extname, join, normalize } from "node:path";
import { listenOnLoopback } from "../loopback.ts";

/** The strict policy of docs/recipes/csp.md, which apps may set. */
export const STRICT_POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; " +
  "connect-src 'self' blob:; img-src 'self' blob:";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".wasm": "application/wasm",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".map": "application/json",
};

/** A folder of files, or one file as text. Its headers replace those of the server. */
type Mount = ({ readonly folder: string } | { readonly text: string }) & {
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/** The content of each path. */
export type Mounts = Readonly<Record<`/${string}`, Mount>>;

export interface StrictServer {
  readonly port: number;
  /** The method and path of every request so far. */
  readonly log: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a static server on the loopback with a strict Content-Security-Policy.
 *
 * @param services origins that the app lets its page call besides
 * @param service what answers at the service's paths on this very origin
 */
export async function serveStrictly(
  mounts: Mounts,
  services: readonly string[] = [],
  service?: RequestListener,
): Promise<StrictServer> {
  const log: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/favicon.ico") {
      // Browsers request the icon of every page.
      response.writeHead(204).end();
      return;
    }
    log.push(`${request.method} ${pathname}`);
    if (service !== undefined && /\/(api|download|forms)\//.test(pathname)) {
      service(request, response);
      return;
    }
    const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    try {
      const { body, headers } = await contentOf(mounts, path);
      response.writeHead(200, {
        "Content-Type": TYPES[extname(path)] ?? "application/octet-stream",
        // The frame of sealed workers has a policy of its own: docs/recipes/sealed.md.
        ...(!path.endsWith("/sealed.html") && {
          "Content-Security-Policy": STRICT_POLICY.replace(
            "connect-src",
            ["connect-src", ...services].join(" "),
          ),
        }),
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
        ...headers,
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return {
    port: await listenOnLoopback(server),
    log,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function contentOf(
  mounts: Mounts,
  path: string,
): Promise<{ readonly body: string | Buffer; readonly headers?: Mount["headers"] }> {
  const prefixes = Object.keys(mounts).filter(
    (mount) => path === mount || (mount.endsWith("/") && path.startsWith(mount)),
  );
  const longest = prefixes.sort((one, other) => other.length - one.length)[0];
  const mount = longest === undefined ? undefined : mounts[longest as keyof typeof mounts];
  if (!mount || longest === undefined) throw new Error(`Nothing at ${path}`);
  const { headers } = mount;
  if ("text" in mount) return { body: mount.text, headers };
  return { body: await readFile(join(mount.folder, normalize(path.slice(longest.length)))), headers };
}
