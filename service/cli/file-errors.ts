import { ServiceError } from "../../src/shared/errors.ts";
import { internalError } from "../../src/shared/failure.ts";
import { isDiskFull, systemCode } from "../platform/system-error.ts";

/**
 * Returns an error of the file system as an error of the contract. Passes on other errors.
 *
 * @param path the file that it is about. It is in the message
 */
export function fileError(thrown: unknown, path: string, doing: "read" | "written"): unknown {
  const code = systemCode(thrown);
  if (isDiskFull(thrown))
    return internalError(`"${path}" cannot be ${doing}: the disk is full. Make room and try again.`, code);
  switch (code) {
    case undefined:
      return thrown;
    case "ENOENT":
    case "ENOTDIR":
      return new ServiceError("not_found", `There is no file or folder "${path}". Check the path.`);
    case "ENAMETOOLONG":
      return new ServiceError("not_found", `There can be no file or folder "${path}": the name is too long.`);
    case "ELOOP":
      return new ServiceError("not_found", `"${path}" leads to no file: its symbolic links form a loop.`);
    case "EISDIR":
      return folderGiven(path);
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new ServiceError("forbidden", `"${path}" may not be ${doing}. Check its permissions.`);
    default:
      return internalError(`"${path}" cannot be ${doing}: ${code}.`, code);
  }
}

/** Returns the error for a folder in place of a file. */
export function folderGiven(path: string): ServiceError {
  return new ServiceError(
    "unsupported_input",
    `"${path}" is a folder. Name the files in it, such as ${path}/*.pdf.`,
  );
}
