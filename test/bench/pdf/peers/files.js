import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const PASSWORD = "bench";
export const OWNER_PASSWORD = "owner";

/**
 * A package from this folder's own node_modules, which are there only when the benchmark has installed them: hence
 * the name in a variable.
 *
 * @param {string} name
 */
export const load = (name) => import(name);

/** @param {string} path */
export const read = (path) => new Uint8Array(readFileSync(path));

/**
 * @param {{ output: string }} task
 * @param {number} number
 * @param {Uint8Array} bytes
 */
export function write({ output }, number, bytes) {
  writeFileSync(join(output, `${String(number).padStart(6, "0")}.pdf`), bytes);
}
