// How the worker is cut into files. A static import joins two modules in one file; a dynamic import loads another file.
// No code is in two files: the later files use what worker.js has, so classes and module state exist once.
//
// Bundlers copy the later files under new names and do not change their contents, and a worker that a bundler makes a
// classic script has no exports. So only worker.js names the other files, each by a literal URL. The other files get
// their imports from an object that worker.js creates, `globalThis.__stayput__`:
//
//     import { a as b } from "./worker.js"    →  const { a: b } = globalThis.__stayput__.loaded["worker.js"]
//     import address from "./codec.wasm"      →  const address = globalThis.__stayput__.url("codec.wasm")
//     import("./image.js")                    →  globalThis.__stayput__.load("image.js")
//     import("./codec.wasm")                  →  Promise.resolve({ default: globalThis.__stayput__.url("codec.wasm") })
//
// A later file is a function, so that the browser may load it before the files that it needs.
import { basename, join, relative, sep } from "node:path";
import { RolldownMagicString } from "rolldown";
import { Visitor } from "rolldown/utils";
import { ROOT } from "./dependencies.mjs";

/**
 * The file of a module, by the start of its path under workers/. Modules that several files use are in the one that these
 * files load: compress.js and render.js load pdf-pages.js and image.js. What both of those use is in worker.js.
 */
const FILES = Object.entries({
  "pdf/": "pdf-pages",
  "merge/": "pdf-pages",
  "archive/": "pdf-pages",
  "compress/": "compress",
  "image/": "image",
  "codecs/": "image",
  "parallel/": "image",
  "wasm/": "image",
  "io/deflater.ts": "image",
  "io/file-bytes.ts": "image",
  "render/": "render",
});

const WORKER = "worker.js";
/** A few lines of the bundler for dynamic imports, in a file that would be too small. They move into worker.js. */
const RUNTIME = "rolldown-runtime.js";
const GLOBAL = "globalThis.__stayput__";

/**
 * Returns the name of the file that a module of the worker goes into.
 *
 * @param {string} id
 * @param {ReadonlySet<string>} core the modules that worker.ts imports statically
 */
export function workerFileOf(id, core) {
  if (core.has(id)) return "worker";
  const path = relative(join(ROOT, "workers"), id).replaceAll(sep, "/");
  return FILES.find(([start]) => path.startsWith(start))?.[1] ?? "worker";
}

/**
 * Rewrites the imports between the files of the worker. An import or export in a form that this function does not know
 * fails the build. docs/decisions/packaging.md says why the bundler's hooks cannot do this.
 *
 * @param {string} version of the package
 * @returns {import("rolldown").Plugin}
 */
export function connectWorkerFiles(version) {
  return {
    name: "connect-worker-files",
    renderChunk(code, { fileName }, _options, { chunks }) {
      const text = new RolldownMagicString(code);
      /** @type {(node: import("rolldown/utils").ESTree.Span, replacement: string | undefined) => void} */
      const replace = ({ start, end }, replacement) => {
        if (replacement === undefined)
          this.error(`${fileName} has an unknown form: ${code.slice(start, end)}`);
        else if (replacement === "") text.remove(start, end);
        else text.overwrite(start, end, replacement);
      };
      const isLater = fileName !== WORKER && fileName !== RUNTIME;
      new Visitor({
        ImportDeclaration: (node) => replace(node, withoutImport(node)),
        ImportExpression: (node) => replace(node, withoutDynamicImport(node)),
        ExportNamedDeclaration: (node) => replace(node, withoutExport(node, fileName)),
        ExportDefaultDeclaration: (node) => replace(node, undefined),
        ExportAllDeclaration: (node) => replace(node, undefined),
      }).visit(this.parse(code));
      if (fileName === WORKER) text.prepend(loader(Object.values(chunks), version));
      else if (isLater)
        text.prepend(`${versionCheck(fileName, version)}export function run() {\n`).append("\n}");
      return { code: text.toString(), map: text.generateMap({ hires: true }).toString() };
    },
    generateBundle(_options, bundle) {
      const worker = bundle[WORKER];
      const runtime = bundle[RUNTIME];
      if (worker?.type !== "chunk" || runtime?.type !== "chunk") return;
      worker.code += `\n(()=>{${runtime.code.trim()}})();`;
      delete bundle[RUNTIME];
      delete bundle[`${RUNTIME}.map`];
    },
  };
}

/**
 * Writes a static import as a use of the loader. Returns `undefined` for a form that it does not know.
 *
 * @param {import("rolldown/utils").ESTree.ImportDeclaration} node
 */
function withoutImport({ source, specifiers }) {
  const file = fileOf(source);
  const [first] = specifiers;
  if (file?.endsWith(".wasm") && specifiers.length === 1 && first?.type === "ImportDefaultSpecifier")
    return `const ${first.local.name} = ${GLOBAL}.url("${file}");`;
  if (!file?.endsWith(".js")) return undefined;
  // The loader loads it first.
  if (specifiers.length === 0) return "";
  const names = specifiers.map((one) =>
    one.type === "ImportSpecifier" ? property(one.imported, one.local) : undefined,
  );
  return names.includes(undefined) ? undefined : `const {${names.join(", ")}} = ${GLOBAL}.loaded["${file}"];`;
}

/**
 * Writes a dynamic import as a use of the loader. Returns `undefined` for a form that it does not know.
 *
 * @param {import("rolldown/utils").ESTree.ImportExpression} node
 */
function withoutDynamicImport({ source, options }) {
  const file = fileOf(source);
  if (options !== null) return undefined;
  if (file?.endsWith(".wasm")) return `Promise.resolve({ default: ${GLOBAL}.url("${file}") })`;
  return file?.endsWith(".js") ? `${GLOBAL}.load("${file}")` : undefined;
}

/**
 * Writes the exports of a file as an assignment. Returns `undefined` for a form that it does not know.
 *
 * @param {import("rolldown/utils").ESTree.ExportNamedDeclaration} node
 * @param {string} file
 */
function withoutExport({ declaration, source, specifiers }, file) {
  const names = specifiers.map(({ exported, local }) => property(exported, local));
  if (declaration !== null || source !== null || names.includes(undefined)) return undefined;
  return `${GLOBAL}.loaded["${file}"] = {${names.join(", ")}};`;
}

/**
 * Returns the name of the file beside this one that an import names by a literal.
 *
 * @param {import("rolldown/utils").ESTree.Expression} source
 */
function fileOf(source) {
  if (source.type !== "Literal" || typeof source.value !== "string") return undefined;
  return /^\.\/([^/]+)$/.exec(source.value)?.[1];
}

/**
 * Writes a property of an object. Returns `undefined` for names that are strings.
 *
 * @param {import("rolldown/utils").ESTree.ModuleExportName} key
 * @param {import("rolldown/utils").ESTree.ModuleExportName | import("rolldown/utils").ESTree.BindingIdentifier} value
 */
function property(key, value) {
  return key.type === "Identifier" && value.type === "Identifier" ? `${key.name}: ${value.name}` : undefined;
}

/**
 * Writes the line that begins each file that worker.js loads: it throws when the file is of another version.
 *
 * @param {string} file
 * @param {string} version
 */
export function versionCheck(file, version) {
  return `${GLOBAL}.check("${file}", "${version}");\n`;
}

/**
 * Writes the code that loads the other files, for the top of worker.js. Its errors have a property `stayputFile`: see
 * workers/io/read-failure.ts.
 *
 * @param {readonly import("rolldown").RenderedChunk[]} chunks
 * @param {string} version
 */
function loader(chunks, version) {
  const isLater = (/** @type {string} */ file) => file !== WORKER && file !== RUNTIME;
  const named = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  const files = [...new Set(named.map((file) => basename(file)))].filter(isLater).sort();
  // Functions: in a worker that a Blob started, a bundler's relative URL has no base and throws.
  const urls = files.map((file) => `"${file}": () => new URL("./${file}", import.meta.url).href`);
  const needs = chunks.map(({ fileName, imports }) => {
    const first = imports.filter((file) => file.endsWith(".js") && isLater(file));
    return [fileName, first];
  });
  // The comments keep bundlers from following the import.
  return `${GLOBAL} = {
    assetUrl: undefined,
    loaded: {},
    url(file) {
      const { assetUrl } = ${GLOBAL};
      return assetUrl === undefined ? {${urls.join()}}[file]() : assetUrl + file;
    },
    check(stayputFile, version) {
      if (version !== "${version}") throw Object.assign(new Error("mixed versions"), { stayputFile, version });
    },
    async load(file) {
      const { loaded, load, read } = ${GLOBAL};
      if (loaded[file]) return loaded[file];
      const needs = ${JSON.stringify(Object.fromEntries(needs))}[file] ?? [];
      const [module] = await Promise.all([read(file), ...needs.map(load)]);
      // The file of a codec has no function and needs no other.
      if (!loaded[file]) module.run?.();
      return loaded[file] ??= module;
    },
    async read(file) {
      let from;
      try {
        from = ${GLOBAL}.url(file);
        return await import(/* webpackIgnore: true */ /* @vite-ignore */ await (globalThis.stayputModuleUrl?.(from) ?? from));
      } catch (reason) {
        throw reason.stayputFile ? reason : Object.assign(new Error(reason), { stayputFile: file, url: from });
      }
    },
  };\n`;
}
