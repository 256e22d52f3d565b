// npm run build: dist/, which a page imports with or without a bundler.
//
// The worker is a file of its own that holds everything it needs, and the page finds it by a literal
// `new URL("./worker.js", import.meta.url)`: the form that Vite, webpack and a plain page all understand. Vite's
// library mode would root it at /assets/ or inline it, which a strict Content-Security-Policy forbids.
//
// What only some jobs need stays out of the worker, in files that it loads by the same kind of URL: WebAssembly
// (imported as "….wasm?url"), and the JavaScript around it, which are the modules in folders called wasm/ that are
// imported dynamically. These are files for bundlers to copy, not code for them to bundle: a bundler that makes
// the worker a plain script (Vite does, unless told otherwise) cannot split it.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { basename, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { assemble } from "./assemble.mjs";
import { commandScript, installDependencies, ROOT } from "./dependencies.mjs";

/** @typedef {import("rolldown").OutputChunk} OutputChunk */

installDependencies();
await assemble();
const { rolldown } = await import("rolldown");

const DIST = join(ROOT, "dist");
const ENTRY_LIMIT = 6_000;
/** Vite inlines a smaller file as a `data:` URL, which a strict policy forbids. */
const SMALLEST_FILE = 4_096;

/** Where the sources name a worker, and what the built files call it. */
const WORKER_URLS = { "../../workers/worker.ts": "./worker.js" };

/** What packages leave out of their own notices. @type {Readonly<Record<string, string>>} */
const OTHER_NOTICES = {
  "lcms-wasm": "Little CMS: Copyright (c) 1998-2023 Marti Maria Saguer, under the same license.",
};

/**
 * Names that only Node has: a page would fail on them when it loads the file, or later, which is worse. Where they
 * stand for the global, and nowhere else, the bundler writes the marker.
 */
const NODE_NAMES = ["Buffer", "process", "global", "setImmediate", "__dirname", "__filename"];
const NODE_MARKER = "__only_node_has__";

rmSync(DIST, { recursive: true, force: true });
/** The WebAssembly files that the bundles name, by what they are called in dist/. @type {Map<string, string>} */
const wasmFiles = new Map();
const page = await bundle("src/index.ts", { codeSplitting: true });
const worker = await bundle("workers/worker.ts");
// One file: a service worker cannot load code later.
const serviceWorker = await bundle("src/service-worker.ts");
const loadedLater = new Set(
  worker.flatMap(({ code }) =>
    [...code.matchAll(/import\([^()]*new URL\("\.\/([\w-]+)\.js"/g)].map(([, name]) => name),
  ),
);
const engines = [];
for (const name of loadedLater) engines.push(...(await bundleEngine(name)));
for (const [name, path] of wasmFiles) writeFileSync(join(DIST, name), readFileSync(path));
writeTypes();
writeLicenses([...page, ...worker, ...serviceWorker, ...engines]);
checkWorkerUrls(page);
checkSizes(page, [...worker, ...serviceWorker, ...engines]);

/**
 * Bundles one entry into dist/, everything it imports included.
 *
 * @param {string} input
 * @param {{ codeSplitting?: boolean, isForeign?: boolean, minify?: boolean }} options `isForeign`: code that runs in
 *   Node as well and asks where it is; it is told that it is not in Node
 * @returns {Promise<OutputChunk[]>} the entry and, behind it, what it loads later
 */
async function bundle(input, { codeSplitting = false, isForeign = false, minify = true } = {}) {
  /** What the entry loads with it. @type {Set<string>} */
  const core = new Set();
  const build = await rolldown({
    input: join(ROOT, input),
    platform: "browser",
    tsconfig: join(ROOT, "tsconfig.json"),
    plugins: [renameWorkers(), keepWasmApart(), findStatic(core), ...(isForeign ? [withoutNode()] : [])],
    transform: {
      define: Object.fromEntries(
        NODE_NAMES.map((name) => [name, isForeign ? "undefined" : NODE_MARKER + name]),
      ),
    },
    onLog: (level, log) => {
      // An import that cannot be resolved, or a Node module put in the place of a browser's, is only a warning.
      if (level !== "debug") fail(`${input}: ${log.message}`);
    },
  });
  const { output } = await build.write({
    dir: DIST,
    format: "esm",
    // In one file, whatever of it the later files share: it compresses better, and takes one request.
    codeSplitting: codeSplitting && { groups: [{ name: "core", test: (id) => core.has(id) }] },
    minify,
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

/**
 * Bundles a file that the worker loads later, large enough to stay a file wherever it goes.
 *
 * @param {string | undefined} name
 */
async function bundleEngine(name) {
  const input = wasmModule(name);
  const minified = await bundle(input, { isForeign: true });
  if (minified.every(({ code }) => code.length >= SMALLEST_FILE)) return minified;
  const plain = await bundle(input, { isForeign: true, minify: false });
  if (plain.some(({ code }) => code.length < SMALLEST_FILE))
    fail(`${name}.js is so small that Vite inlines it`);
  return plain;
}

/**
 * Collects what an entry imports, and what that imports, but not what it loads later.
 *
 * @param {Set<string>} found
 * @returns {import("rolldown").Plugin}
 */
function findStatic(found) {
  return {
    name: "find-static",
    buildEnd() {
      const ids = [...this.getModuleIds()];
      const reached = new Set(ids.filter((id) => this.getModuleInfo(id)?.isEntry));
      for (const id of reached) {
        for (const imported of this.getModuleInfo(id)?.importedIds ?? []) {
          reached.add(imported);
          found.add(imported);
        }
      }
    },
  };
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

/**
 * What foreign code imports where it finds itself in Node: nothing.
 *
 * @returns {import("rolldown").Plugin}
 */
function withoutNode() {
  const EMPTY = "\0only-in-node";
  return {
    name: "without-node",
    resolveId: (source) => (isBuiltin(source) ? EMPTY : null),
    load: (id) => (id === EMPTY ? "export default undefined;" : null),
  };
}

/** @returns {import("rolldown").Plugin} */
function keepWasmApart() {
  return {
    name: "keep-wasm-apart",
    resolveId(source, importer) {
      if (!source.endsWith(".wasm?url") || importer === undefined) return null;
      const path = source.slice(0, -"?url".length);
      const file = path.startsWith(".")
        ? resolve(importer, "..", path)
        : createRequire(importer).resolve(path);
      return `${file}?url`;
    },
    load(id) {
      if (!id.endsWith(".wasm?url")) return null;
      const file = id.slice(0, -"?url".length);
      wasmFiles.set(basename(file), file);
      return `export default new URL("./${basename(file)}", import.meta.url).href;`;
    },
    transform(code, id) {
      // A package's own way to its WebAssembly file, which it does not take: it is given the compiled module.
      if (id.includes("node_modules")) {
        const rest = code.replaceAll(/new URL\((["'])[\w.-]+\.wasm\1,\s*import\.meta\.url\)(\.href)?/g, '""');
        return rest === code ? null : { code: rest, map: null };
      }
      // The comments keep bundlers from taking the file apart; minifying leaves them.
      const apart = code.replaceAll(
        /\bimport\("[^"]*\/wasm\/([\w-]+)\.ts"\)/g,
        'import(/* webpackIgnore: true */ /* @vite-ignore */ new URL("./$1.js", import.meta.url).href)',
      );
      return apart === code ? null : { code: apart, map: null };
    },
  };
}

/**
 * The source of a file that the worker loads later.
 *
 * @param {string | undefined} name
 */
function wasmModule(name) {
  const sources = readdirSync(join(ROOT, "workers"), { recursive: true, encoding: "utf8" });
  const path = sources.find((one) => one.endsWith(join("wasm", `${name}.ts`)));
  return (path && join("workers", path)) ?? fail(`no folder wasm/ under workers/ holds ${name}.ts`);
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
 * The notices that the licenses of the bundled packages ask to keep with copies.
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
    // Codecs keep the license of what they were compiled from in a folder of its own.
    const files = [".", "codec"]
      .map((place) => join(folder, place))
      .filter((place) => existsSync(place))
      .flatMap((place) => readdirSync(place).map((one) => join(place, one)))
      .filter((path) => /[\\/]licen[cs]e[^\\/]*$/i.test(path));
    const texts = files.map((path) => readFileSync(path, "utf8").trim());
    if (OTHER_NOTICES[name] !== undefined) texts.push(OTHER_NOTICES[name]);
    const text = texts.join("\n\n") || `License: ${license}`;
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
