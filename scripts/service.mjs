// npm run service: runs a stand-in for the remote service, over LibreOffice. Options: --port, --host, --key-file.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { commandScript, installDependencies, ROOT } from "./dependencies.mjs";

installDependencies();
const program = join(ROOT, "demo", "service", "main.ts");
const child = spawn(process.execPath, [commandScript("tsx"), program, ...process.argv.slice(2)], {
  stdio: "inherit",
});
// The terminal also sends the signals to the child, which finishes its work first.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill("SIGTERM"));
child.on("exit", (code) => process.exit(code ?? 1));
