// Runs a TypeScript program of this repository, also on a fresh machine:
//   node scripts/run.mjs test/corpus/run.ts DIR
import { spawnSync } from "node:child_process";
import { commandScript, installDependencies } from "./dependencies.mjs";
import { setTestEnvironment } from "./environment.mjs";
import { makeWasm } from "./make-wasm.mjs";

installDependencies();
await makeWasm();
const { setUpMachine } = await import("./machine.mjs");
setUpMachine();
setTestEnvironment();

const { status, error } = spawnSync(process.execPath, [commandScript("tsx"), ...process.argv.slice(2)], {
  stdio: "inherit",
});
if (error) console.error(error.message);
process.exit(status ?? 1);
