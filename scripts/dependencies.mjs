// Installs the packages of package-lock.json. This file may import only Node's modules, because it runs on a fresh
// clone before anything is installed.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The path of the repository. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

const OLDEST_NODE = [20, 19];

/** Installs the packages of package-lock.json when one is missing. Ends the process when that fails. */
export function installDependencies() {
  refuseOldNode();
  if (isInstalled()) return;
  console.log("Installing dependencies …");
  if (npm("ci") === 0) return;
  // A registry may lack optional packages of other systems. `npm ci` then fails, and `npm install` does not.
  console.error("npm ci failed. Trying npm install, which skips optional packages that the registry lacks.");
  const status = npm("install", "--no-save");
  if (status === 0) return;
  console.error("The dependencies could not be installed. Is the npm registry within reach?");
  process.exit(status ?? 1);
}

/**
 * Returns the path of a package's command, to run with Node. This works on every system.
 *
 * @param {string} name the package
 * @param {string} [command] the command, when its name is not the name of the package
 */
export function commandScript(name, command = name.replace(/^.*\//, "")) {
  const folder = join(ROOT, "node_modules", name);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, typeof bin === "string" ? bin : bin[command]);
}

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  console.error(`Node ${OLDEST_NODE.join(".")} or later is needed; this is ${process.versions.node}.`);
  process.exit(1);
}

function isInstalled() {
  const installedLock = join(ROOT, "node_modules", ".package-lock.json");
  if (!existsSync(installedLock)) return false;
  const installed = packagesOf(installedLock);
  return Object.entries(packagesOf(join(ROOT, "package-lock.json"))).every(([path, wanted]) => {
    if (path === "") return true;
    const found = installed[path];
    // npm does not install optional packages of other systems.
    return found ? found.version === wanted.version : wanted.optional === true;
  });
}

/**
 * @param {string} lockFile
 * @returns {Record<string, { version: string, optional?: boolean }>}
 */
function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, "utf8")).packages;
}

/**
 * Returns what to spawn for npm.
 *
 * @param {string[]} args
 * @returns {{ command: string, args: string[], shell: boolean }}
 */
export function npmCommand(...args) {
  const script = process.env.npm_execpath;
  if (script?.endsWith("npm-cli.js"))
    return { command: process.execPath, args: [script, ...args], shell: false };
  if (process.platform !== "win32") return { command: "npm", args, shell: false };
  // On Windows, npm is a script for the shell. Node 24 warns of arguments beside `shell` (DEP0190).
  return { command: ["npm", ...args.map((one) => `"${one}"`)].join(" "), args: [], shell: true };
}

/**
 * Runs npm in the repository. Returns its exit status.
 *
 * @param {string[]} args
 */
export function npm(...args) {
  const { command, args: all, shell } = npmCommand(...args, "--no-audit", "--no-fund");
  return spawnSync(command, all, { cwd: ROOT, stdio: "inherit", shell }).status;
}
