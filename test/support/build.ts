import { execFileSync } from "node:child_process";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandScript } from "../../scripts/dependencies.mjs";

/** The folder of the repository, with a slash at its end. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The built demo. */
export const DEMO = `${ROOT}demo/dist`;

/** The demo with all that its host can choose: office conversions, as `npm start -- --service` has them, and sharing. */
export const DEMO_WITH_SERVICE = `${ROOT}.cache/demo-with-service`;

/** The URL of the service with which it is built. Nothing answers there. */
export const SERVICE_URL = "http://127.0.0.1:9";

/** The name of the file that {@link packInto} writes. */
export const TARBALL = "stayput.tgz";

/** Builds the package, unless an earlier suite of the same run has built it. */
export function buildPackage(): void {
  if (process.env.REUSE_BUILD !== undefined) return;
  execFileSync(process.execPath, [`${ROOT}scripts/build.mjs`], { stdio: "inherit" });
}

/** Packs the built package as npm publishes it. Returns the path of the tarball. */
export function packInto(folder: string): string {
  const packed = execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    shell: process.platform === "win32",
  });
  const path = join(folder, TARBALL);
  renameSync(join(folder, packed.trim()), path);
  return path;
}

/**
 * Builds the package and the demo as a release does. With `REUSE_BUILD` in the environment, an earlier suite of the same
 * run has built them.
 */
export default function setup(): void {
  if (process.env.REUSE_BUILD !== undefined) return;
  buildPackage();
  buildDemo(DEMO);
  buildDemo(DEMO_WITH_SERVICE, {
    VITE_SERVICE_URL: SERVICE_URL,
    VITE_SERVICE_KEY: "key",
    STAYPUT_SHARE_TARGET: "yes",
  });
}

/** Runs in a process of its own, because the environment of the test process is not that of a release. */
function buildDemo(outDir: string, environment: NodeJS.ProcessEnv = {}): void {
  const args = [commandScript("vite"), "build", "--logLevel", "warn", "--outDir", outDir, "--emptyOutDir"];
  execFileSync(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...environment, NODE_ENV: "production" },
    stdio: "inherit",
  });
}
