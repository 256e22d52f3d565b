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

installDependencies();
const { rolldown } = await import("rolldown");

const DIST = join(ROOT, "dist");
const ENTRY_LIMIT = 6_000;

/** Where the sources name a worker, and what the built files call it. */
const WORKER_URLS = { "../workers/worker.ts": "./worker.js" };

/** Names that only Node has: a page would fail on them when it loads the file, or later, which is worse. */
const NODE_NAMES = /(?<![\w$.])(?:Buffer|process|require|__dirname|__filename|global)(?=\s*[.([])/;

rmSync(DIST, { recursive: true, force: true });
const bundled = new Set([
  ...(await bundle("src/index.ts", { codeSplitting: true })),
  ...(await bundle("workers/worker.ts", { codeSplitting: false })),
]);
writeTypes();
writeLicenses(bundled);
checkSizes();

/**
 * Bundles one entry into dist/, everything it imports included.
 *
 * @param {string} input
 * @param {{ codeSplitting: boolean }} options
 * @returns {Promise<string[]>} the modules that went in
 */
async function bundle(input, { codeSplitting }) {
  const build = await rolldown({
    input: join(ROOT, input),
    platform: "browser",
    tsconfig: join(ROOT, "tsconfig.json"),
    plugins: [renameWorkers()],
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
    chunkFileNames: "[name]-[hash].js",
  });
  await build.close();

  const chunks = output.filter((file) => file.type === "chunk");
  for (const { fileName, code, imports } of chunks) {
    const name = NODE_NAMES.exec(code);
    if (name) fail(`${fileName} uses ${name[0]}: …${code.slice(name.index - 60, name.index + 60)}…`);
    const foreign = imports.filter((path) => !chunks.some((chunk) => chunk.fileName === path));
    if (foreign.length > 0) fail(`${fileName} imports ${foreign.join(", ")} from outside dist/`);
    if (/data:(?:text|application)\/javascript/.test(code)) fail(`${fileName} inlines a worker`);
  }
  return chunks.flatMap((chunk) => chunk.moduleIds);
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
 * @param {ReadonlySet<string>} modules
 */
function writeLicenses(modules) {
  const folders = new Set();
  for (const id of modules) {
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

function checkSizes() {
  const scripts = readdirSync(DIST).filter((file) => file.endsWith(".js"));
  const code = scripts.map((name) => readFileSync(join(DIST, name), "utf8"));
  for (const built of Object.values(WORKER_URLS)) {
    if (!code.some((text) => text.includes(`new Worker(new URL("${built}",import.meta.url)`))) {
      fail(`no file names ${built} in the form that bundlers look for`);
    }
    if (!existsSync(join(DIST, built))) fail(`dist/${built} is missing`);
  }
  for (const name of scripts) {
    console.log(`dist/${name}  ${gzipSize(name).toLocaleString("en")} bytes gzip`);
  }
  const size = gzipSize("index.js");
  if (size >= ENTRY_LIMIT) fail(`dist/index.js has ${size} bytes gzip; it must stay under ${ENTRY_LIMIT}`);
}

/** @param {string} name */
function gzipSize(name) {
  return gzipSync(readFileSync(join(DIST, name))).length;
}

/**
 * @param {string} reason
 * @returns {never}
 */
function fail(reason) {
  console.error(`Build failed: ${reason}`);
  process.exit(1);
}
