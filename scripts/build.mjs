// npm run build: dist/, which a page imports with or without a bundler.
//
// The worker is a file of its own that holds everything it needs, and the page finds it by a literal
// `new URL("./worker.js", import.meta.url)`: the form that Vite, webpack and a plain page all understand. Vite's
// library mode would root it at /assets/ or inline it, which a strict Content-Security-Policy forbids.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { commandScript, installDependencies, ROOT } from "./dependencies.mjs";

/** @typedef {import("rolldown").OutputChunk} OutputChunk */

installDependencies();
const { rolldown } = await import("rolldown");

const DIST = join(ROOT, "dist");
const ENTRY_LIMIT = 6_000;

/** Where the sources name a worker, and what the built files call it. */
const WORKER_URLS = { "../workers/worker.ts": "./worker.js" };

/**
 * Names that only Node has: a page would fail on them when it loads the file, or later, which is worse. Where they
 * stand for the global, and nowhere else, the bundler writes the marker.
 */
const NODE_NAMES = ["Buffer", "process", "global", "setImmediate", "__dirname", "__filename"];
const NODE_MARKER = "__only_node_has__";

rmSync(DIST, { recursive: true, force: true });
const page = await bundle("src/index.ts", { codeSplitting: true });
const worker = await bundle("workers/worker.ts", { codeSplitting: false });
writeTypes();
writeLicenses([...page, ...worker]);
checkWorkerUrls(page);
checkSizes(page, worker);

/**
 * Bundles one entry into dist/, everything it imports included.
 *
 * @param {string} input
 * @param {{ codeSplitting: boolean }} options
 * @returns {Promise<OutputChunk[]>} the entry and, behind it, what it loads later
 */
async function bundle(input, { codeSplitting }) {
  const build = await rolldown({
    input: join(ROOT, input),
    platform: "browser",
    tsconfig: join(ROOT, "tsconfig.json"),
    plugins: [renameWorkers()],
    transform: { define: Object.fromEntries(NODE_NAMES.map((name) => [name, NODE_MARKER + name])) },
    onLog: (level, log) => {
      // An import that cannot be resolved, or a Node module put in the place of a browser's, is only a warning.
      if (level !== "debug") fail(`${input}: ${log.message}`);
    },
  });
  const { output } = await build.write({
    dir: DIST,
    format: "esm",
    codeSplitting,
    minify: true,
    sourcemap: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
  });
  await build.close();

  const chunks = output.filter((file) => file.type === "chunk");
  for (const { fileName, code, imports } of chunks) {
    const marker = code.indexOf(NODE_MARKER);
    if (marker >= 0) fail(`${fileName} needs Node: …${code.slice(marker - 60, marker + 60)}…`);
    const foreign = imports.filter((path) => !chunks.some((chunk) => chunk.fileName === path));
    if (foreign.length > 0) fail(`${fileName} imports ${foreign.join(", ")} from outside dist/`);
    if (/data:(?:text|application)\/javascript/.test(code)) fail(`${fileName} inlines a worker`);
  }
  return chunks.sort((one, other) => Number(other.isEntry) - Number(one.isEntry));
}

/** @returns {import("rolldown").Plugin} */
function renameWorkers() {
  return {
    name: "rename-workers",
    transform(code) {
      let renamed = code;
      for (const [source, built] of Object.entries(WORKER_URLS)) renamed = renamed.replaceAll(source, built);
      return renamed === code ? null : { code: renamed, map: null };
    },
    generateBundle(_, output) {
      for (const file of Object.values(output)) {
        // The minifier writes strings between backticks, which not every bundler takes for a literal.
        if (file.type === "chunk") file.code = file.code.replaceAll(/(?<=new URL\()`([^`$]+)`/g, '"$1"');
      }
    },
  };
}

/** Declarations for TypeScript. The compiler leaves the `.ts` of the sources' imports in them. */
function writeTypes() {
  const args = [commandScript("typescript", "tsc"), "-p", "tsconfig.build.json"];
  if (spawnSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" }).status !== 0) {
    fail("the declarations could not be written");
  }
  const folder = join(DIST, "types");
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".d.ts")) continue;
    const file = join(folder, path);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replaceAll(/((?:from|import)\s*\(?\s*)(["'])(\.[^"']*)\.ts\2/g, "$1$2$3.js$2"));
  }
  writeFileSync(
    join(folder, "worker.d.ts"),
    "// Made to be loaded as a module worker: it exports nothing.\nexport {};\n",
  );
}

/**
 * The notices that the licences of the bundled packages ask to keep with copies.
 *
 * @param {readonly OutputChunk[]} chunks
 */
function writeLicenses(chunks) {
  const folders = new Set();
  for (const id of chunks.flatMap((chunk) => chunk.moduleIds)) {
    const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0];
    if (folder) folders.add(folder);
  }
  const notices = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const text = file ? readFileSync(join(folder, file), "utf8").trim() : `Licence: ${license}`;
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  const title = "Stayput's built files contain parts of these packages.\n";
  writeFileSync(join(DIST, "THIRD-PARTY-LICENSES.txt"), [title, ...notices].join(`\n${"-".repeat(78)}\n\n`));
}

/** @param {readonly OutputChunk[]} chunks */
function checkWorkerUrls(chunks) {
  for (const built of Object.values(WORKER_URLS)) {
    if (!existsSync(join(DIST, built))) fail(`dist/${built} is missing`);
    if (!chunks.some(({ code }) => code.includes(`new Worker(new URL("${built}",import.meta.url)`))) {
      fail(`no file names ${built} in the form that bundlers look for`);
    }
  }
}

/**
 * Prints the sizes, and holds the entry to its limit: what a page loads when it imports the package.
 *
 * @param {readonly OutputChunk[]} page
 * @param {readonly OutputChunk[]} worker
 */
function checkSizes(page, worker) {
  const size = new Map([...page, ...worker].map(({ fileName, code }) => [fileName, gzipSync(code).length]));
  for (const [fileName, bytes] of size) console.log(`dist/${fileName}  ${bytes} bytes gzip`);

  const loaded = new Set(page.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName));
  for (const fileName of loaded) {
    for (const path of page.find((chunk) => chunk.fileName === fileName)?.imports ?? []) loaded.add(path);
  }
  const entry = [...loaded].reduce((sum, fileName) => sum + (size.get(fileName) ?? 0), 0);
  console.log(`The entry, ${[...loaded].join(" and ")}: ${entry} bytes gzip of ${ENTRY_LIMIT} at most`);
  if (entry >= ENTRY_LIMIT) fail("the entry is too large");
}

/**
 * @param {string} reason
 * @returns {never}
 */
function fail(reason) {
  console.error(`Build failed: ${reason}`);
  process.exit(1);
}
