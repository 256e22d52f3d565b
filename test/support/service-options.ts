import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { commandScript, ROOT } from "../../scripts/dependencies.mjs";

let known: string[] | undefined;

/** Returns the options of the command line of the service, with their dashes, as its help lists them. */
export function serviceOptions(): string[] {
  known ??= readOptions();
  return known;
}

function readOptions(): string[] {
  const program = join(ROOT, "service", "serve.ts");
  const args = [commandScript("tsx"), program, "--help"];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const names = [...stdout.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, name = ""]) => name);
  if (names.length === 0) throw new Error(`the service prints no options: ${stdout}${stderr}`);
  return names;
}
