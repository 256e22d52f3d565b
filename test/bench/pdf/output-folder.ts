import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { Scratch } from "../../support/native-tools.ts";

/** Makes the folder empty, whatever was in it. */
export function emptyFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

/** The files in a folder, by name. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
}

/** How many bytes the files in a folder have together. */
export function bytesIn(folder: string): number {
  return filesIn(folder).reduce((sum, path) => sum + statSync(path).size, 0);
}

/** A scratch folder that goes with this process, whatever ends it early: it holds gigabytes. */
export function runScratch(): Scratch {
  const scratch = new Scratch();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));
  process.once("exit", () => scratch.remove());
  return scratch;
}
