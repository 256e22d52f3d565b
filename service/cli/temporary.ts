import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeWorkingFolder, removeFolder } from "../platform/working-folder.ts";
import { fileError } from "./file-errors.ts";

/** The folder of this process, once a call needs one. */
let working: string | undefined;

/** Results that are not complete. */
const unfinished = new Set<string>();

/**
 * Makes a folder for the large data of one call.
 *
 * @throws {ServiceError} `not_found` or `forbidden` when the folder for temporary files is not usable
 */
export function temporaryFolder(): string {
  try {
    working ??= makeWorkingFolder();
    return mkdtempSync(join(working, "call-"));
  } catch (thrown) {
    throw fileError(thrown, tmpdir(), "written");
  }
}

/** Marks a file that is not finished. It goes when the process is ended. */
export function markUnfinished(path: string): void {
  unfinished.add(path);
}

/** Removes a file or a folder at once, if it is there. */
export function removeTemporary(path: string): void {
  unfinished.delete(path);
  // A thread that is being ended may still write to its folder.
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Removes all that is temporary. A process that is killed cannot do that: the next one removes its folder. */
export function removeAllTemporary(): void {
  for (const path of unfinished) removeTemporary(path);
  if (working !== undefined) removeFolder(working);
  working = undefined;
}
