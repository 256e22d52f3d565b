// npm run build: dist/, which a page imports with or without a bundler.
//
// The page finds the worker by a literal `new URL("./worker.js", import.meta.url)`: the form that Vite, webpack and a
// plain page all understand. Vite's library mode would root it at /assets/ or inline it, which a strict
// Content-Security-Policy forbids.
//
// worker.js has the code that protects and unlocks PDFs. Other code is in files that it loads by the same kind of URL:
// the engines (see worker-files.mjs), WebAssembly (imported as "….wasm?url"), and the JavaScript around WebAssembly,
// which is in folders called wasm/. Bundlers copy these files and do not bundle them: a bundler that makes the worker a
// classic script (Vite does by default) cannot split it.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { PACKAGE_STAMP } from "./built.mjs";
import { commandScript, installDependencies, ROOT } from "./dependencies.mjs";
import { writeLicenses } from "./licenses.mjs";
import { makeWasm } from "./make-wasm.mjs";
import { withoutNode } from "./without-node.mjs";

/** @typedef {import("rolldown").OutputChunk} OutputChunk */

installDependencies();
await makeWasm();
const { rolldown, RolldownMagicString } = await import("rolldown");
const { parseAst } = await import("rolldown/parseAst");
const { sealedPage } = await import("./sealed-page.mjs");
const { connectWorkerFiles, versionCheck, workerFileOf } = await import("./worker-files.mjs");

const DIST = join(ROOT, "dist");
const VERSION = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version;
const ENTRY_LIMIT = 6_000;
/** All that a page loads of the worker when it only protects PDFs. */
const WORKER_LIMIT = 55_000;
/** Each of the plugins for uploaders. */
const PLUGIN_LIMIT = 3_000;
/** Vite inlines a smaller file as a `data:` URL, which a strict policy forbids. */
const SMALLEST_FILE = 4_096;

/** The types of `require("stayput")`. A CommonJS declaration may import those of an ES module by name only. */
const REQUIRED_TYPES = `import type * as stayput from "./src/index.js" with { "resolution-mode": "import" };
export type * from "./src/index.js" with { "resolution-mode": "import" };
export declare const createClient: typeof stayput.createClient;
export declare const ServiceError: typeof stayput.ServiceError;
export type ServiceError = stayput.ServiceError;
export declare const PERMISSIONS: typeof stayput.PERMISSIONS;
export declare const CLEANED: typeof stayput.CLEANED;
`;

/** The types of `require("stayput/testing")`. */
const REQUIRED_TYPES_OF_TESTING = `import type * as testing from "./src/testing.js" with { "resolution-mode": "import" };
export type * from "./src/testing.js" with { "resolution-mode": "import" };
export declare const createMockClient: typeof testing.createMockClient;
`;

/** The module that the first call loads. */
const CALLS = /[\\/]src[\\/]calls\.ts$/;

/** Where the sources name a worker, and what the built files call it. */
const WORKER_URLS = { "../../workers/worker.ts": "./worker.js" };

/**
 * Globals that only Node has. A page would fail when it loads a file that uses them, or later. The bundler replaces each
 * use of the global by the marker, and the build fails when a file contains it.
 */
const NODE_NAMES = ["Buffer", "process", "global", "setImmediate", "__dirname", "__filename"];
const NODE_MARKER = "__only_node_has__";

rmSync(DIST, { recursive: true, force: true });
rmSync(PACKAGE_STAMP, { force: true });
/** The WebAssembly files that the bundles name, by their names in dist/. @type {Map<string, string>} */
const wasmFiles = new Map();
// The modules of the entry that later files share are in one file, because one file compresses better and takes one
// request. The modules that the first call loads are in another one.
const page = await bundle("src/index.ts", {
  fileOf: (id, core, call) => (core.has(id) ? "core" : call.has(id) ? "calls" : null),
});
const worker = await bundle("workers/worker.ts", {
  fileOf: workerFileOf,
  plugins: [connectWorkerFiles(VERSION)],
});
// One file: a service worker cannot load code later.
const serviceWorker = await bundle("src/service-worker.ts");
// The errors of the plugins are instances of the class that the page imports.
const uppy = await bundle("src/uppy.ts", {
  external: ["@uppy/core", "./index.js"],
  plugins: [errorsOfIndex()],
});
const filepond = await bundle("src/filepond.ts", { external: ["./index.js"], plugins: [errorsOfIndex()] });
const testing = await bundle("src/testing.ts", { external: ["./index.js"], plugins: [errorsOfIndex()] });
const codecs = [];
for (const file of new Set(worker.flatMap(({ dynamicImports }) => dynamicImports))) {
  if (file.endsWith(".js") && !worker.some(({ fileName }) => fileName === file))
    codecs.push(...(await bundleCodec(basename(file, ".js"))));
}
for (const [name, path] of wasmFiles) writeFileSync(join(DIST, name), readFileSync(path));
const workerFiles = [...worker, ...codecs].map(({ fileName }) => fileName);
writeFileSync(join(DIST, "sealed.html"), await sealedPage(VERSION, [...workerFiles, ...wasmFiles.keys()]));
await bundle("src/index.ts", { fileName: "index.cjs", plugins: [withoutWorker()] });
await bundle("src/testing.ts", {
  fileName: "testing.cjs",
  external: ["./index.cjs"],
  plugins: [errorsOfIndex("./index.cjs")],
});
writeTypes();
writeLicenses(
  DIST,
  [...page, ...worker, ...serviceWorker, ...uppy, ...filepond, ...testing, ...codecs].flatMap(
    ({ moduleIds }) => moduleIds,
  ),
  wasmFiles,
);
checkWorkerUrls(page);
checkSizes(page, worker, [...serviceWorker, ...uppy, ...filepond, ...testing, ...codecs]);

/**
 * Bundles one entry into dist/, with everything it imports.
 *
 * @param {string} input
 * @param {object} options
 * @param {(id: string, core: ReadonlySet<string>, call: ReadonlySet<string>) => string | null} [options.fileOf] the name
 *   of the file for a module; `core` are the modules that the entry imports statically, `call` src/calls.ts and those
 *   that it imports. One file for all when absent.
 * @param {string} [options.fileName] the name of the file for the entry; `.cjs` makes it a CommonJS file
 * @param {string[]} [options.external] the packages of the app that the file imports
 * @param {import("rolldown").Plugin[]} [options.plugins]
 * @param {boolean} [options.isForeign] code of a package that also runs in Node, and detects where it runs
 * @param {boolean} [options.minify]
 * @returns {Promise<OutputChunk[]>} the entry and the files that it loads later
 */
async function bundle(
  input,
  { fileOf, fileName = "[name].js", external = [], plugins = [], isForeign = false, minify = true } = {},
) {
  /** @type {Set<string>} */
  const core = new Set();
  /** @type {Set<string>} */
  const call = new Set();
  const build = await rolldown({
    input: join(ROOT, input),
    platform: "browser",
    external,
    tsconfig: join(ROOT, "tsconfig.json"),
    preserveEntrySignatures: "allow-extension",
    plugins: [
      renameWorkers(),
      keepWasmApart(),
      findStatic(core, (module) => module.isEntry),
      findStatic(call, (module) => CALLS.test(module.id)),
      ...plugins,
      ...(isForeign ? [withoutNode(), checkVersion()] : []),
    ],
    transform: {
      define: {
        __STAYPUT_VERSION__: JSON.stringify(VERSION),
        ...Object.fromEntries(NODE_NAMES.map((name) => [name, isForeign ? "undefined" : NODE_MARKER + name])),
      },
    },
    // On a busy machine, slow plugins would cause a warning, and each warning fails the build.
    checks: { bundlerTimings: false },
    onLog: (level, log) => {
      // For the bundler, an unresolved import and a replaced Node module are warnings only.
      if (level !== "debug") fail(`${input}: ${log.message}`);
    },
  });
  const { output } = await build.write({
    dir: DIST,
    format: fileName.endsWith(".cjs") ? "cjs" : "esm",
    codeSplitting: fileOf !== undefined && {
      includeDependenciesRecursively: false,
      groups: [{ name: (id) => fileOf(id, core, call), debugName: input }],
    },
    minify,
    // The maps stay out of the package, so no file names them.
    sourcemap: "hidden",
    entryFileNames: fileName,
    chunkFileNames: "[name].js",
  });
  await build.close();

  const chunks = output.filter((file) => file.type === "chunk");
  for (const { fileName, code } of chunks) {
    const marker = code.indexOf(NODE_MARKER);
    if (marker >= 0) fail(`${fileName} needs Node: …${code.slice(marker - 60, marker + 60)}…`);
    const foreign = parseAst(code).body.flatMap((node) => {
      const path = node.type === "ImportDeclaration" ? node.source.value : "";
      const isKnown = external.includes(path) || chunks.some((chunk) => `./${chunk.fileName}` === path);
      return path === "" || isKnown ? [] : [path];
    });
    if (foreign.length > 0) fail(`${fileName} imports ${foreign.join(", ")} from outside dist/`);
    if (/data:(?:text|application)\/javascript/.test(code)) fail(`${fileName} inlines a worker`);
  }
  return chunks.sort((one, other) => Number(other.isEntry) - Number(one.isEntry));
}

/**
 * Bundles a module of a folder wasm/ into a file that is too large for bundlers to inline.
 *
 * @param {string} name
 */
async function bundleCodec(name) {
  const input = wasmModule(name);
  const minified = await bundle(input, { isForeign: true });
  if (minified.every(({ code }) => code.length >= SMALLEST_FILE)) return minified;
  const plain = await bundle(input, { isForeign: true, minify: false });
  if (plain.some(({ code }) => code.length < SMALLEST_FILE))
    fail(`${name}.js is so small that Vite inlines it`);
  return plain;
}

/**
 * Replaces the worker of the CommonJS file, which is for Jest and other programs in Node that call `require`. Bundlers
 * take the ES modules instead: see the condition "module" in package.json.
 *
 * @returns {import("rolldown").Plugin}
 */
function withoutWorker() {
  return {
    name: "without-worker",
    load: (id) =>
      /[\\/]default-worker\.ts$/.test(id)
        ? `export function createDefaultWorker() {
            throw new Error(globalThis.Worker ? "import stayput as an ES module" : "Worker is not defined");
          }`
        : null,
  };
}

/**
 * Imports `ServiceError` from the entry instead of bundling it. No class is in two files, so `instanceof` works.
 *
 * @param {string} [entry]
 * @returns {import("rolldown").Plugin}
 */
function errorsOfIndex(entry = "./index.js") {
  return {
    name: "errors-of-index",
    resolveId: (source) => (/[\\/]errors\.ts$/.test(source) ? { id: entry, external: true } : null),
  };
}

/**
 * Collects the modules that some modules import statically, and these modules unless they are entries.
 *
 * @param {Set<string>} found
 * @param {(module: import("rolldown").ModuleInfo) => boolean} isRoot
 * @returns {import("rolldown").Plugin}
 */
function findStatic(found, isRoot) {
  return {
    name: "find-static",
    buildEnd() {
      const modules = [...this.getModuleIds()].flatMap((id) => this.getModuleInfo(id) ?? []);
      const roots = modules.filter(isRoot);
      const reached = new Set(roots.map((module) => module.id));
      for (const { id, isEntry } of roots) if (!isEntry) found.add(id);
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
        // The minifier writes strings between backticks. Some bundlers do not read them as literals.
        if (file.type === "chunk") file.code = file.code.replaceAll(/(?<=new URL\()`([^`$]+)`/g, '"$1"');
      }
    },
  };
}

/** @returns {import("rolldown").Plugin} */
function checkVersion() {
  return {
    name: "check-version",
    renderChunk(code, { fileName }) {
      const text = new RolldownMagicString(code);
      text.prepend(versionCheck(fileName, VERSION));
      return { code: text.toString(), map: text.generateMap({ hires: true }).toString() };
    },
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
        : fileURLToPath(import.meta.resolve(path));
      wasmFiles.set(basename(file), file);
      return { id: `./${basename(file)}`, external: true };
    },
    resolveDynamicImport(specifier) {
      const name = typeof specifier === "string" && /\/wasm\/([\w-]+)\.ts$/.exec(specifier)?.[1];
      return name ? { id: `./${name}.js`, external: true } : null;
    },
    transform(code, id) {
      // Removes the URL of a package's own WebAssembly file. The package gets the compiled module instead.
      if (!id.includes("node_modules")) return null;
      const rest = code.replaceAll(/new URL\((["'])[\w.-]+\.wasm\1,\s*import\.meta\.url\)(\.href)?/g, '""');
      return rest === code ? null : { code: rest, map: null };
    },
  };
}

/**
 * Returns the source of a file for {@link bundleCodec}.
 *
 * @param {string} name
 */
function wasmModule(name) {
  const sources = readdirSync(join(ROOT, "workers"), { recursive: true, encoding: "utf8" });
  const path = sources.find((one) => one.endsWith(join("wasm", `${name}.ts`)));
  return (path && join("workers", path)) ?? fail(`no folder wasm/ under workers/ holds ${name}.ts`);
}

/**
 * Writes the declarations for TypeScript. The compiler writes those of all modules, with imports that end in `.ts`. This
 * function changes the endings, and removes the declarations that the entries do not reach: they may import packages that
 * an app does not have.
 */
function writeTypes() {
  const args = [commandScript("typescript", "tsc"), "-p", "tsconfig.build.json"];
  if (spawnSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" }).status !== 0) {
    fail("the declarations could not be written");
  }
  const folder = join(DIST, "types");
  const entries = ["index", "service-worker", "uppy", "filepond", "testing"];
  const reached = new Set(entries.map((name) => join(folder, "src", `${name}.d.ts`)));
  for (const file of reached) {
    const text = readFileSync(file, "utf8").replaceAll(
      /((?:from|import)\s*\(?\s*)(["'])(\.[^"']*)\.ts\2/g,
      (_, before, quote, path) => {
        reached.add(join(file, "..", `${path}.d.ts`));
        return `${before}${quote}${path}.js${quote}`;
      },
    );
    writeFileSync(file, text);
  }
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const file = join(folder, path);
    if (path.endsWith(".d.ts") && !reached.has(file)) rmSync(file);
  }
  writeFileSync(
    join(folder, "worker.d.ts"),
    "// Made to be loaded as a module worker: it exports nothing.\nexport {};\n",
  );
  writeFileSync(join(folder, "index.d.cts"), REQUIRED_TYPES);
  writeFileSync(join(folder, "testing.d.cts"), REQUIRED_TYPES_OF_TESTING);
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
 * Prints the sizes. Checks the limits of the entry, which a page loads when it imports the package, and of worker.js.
 *
 * @param {readonly OutputChunk[]} page
 * @param {readonly OutputChunk[]} worker
 * @param {readonly OutputChunk[]} others
 */
function checkSizes(page, worker, others) {
  for (const { fileName, code } of worker) {
    if (code.length < SMALLEST_FILE) fail(`${fileName} is so small that Vite inlines it`);
  }
  const size = new Map(
    [...page, ...worker, ...others].map(({ fileName, code }) => [fileName, gzipSync(code).length]),
  );
  for (const [fileName, bytes] of size) console.log(`dist/${fileName}  ${bytes} bytes gzip`);

  const loaded = new Set(page.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName));
  for (const fileName of loaded) {
    for (const path of page.find((chunk) => chunk.fileName === fileName)?.imports ?? []) loaded.add(path);
  }
  const entry = [...loaded].reduce((sum, fileName) => sum + (size.get(fileName) ?? 0), 0);
  console.log(`The entry, ${[...loaded].join(" and ")}: ${entry} bytes gzip of ${ENTRY_LIMIT} at most`);
  if (entry >= ENTRY_LIMIT) fail("the entry is too large");
  const workerBytes = size.get("worker.js") ?? 0;
  console.log(`worker.js: ${workerBytes} bytes gzip of ${WORKER_LIMIT} at most`);
  if (workerBytes > WORKER_LIMIT) fail("worker.js is too large");
  for (const plugin of ["uppy.js", "filepond.js"]) {
    if ((size.get(plugin) ?? Infinity) > PLUGIN_LIMIT) fail(`${plugin} is too large`);
  }
}

/**
 * @param {string} reason
 * @returns {never}
 */
function fail(reason) {
  console.error(`Build failed: ${reason}`);
  process.exit(1);
}
