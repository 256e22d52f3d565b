// What assemble.mjs and link-codecs.mjs share: both make WebAssembly files that are not in the repository.
import { renameSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * Returns whether a file is newer than all that it is made of.
 *
 * @param {string} output
 * @param {readonly string[]} sources
 */
export function isCurrent(output, sources) {
  return modified(output) > Math.max(...sources.map(modified));
}

/**
 * @param {string} output
 * @param {Uint8Array} contents
 */
export function writeWasm(output, contents) {
  // Renaming is atomic. Two processes may make the file at the same time.
  const unfinished = join(output, "..", `${process.pid}-${basename(output)}`);
  writeFileSync(unfinished, contents);
  renameSync(unfinished, output);
}

/** @param {string} path */
function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
