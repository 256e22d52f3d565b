// How the worker is cut into files. A static import joins two modules in one file; a dynamic import loads another file.
// No code is in two files: the later files use what worker.js has, so classes and module state exist once.
//
// Bundlers copy the later files under new names and do not change their contents, and a worker that a bundler makes a
// classic script has no exports. So only worker.js names the other files, each by a literal URL. The other files get
// their imports from an object that worker.js creates, `globalThis.__stayput__`:
//
//     import { a as b } from "./worker.js"    →  const { a: b } = globalThis.__stayput__.loaded["worker.js"]
//     import address from "./codec.wasm"      →  const address = globalThis.__stayput__.urls["codec.wasm"]
//     import("./image.js")                    →  globalThis.__stayput__.load("image.js")
import { basename, sep } from "node:path";

/** The file of a module, by the folder under workers/ that holds the module. */
const FILES = new Map([
  ["pdf", "pdf-pages"],
  ["image", "image"],
  ["codecs", "image"],
  ["render", "render"],
]);

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
  const [, path] = id.split(`${sep}workers${sep}`);
  return (core.has(id) ? undefined : FILES.get(path?.split(sep)[0] ?? "")) ?? "worker";
}

/**
 * Rewrites the imports between the files of the worker.
 *
 * @param {typeof import("rolldown").RolldownMagicString} MagicString
 * @returns {import("rolldown").Plugin}
 */
export function connectWorkerFiles(MagicString) {
  return {
    name: "connect-worker-files",
    renderChunk(code, { fileName }, _options, { chunks }) {
      const text = new MagicString(code);
      /** @type {(pattern: RegExp, replacement: (found: string[]) => string) => void} */
      const replace = (pattern, replacement) => {
        for (const match of code.matchAll(pattern)) {
          text.overwrite(match.index, match.index + match[0].length, replacement(match.slice(1)));
        }
      };
      replace(/^import \{(.*)\} from "\.\/(.*\.js)";/gm, ([names, file]) => {
        return `const {${asProperties(names)}} = ${GLOBAL}.loaded["${file}"];`;
      });
      replace(/^import "\.\/.*\.js";/gm, () => "");
      replace(/^import ([\w$]+) from "\.\/(.*\.wasm)";/gm, ([name, file]) => {
        return `const ${name} = ${GLOBAL}.urls["${file}"];`;
      });
      replace(/\bimport\("\.\/(.*?)"\)/g, ([file]) => `${GLOBAL}.load("${file}")`);
      if (fileName === WORKER || fileName === RUNTIME) {
        replace(/^export \{(.*)\};/gm, ([names]) => {
          return `${GLOBAL}.loaded["${fileName}"] = {${asProperties(names, true)}};`;
        });
      }
      if (fileName === WORKER) text.prepend(loader(Object.values(chunks)));
      return { code: text.toString(), map: text.generateMap({ hires: true }).toString() };
    },
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== "chunk") continue;
        const left = this.parse(file.code).body.find(({ type }) => type === "ImportDeclaration");
        if (left)
          this.error(`${file.fileName} still has an import: ${file.code.slice(left.start, left.end)}`);
      }
      const worker = bundle[WORKER];
      const runtime = bundle[RUNTIME];
      if (worker?.type !== "chunk" || runtime?.type !== "chunk") return;
      const code = runtime.code.replace(/^\/\/#.*/m, "").trim();
      worker.code += `\n(()=>{${code}})();`;
      delete bundle[RUNTIME];
      delete bundle[`${RUNTIME}.map`];
    },
  };
}

/** Writes the names of an import, or of an export, as an object: ` a as b, c ` becomes `a: b, c: c`. */
function asProperties(names = "", isExport = false) {
  const pairs = names.split(",").map((one) => one.trim().split(" as "));
  return pairs.map(([from, to = from]) => (isExport ? `${to}: ${from}` : `${from}: ${to}`)).join(", ");
}

/**
 * Writes the code that loads the other files, for the top of worker.js.
 *
 * @param {readonly import("rolldown").RenderedChunk[]} chunks
 */
function loader(chunks) {
  const isLater = (/** @type {string} */ file) => file !== WORKER && file !== RUNTIME;
  const named = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  const files = [...new Set(named.map((file) => basename(file)))].filter(isLater).sort();
  const urls = files.map((file) => `"${file}": new URL("./${file}", import.meta.url).href`);
  const needs = chunks.map(({ fileName, imports }) => {
    const first = imports.filter((file) => file.endsWith(".js") && isLater(file));
    return [fileName, first];
  });
  // The comments keep bundlers from following the import.
  return `${GLOBAL} = {
    urls: {${urls.join()}},
    loaded: {},
    async load(file) {
      const { urls, loaded, load } = ${GLOBAL};
      await Promise.all((${JSON.stringify(Object.fromEntries(needs))}[file] ?? []).map(load));
      loaded[file] ??= await import(/* webpackIgnore: true */ /* @vite-ignore */ urls[file]).catch((reason) => {
        throw Object.assign(new Error(urls[file] + " (" + reason + ")"), { name: "LoadError" });
      });
      return loaded[file];
    },
  };\n`;
}
