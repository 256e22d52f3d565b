import { constants } from "node:os";
import { ServiceError } from "../../src/shared/errors.ts";
import { textOf } from "../../src/shared/failure.ts";

/** The beginning of the message of such an error. Node has no name for a quota that is used up (EDQUOT). */
const DISK_FULL = new RegExp(`\\b(ENOSPC|EDQUOT|Unknown system error -${constants.errno.EDQUOT}): `);

/** The errors for a file that is absent, or that is a folder. The last is that of `rm`. */
const ABSENT: ReadonlySet<string | undefined> = new Set(["ENOENT", "EISDIR", "ERR_FS_EISDIR"]);

/** Returns the code of an error of the system, such as `ENOENT`. */
export function systemCode(thrown: unknown): string | undefined {
  const isOfSystem = thrown instanceof Error && "syscall" in thrown && "code" in thrown;
  return isOfSystem && typeof thrown.code === "string" ? thrown.code : undefined;
}

/** Returns what a promise of the file system resolves to, or undefined when the file is absent, or is a folder. */
export async function unlessAbsent<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  try {
    return await promise;
  } catch (thrown) {
    if (ABSENT.has(systemCode(thrown))) return undefined;
    throw thrown;
  }
}

/**
 * Returns whether a disk was full, or a quota used up. The cause of an error of a thread is the message of Node, such as
 * "ENOSPC: no space left on device, write". A cause that is the code alone does not count: cli/file-errors.ts makes such errors,
 * and their messages already name the full disk.
 */
export function isDiskFull(thrown: unknown): boolean {
  return DISK_FULL.test(thrown instanceof ServiceError ? String(thrown.details.cause) : textOf(thrown));
}
