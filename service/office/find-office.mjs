// Finds programs. Plain JavaScript, because the scripts of this repository use it without a loader.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * Finds LibreOffice: the variable `SOFFICE`, then `PATH`, then its usual place on macOS and Windows.
 *
 * @returns {string | undefined}
 */
export function findOffice() {
  const usual = [
    "/Applications/LibreOffice.app/Contents/MacOS/soffice",
    "C:\\Program Files\\LibreOffice\\program\\soffice.exe",
  ];
  return process.env.SOFFICE || onPath("soffice") || onPath("libreoffice") || usual.find(isExecutable);
}

/**
 * Finds a program on `PATH`.
 *
 * @param {string} command
 * @returns {string | undefined}
 */
export function onPath(command) {
  const names = process.platform === "win32" ? [`${command}.exe`] : [command];
  return (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isExecutable);
}

/**
 * Returns whether this user can run a file.
 *
 * @param {string} file
 */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch (thrown) {
    // Any error of the system means that this user cannot run it.
    if (!(thrown instanceof Error && "syscall" in thrown)) throw thrown;
    return false;
  }
}
