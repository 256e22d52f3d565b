import { accessSync, constants, existsSync, statSync } from "node:fs";
import { basename, isAbsolute, resolve } from "node:path";
import { globSync } from "tinyglobby";
import { ServiceError } from "../../src/shared/errors.ts";
import { invalidParameter } from "../../src/shared/failure.ts";
import { StoredFile } from "../platform/stored-blob.ts";
import { fileError, folderGiven } from "./file-errors.ts";

/**
 * Returns the paths of files. A name with `*` or `?` that is no file is a pattern: some shells, such as that of Windows,
 * leave patterns to the program. Its files come in the order of their names.
 *
 * @throws {ServiceError} `missing_parameter` for no file, `not_found` for a pattern without a file, `invalid_parameter` for
 *   the standard input
 */
export function pathsOf(given: readonly string[]): readonly string[] {
  if (given.length === 0) throw new ServiceError("missing_parameter", "Name a file.", { parameter: "file" });
  if (given.includes("-"))
    throw invalidParameter("file", "The standard input is not read as a file. Save it, and name the file.");
  return given.flatMap((path) => (isPattern(path) ? matching(path) : [path]));
}

/**
 * Opens a file for a call, without reading it.
 *
 * @throws {ServiceError} `not_found`, `forbidden`; `unsupported_input` for a folder or a device
 */
export function openInput(path: string): StoredFile {
  try {
    const status = statSync(path);
    if (status.isDirectory()) throw folderGiven(path);
    if (!status.isFile())
      throw new ServiceError("unsupported_input", `"${path}" is no regular file. Save its content to one.`);
    accessSync(path, constants.R_OK);
    return StoredFile.at(resolve(path), basename(path));
  } catch (thrown) {
    throw fileError(thrown, path, "read");
  }
}

function isPattern(path: string): boolean {
  return /[*?]/.test(path) && !existsSync(path);
}

function matching(pattern: string): readonly string[] {
  const found = globSync(process.platform === "win32" ? pattern.replaceAll("\\", "/") : pattern, {
    expandDirectories: false,
    absolute: isAbsolute(pattern),
  });
  if (found.length > 0) return found.toSorted();
  throw new ServiceError("not_found", `No file matches "${pattern}". Check the pattern.`);
}
