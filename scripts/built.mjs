// What the tests of built files need: the package, its tarball, the service, and the demo with and without a service. Each is
// built when its sources have changed since.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { commandScript, npmCommand, ROOT } from "./dependencies.mjs";

const CACHE = join(ROOT, ".cache");

/** Holds the hash of the sources of the package in dist/. `npm run build` removes it. */
export const PACKAGE_STAMP = join(CACHE, "package-built-from");
const DEMO_STAMP = join(CACHE, "demo-built-from");

/** The package as npm publishes it. */
export const TARBALL = join(CACHE, "package", "stayput.tgz");

/** The program of the service, as npm installs it. */
export const SERVICE_PROGRAM = join(CACHE, "service", "node_modules", "stayput-service", "main.js");
const SERVICE_STAMP = join(CACHE, "service-built-from");

/** The built demo. */
export const DEMO = join(ROOT, "demo", "dist");

/** The demo with all that its host can choose: office conversions, as `npm start -- --service` has them, and sharing. */
export const DEMO_WITH_SERVICE = join(CACHE, "demo-with-service");

/** The URL of the service with which it is built. Nothing answers there. */
export const SERVICE_URL = "http://127.0.0.1:9";

const PACKAGE_SOURCES = ["bin", "scripts", "src", "workers"];
const NOT_SOURCES = /^(demo|service)\/dist\/|\.wasm$/;

/** @type {Promise<void> | undefined} */
let packageBuilt;

/** Builds and packs the package, unless dist/ has it. Several calls of one process wait for one build. */
export function buildPackageOnce() {
  packageBuilt ??= unlessBuilt(PACKAGE_STAMP, PACKAGE_SOURCES, [TARBALL, join(ROOT, "dist")], async () => {
    await run(process.execPath, [join(ROOT, "scripts", "build.mjs")]);
    await pack();
  });
  return packageBuilt;
}

/** Builds the service, unless it is there, and puts it beside the packages that it uses. */
export async function buildServiceOnce() {
  await buildPackageOnce();
  await unlessBuilt(SERVICE_STAMP, ["scripts", "src", "service"], [SERVICE_PROGRAM], async () => {
    await run(process.execPath, [join(ROOT, "scripts", "build-service.mjs")]);
    const service = dirname(SERVICE_PROGRAM);
    const packages = dirname(service);
    rmSync(packages, { recursive: true, force: true });
    cpSync(join(ROOT, "service", "dist"), service, { recursive: true });
    const { dependencies } = JSON.parse(readFileSync(join(service, "package.json"), "utf8"));
    for (const name of Object.keys(dependencies)) {
      mkdirSync(dirname(join(packages, name)), { recursive: true });
      const target = name === "stayput" ? ROOT : join(ROOT, "node_modules", name);
      // On Windows, only junctions need no rights of an administrator.
      symlinkSync(target, join(packages, name), "junction");
    }
  });
}

/** Builds the demo in both forms, unless they are there. */
export async function buildDemosOnce() {
  // The demo takes files of it.
  await buildPackageOnce();
  await unlessBuilt(DEMO_STAMP, [...PACKAGE_SOURCES, "demo"], [DEMO, DEMO_WITH_SERVICE], async () => {
    await buildDemo(DEMO);
    await buildDemo(DEMO_WITH_SERVICE, {
      VITE_SERVICE_URL: SERVICE_URL,
      VITE_SERVICE_KEY: "key",
      STAYPUT_SHARE_TARGET: "yes",
    });
  });
}

/**
 * Builds something unless a stamp says that it was made from the sources as they are.
 *
 * @param {string} stamp the file with the hash of the sources
 * @param {readonly string[]} folders that have sources
 * @param {readonly string[]} outputs
 * @param {() => Promise<void>} build
 */
async function unlessBuilt(stamp, folders, outputs, build) {
  const sources = hashOf(folders);
  const isThere = [stamp, ...outputs].every((path) => existsSync(path));
  if (isThere && readFileSync(stamp, "utf8") === sources) return;
  console.error(`Building ${relative(ROOT, outputs[0] ?? "")} first.`);
  // A build that fails leaves some of its files.
  rmSync(stamp, { force: true });
  await build();
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(stamp, sources);
}

/** Packs the built package. */
async function pack() {
  const folder = join(TARBALL, "..");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { command, args, shell } = npmCommand("pack", "--ignore-scripts", "--pack-destination", folder);
  await run(command, args, { shell });
  const [packed] = readdirSync(folder);
  if (packed === undefined) throw new Error("npm pack wrote no file");
  renameSync(join(folder, packed), TARBALL);
}

/**
 * Builds the demo in a process of its own, because the environment of the tests is not that of a release.
 *
 * @param {string} outDir
 * @param {NodeJS.ProcessEnv} [environment]
 */
function buildDemo(outDir, environment = {}) {
  const args = ["build", "--logLevel", "warn", "--outDir", outDir, "--emptyOutDir"];
  return run(process.execPath, [commandScript("vite"), ...args], {
    env: { ...process.env, ...environment, NODE_ENV: "production" },
  });
}

/**
 * Runs a program. Shows its output if it fails, and then ends this process with an error.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 */
async function run(command, args, options) {
  const child = spawn(command, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"], ...options });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (printed += chunk));
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}:\n${printed}`);
}

/**
 * Returns a hash of the names and contents of the files in some folders, and of those beside them that a build reads.
 *
 * @param {readonly string[]} folders
 */
function hashOf(folders) {
  const hash = createHash("sha256");
  const inFolders = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll("\\", "/")),
  );
  const beside = readdirSync(ROOT).filter((name) => /\.(json|md|ts|ya?ml)$|^LICENSE$/.test(name));
  for (const path of [...inFolders, ...beside].filter((path) => !NOT_SOURCES.test(path)).sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update("\0");
  }
  return hash.digest("hex");
}
