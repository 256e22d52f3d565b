import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { commandScript } from "../../scripts/dependencies.mjs";

/** The repository's folder, with a slash at its end. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The built demo. */
export const DEMO = `${ROOT}demo/dist`;

/** The demo with office conversions: what `npm start -- --service` serves, but built. */
export const DEMO_WITH_SERVICE = `${ROOT}.cache/demo-with-service`;

/** Where that one believes that the service is. */
export const SERVICE_URL = "http://127.0.0.1:9";

/** Builds what these tests judge, the package and the demo, as a release would. */
export default function setup(): void {
  execFileSync(process.execPath, [`${ROOT}scripts/build.mjs`], { stdio: "inherit" });
  buildDemo(DEMO);
  buildDemo(DEMO_WITH_SERVICE, { VITE_SERVICE_URL: SERVICE_URL, VITE_SERVICE_KEY: "key" });
}

/** In a process of its own: the one that tests run in is not set up for releases. */
function buildDemo(outDir: string, environment: NodeJS.ProcessEnv = {}): void {
  const args = [commandScript("vite"), "build", "--logLevel", "warn", "--outDir", outDir, "--emptyOutDir"];
  execFileSync(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...environment, NODE_ENV: "production" },
    stdio: "inherit",
  });
}
