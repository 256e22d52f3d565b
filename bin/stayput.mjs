#!/usr/bin/env node
// npx stayput copy <folder>: copies what a page needs into a folder that the app serves. See docs/recipes/bundlers.md.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const USAGE = `Usage: stayput copy <folder> [--fonts latin,sc,...]

Copies the scripts, the WebAssembly files and the frame of sealed workers into the folder.
Set the option "assetUrl" of the client to its URL.

  --fonts   also copies fonts into <folder>/fonts, from the packages @embedpdf/fonts-... that are installed:
            arabic, hebrew, jp, kr, latin, sc, tc`;

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
/** Two faces of each font are used. */
const FONT_FILE = /-(?:Regular|Bold)\.(?:otf|ttf)$/;

try {
  run(process.argv.slice(2));
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exitCode = 1;
}

/** @param {string[]} args */
function run(args) {
  const { values, positionals } = parsed(args);
  if (values.help) return console.log(USAGE);
  const [command, folder, ...others] = positionals;
  if (command !== "copy" || folder === undefined || others.length > 0) throw new Error(USAGE);
  const languages = values.fonts.split(",").map((name) => name.trim());
  const fonts = languages.filter(Boolean).flatMap(fontsOf);
  const dist = join(PACKAGE, "dist");
  const files = readdirSync(dist).filter((name) =>
    /^(?!testing\.js$).*\.(?:js|wasm|html)$|^THIRD-PARTY-LICENSES\.txt$/.test(name),
  );
  copy(
    files.map((name) => join(dist, name)),
    folder,
  );
  if (fonts.length > 0) copy(fonts, join(folder, "fonts"));
  const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  console.log(
    `Stayput ${version}: ${files.length} files and ${fonts.length} fonts copied to ${resolve(folder)}`,
  );
}

/** @param {string[]} args */
function parsed(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { fonts: { type: "string", default: "" }, help: { type: "boolean", short: "h" } },
    });
  } catch (thrown) {
    throw new Error(`${thrown instanceof Error ? thrown.message : thrown}\n\n${USAGE}`);
  }
}

/**
 * @param {readonly string[]} paths
 * @param {string} folder
 */
function copy(paths, folder) {
  mkdirSync(folder, { recursive: true });
  for (const path of paths) copyFileSync(path, join(folder, basename(path)));
}

/**
 * Returns the paths of the fonts of a language. Looks for the package as Node does: in `node_modules` of the working
 * directory and of the folders above it.
 *
 * @param {string} language
 */
function fontsOf(language) {
  const name = `@embedpdf/fonts-${language}`;
  for (let at = process.cwd(); ; at = dirname(at)) {
    const folder = join(at, "node_modules", name, "fonts");
    if (existsSync(folder)) {
      const files = readdirSync(folder).filter((file) => FONT_FILE.test(file));
      return files.map((file) => join(folder, file));
    }
    if (at === dirname(at)) throw new Error(`The package ${name} is not installed. Run: npm install ${name}`);
  }
}
