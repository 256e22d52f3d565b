// npm run service: a stand-in for the remote service, over LibreOffice. Takes --port, --host and --key-file.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { commandScript, installDependencies, ROOT } from "./dependencies.mjs";

installDependencies();
const program = join(ROOT, "demo", "service", "main.ts");
const child = spawn(process.execPath, [commandScript("tsx"), program, ...process.argv.slice(2)], {
  stdio: "inherit",
});
// The terminal sends them to the child as well, which ends in its own time.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill("SIGTERM"));
child.on("exit", (code) => process.exit(code ?? 1));
