// npm run docs: builds the documentation site into docs/.vitepress/dist. npm run docs:dev: serves it while you write.
// The site has the API pages that TypeDoc makes, and the built package for the playground. Both are made here and are
// not in git. DOCS_BASE names the path at which the site is served, `/` when absent.
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildPackageOnce } from "./built.mjs";
import { commandScript, installDependencies, ROOT } from "./dependencies.mjs";

const DOCS = join(ROOT, "docs");
const PUBLIC = join(DOCS, "public");

const [command = "build", ...options] = process.argv.slice(2);

installDependencies();
console.log("Building the package for the playground, if its sources have changed …");
await buildPackageOnce();
copyPackage();
copyFileSync(join(ROOT, "openapi.yaml"), join(PUBLIC, "openapi.yaml"));
console.log("Writing the API pages from the comments in src …");
run(join(DOCS, "node_modules", "typedoc", "bin", "typedoc"));
if (command === "dev") console.log("Serving the pages of docs/. A page reloads when its file changes.");
run(commandScript("vitepress"), command, ...options, DOCS);

/** Copies the built package to where the site serves it, without what only developers read. */
function copyPackage() {
  const target = join(PUBLIC, "stayput");
  rmSync(target, { recursive: true, force: true });
  for (const name of readdirSync(join(ROOT, "dist"))) {
    if (/\.(js|wasm|txt)$/.test(name)) cpSync(join(ROOT, "dist", name), join(target, name));
  }
}

/**
 * @param {string} script
 * @param {readonly string[]} args
 */
function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: DOCS, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
