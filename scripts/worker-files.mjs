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
import { basename, sep } from "node:path";

/** The file of a module, by the folder under workers/ that holds the module. */
const FILES = new Map([
  ["pdf", "pdf-pages"],
  ["merge", "pdf-pages"],
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
 * @param {string} version of the package
 * @returns {import("rolldown").Plugin}
 */
export function connectWorkerFiles(MagicString, version) {
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
        return `const ${name} = ${GLOBAL}.url("${file}");`;
      });
      replace(/\bimport\("\.\/(.*?)"\)/g, ([file]) => `${GLOBAL}.load("${file}")`);
      if (fileName === WORKER || fileName === RUNTIME) {
        replace(/^export \{(.*)\};/gm, ([names]) => {
          return `${GLOBAL}.loaded["${fileName}"] = {${asProperties(names, true)}};`;
        });
      }
      if (fileName === WORKER) text.prepend(loader(Object.values(chunks), version));
      else if (fileName !== RUNTIME) text.prepend(versionCheck(fileName, version));
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
      const { url, loaded, load } = ${GLOBAL};
      await Promise.all((${JSON.stringify(Object.fromEntries(needs))}[file] ?? []).map(load));
      if (loaded[file]) return loaded[file];
      let from;
      try {
        from = url(file);
        return loaded[file] = await import(/* webpackIgnore: true */ /* @vite-ignore */ from);
      } catch (reason) {
        throw reason.stayputFile ? reason : Object.assign(new Error(reason), { stayputFile: file, url: from });
      }
    },
  };\n`;
}
