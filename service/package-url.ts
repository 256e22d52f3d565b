import { existsSync } from "node:fs";

/** The folder of the sources, when they run without a build. */
const SOURCES = new URL("../dist/", import.meta.url);

/**
 * Returns the folder of the built package `stayput`: beside the sources, or where npm has installed it.
 *
 * @throws {Error} when it is not there
 */
export function installedPackage(): string {
  if (!import.meta.url.endsWith(".ts")) return new URL(".", import.meta.resolve("stayput/worker")).href;
  if (existsSync(new URL("worker.js", SOURCES))) return SOURCES.href;
  throw new Error("the package is not built (npm run build)");
}
