// Where the engines find their files: the built package, and fonts.
import { existsSync } from "node:fs";
import { resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { EngineSetup } from "./platform/run-call.ts";

/** The environment variable for the folder of fonts. `npx stayput copy` fills one. */
export const FONTS_VARIABLE = "STAYPUT_FONTS";

/** The folder of the built package beside the sources, when they run without a build of their own. */
const BESIDE_SOURCES = new URL("../dist/", import.meta.url);

/**
 * Returns the folder of the built package `stayput`: beside the sources, or where npm has installed it.
 *
 * @throws {Error} when it is not there
 */
export function installedPackage(): string {
  if (!import.meta.url.endsWith(".ts")) return new URL(".", import.meta.resolve("stayput/worker")).href;
  if (existsSync(new URL("worker.js", BESIDE_SOURCES))) return BESIDE_SOURCES.href;
  throw new Error("the package is not built (npm run build)");
}

/** Returns the folder of fonts that the environment names, for the setup of the engines. */
export function fontUrl(environment: NodeJS.ProcessEnv): EngineSetup["fontUrl"] {
  const path = environment[FONTS_VARIABLE];
  return path === undefined || path === "" ? undefined : pathToFileURL(resolve(path) + sep).href;
}
