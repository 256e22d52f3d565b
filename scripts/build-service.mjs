// npm run build:service: service/dist/, the package stayput-service as npm publishes it. Its code is bundled with what it uses
// of src/. Other packages stay dependencies, and so does stayput, whose worker it runs.
import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installDependencies, ROOT } from "./dependencies.mjs";

installDependencies();
const { rolldown } = await import("rolldown");
const { parse } = await import("yaml");

const SERVICE = join(ROOT, "service");
const DIST = join(SERVICE, "dist");
/** The program, and the script of its threads, which must be beside it. */
const ENTRIES = { main: "cli/main.ts", "worker-thread": "platform/worker-thread.ts" };
/** What only the sources need. */
const ONLY_SOURCES = ["tsx", "yaml"];

const { version, repository, bugs, homepage } = readJson(join(ROOT, "package.json"));
const { private: _, ...own } = readJson(join(SERVICE, "package.json"));
const external = [...Object.keys(own.dependencies), ...ONLY_SOURCES];

rmSync(DIST, { recursive: true, force: true });
const build = await rolldown({
  input: Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, join(SERVICE, path)])),
  platform: "node",
  external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
  tsconfig: join(ROOT, "tsconfig.json"),
  transform: { define: { __STAYPUT_VERSION__: JSON.stringify(version) } },
  checks: { bundlerTimings: false },
  onLog: (level, log) => {
    if (level !== "debug") throw new Error(log.message);
  },
});
await build.write({
  dir: DIST,
  entryFileNames: "[name].js",
  chunkFileNames: "[name].js",
  banner: ({ name }) => (name === "main" ? "#!/usr/bin/env node" : ""),
});
await build.close();
chmodSync(join(DIST, "main.js"), 0o755);

writeJson("openapi.json", parse(readFileSync(join(ROOT, "openapi.yaml"), "utf8")));
writeJson("package.json", {
  ...own,
  version,
  repository,
  bugs,
  homepage,
  bin: { "stayput-service": "main.js" },
  engines: { node: ">=20.19" },
  dependencies: { ...own.dependencies, stayput: version },
});
cpSync(join(ROOT, "LICENSE"), join(DIST, "LICENSE"));
cpSync(join(SERVICE, "README.md"), join(DIST, "README.md"));
console.log(`stayput-service ${version} is in service/dist`);

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/**
 * @param {string} name
 * @param {object} value
 */
function writeJson(name, value) {
  writeFileSync(join(DIST, name), `${JSON.stringify(value, null, 2)}\n`);
}
