// npm run service: runs the command stayput-service, as npm installs it. `npm run service -- --help` lists what it does.
import { spawn } from "node:child_process";
import { installDependencies } from "./dependencies.mjs";

/** Keeps some 75 MB of the buffers for a large file out of the memory, as in the image. */
const SPARING = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "65536",
  NODE_OPTIONS: "--max-semi-space-size=1",
};

installDependencies();
const { buildServiceOnce, SERVICE_PROGRAM } = await import("./built.mjs");
await buildServiceOnce();
const child = spawn(process.execPath, [SERVICE_PROGRAM, ...process.argv.slice(2)], {
  stdio: "inherit",
  // Where npm was called: the paths of files are relative to it.
  cwd: process.env.INIT_CWD ?? process.cwd(),
  env: { ...SPARING, ...process.env },
});
// The terminal also sends the signals to the child, which finishes its work first.
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
  process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
