import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "vite";

/** The repository's folder, with a slash at its end. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Builds what these tests judge, the package and the demo, as a release would. */
export default async function setup(): Promise<void> {
  execFileSync(process.execPath, [`${ROOT}scripts/build.mjs`], { stdio: "inherit" });
  await build({ configFile: `${ROOT}vite.config.ts`, mode: "production", logLevel: "warn" });
}
