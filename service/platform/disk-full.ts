import { constants } from "node:os";
import { ServiceError } from "../../src/shared/errors.ts";
import { textOf } from "../../src/shared/failure.ts";

/** Node has no name for a quota that is used up (EDQUOT). */
const DISK_FULL = new RegExp(`\\b(ENOSPC|EDQUOT|Unknown system error -${constants.errno.EDQUOT}): `);

/** Returns whether a disk was full, or a quota used up. The error of a thread says so in its cause only. */
export function isDiskFull(thrown: unknown): boolean {
  return DISK_FULL.test(thrown instanceof ServiceError ? String(thrown.details.cause) : textOf(thrown));
}
