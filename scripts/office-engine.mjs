// npm run test:office-engine: runs the recipe of docs/recipes/office-engine.md with the engine itself, which has 254 MB. It
// comes from npm, and stays in .cache/. The other tests, and CI, take a stand-in for it: on a busy machine, the engine stalls
// at about every second start.
// The last line is "N passed, N failed" (and ", N skipped" when there are any).
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { commandScript, installDependencies, npm, ROOT } from "./dependencies.mjs";

const PACKAGE = "@matbee/libreoffice-converter";
const VERSION = "2.7.2";

installDependencies();
const prefix = join(ROOT, ".cache", "office-engine");
// npm creates no folder for `--prefix`.
mkdirSync(prefix, { recursive: true });
const options = ["--prefix", prefix, "--no-save", "--ignore-scripts", "--legacy-peer-deps"];
if (npm("install", `${PACKAGE}@${VERSION}`, ...options) !== 0) {
  console.log(`SKIPPED: the office engine: npm cannot install ${PACKAGE}\n\n0 passed, 0 failed, 1 skipped`);
} else {
  const env = { ...process.env, STAYPUT_OFFICE_ENGINE: join(prefix, "node_modules", PACKAGE) };
  const args = ["run", "--project", "e2e", "test/e2e/converters.test.ts"];
  const vitest = [commandScript("vitest"), ...args];
  const { status } = spawnSync(process.execPath, vitest, { cwd: ROOT, stdio: "inherit", env });
  console.log(status === 0 ? "1 passed, 0 failed" : "0 passed, 1 failed");
  process.exitCode = status ?? 1;
}
