import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { systemCode } from "./system-error.ts";

/**
 * The beginning of the names of working folders. Process ids are those of one machine, or of one container: others may share
 * the folder for temporary files.
 */
const PREFIX = `stayput-service-${hostname().replace(/\W/g, "_")}-`;

/** The folders of this process. */
const own = new Set<string>();

/** Makes a folder for the uploads and the work of this process, and deletes those of processes that have crashed. */
export function makeWorkingFolder(parent = tmpdir()): string {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(PREFIX) ? /^(\d+)-/.exec(name.slice(PREFIX.length))?.[1] : undefined;
    const path = join(parent, name);
    if (pid !== undefined && !own.has(path) && !isRunning(Number(pid))) removeFolder(path);
  }
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  own.add(folder);
  return folder;
}

/** Deletes a working folder, also when the process ends immediately. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  own.delete(folder);
}

/** Returns whether another process runs. In a container that has been restarted, an earlier process had the id of this one. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    // EPERM: it runs for another user.
    return systemCode(thrown) === "EPERM";
  }
}
