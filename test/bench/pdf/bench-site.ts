import { copyFileSync, cpSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type StrictServer, serveStrictly } from "../../support/browsers/strict-server.ts";
import { bundleForPage } from "./bundle.ts";

/** The build of this checkout. */
export const DIST = fileURLToPath(new URL("../../../dist/", import.meta.url));
const IDLE_WORKER = fileURLToPath(new URL("../idle-worker.ts", import.meta.url));
const PAGE = fileURLToPath(new URL("./page/", import.meta.url));

/**
 * Serves the benchmark's page with a copy of a build. A build during the benchmark does not change what is measured.
 *
 * @param folder where the copy is stored
 * @param service answers the paths that begin with `/api/`
 */
export async function serveBenchSite(
  folder: string,
  dist: string,
  service?: RequestListener,
): Promise<StrictServer> {
  cpSync(dist, join(folder, "stayput"), { recursive: true });
  copyFileSync(join(PAGE, "index.html"), join(folder, "index.html"));
  await bundleForPage(join(PAGE, "page.ts"), join(folder, "page.js"), "/stayput/index.js");
  await bundleForPage(IDLE_WORKER, join(folder, "idle-worker.js"), "/stayput/index.js");
  return serveStrictly({ "/": { folder } }, [], service);
}
