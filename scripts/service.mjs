// npm run service: runs the command stayput-service from its sources. `npm run service -- --help` lists what it does.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { commandScript, installDependencies, ROOT } from "./dependencies.mjs";

installDependencies();
// It runs the engines of the built package.
if (!existsSync(join(ROOT, "dist", "worker.js"))) {
  const { buildPackageOnce } = await import("./built.mjs");
  console.error("Building the package first.");
  await buildPackageOnce();
}
const program = join(ROOT, "service", "cli", "main.ts");
const child = spawn(process.execPath, [commandScript("tsx"), program, ...process.argv.slice(2)], {
  stdio: "inherit",
  // Where npm was called: the paths of files are relative to it.
  cwd: process.env.INIT_CWD ?? process.cwd(),
});
// The terminal also sends the signals to the child, which finishes its work first.
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
  process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
