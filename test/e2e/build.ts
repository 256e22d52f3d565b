import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { commandScript } from "../../scripts/dependencies.mjs";

/** The repository's folder, with a slash at its end. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Builds the demo, in a process of its own: the one that tests run in is not set up for releases.
 *
 * @param outDir demo/dist, if not given
 * @param environment variables that it is built with
 */
export function buildDemo(outDir = `${ROOT}demo/dist`, environment: NodeJS.ProcessEnv = {}): void {
  const args = [commandScript("vite"), "build", "--logLevel", "warn", "--outDir", outDir, "--emptyOutDir"];
  execFileSync(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...environment, NODE_ENV: "production" },
    stdio: "inherit",
  });
}

/** Builds what these tests judge, the package and the demo, as a release would. */
export default function setup(): void {
  execFileSync(process.execPath, [`${ROOT}scripts/build.mjs`], { stdio: "inherit" });
  buildDemo();
}
