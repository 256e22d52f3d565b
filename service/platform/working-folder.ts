import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
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

/** Makes a folder for the uploads and the work of this process, and deletes those of this user's processes that have crashed. */
export function makeWorkingFolder(parent = tmpdir()): string {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(PREFIX) ? /^(\d+)-/.exec(name.slice(PREFIX.length))?.[1] : undefined;
    const path = join(parent, name);
    if (pid !== undefined && !own.has(path) && !isRunning(Number(pid)) && isOurs(path)) removeFolder(path);
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

/** Returns whether a folder is of the user of this process. Others may not be deleted, and must not stop this process. */
function isOurs(folder: string): boolean {
  // Windows has no user ids: Node reports 0 there.
  return lstatSync(folder, { throwIfNoEntry: false })?.uid === (process.getuid?.() ?? 0);
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
