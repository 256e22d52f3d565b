// Writes what goes with copies of the built files: THIRD-PARTY-LICENSES.txt for people and sbom.cdx.json (CycloneDX) for
// tools. Both name the npm packages that are bundled and the native libraries inside the WebAssembly files.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { NATIVE_LIBRARIES } from "./native-libraries.mjs";
import { sbomOf } from "./sbom.mjs";

/**
 * @typedef {object} BundledPackage
 * @property {string} name
 * @property {string} version
 * @property {string} license
 * @property {string} notice the texts of its license files
 */

const RULE = `\n${"-".repeat(78)}\n\n`;
/** Where packages keep licenses: the second and the third hold those of what they were compiled from. */
const LICENSE_FOLDERS = [".", "codec", "libheif-wasm"];

const readText = createRequire(import.meta.url);

/**
 * @param {string} dist the folder of the built files
 * @param {readonly string[]} moduleIds the modules in the built files
 * @param {ReadonlyMap<string, string>} wasmFiles the WebAssembly files: their names in `dist` and their sources
 */
export function writeLicenses(dist, moduleIds, wasmFiles) {
  const unknown = [...wasmFiles.keys()].filter((name) => NATIVE_LIBRARIES[name] === undefined);
  if (unknown.length > 0)
    throw new Error(`scripts/native-libraries.mjs does not say what is in ${unknown.join(", ")}`);
  const packages = bundledPackages([...moduleIds, ...wasmFiles.values()]);
  const natives = [...wasmFiles.keys()]
    .sort()
    .map((file) => ({ file, libraries: NATIVE_LIBRARIES[file] ?? [] }));
  writeFileSync(join(dist, "THIRD-PARTY-LICENSES.txt"), noticesOf(packages, natives));
  writeFileSync(join(dist, "sbom.cdx.json"), `${JSON.stringify(sbomOf(packages, natives))}\n`);
}

/**
 * @param {readonly string[]} paths of modules and files
 * @returns {BundledPackage[]}
 */
function bundledPackages(paths) {
  const folders = new Set();
  for (const path of paths) {
    const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0];
    if (folder) folders.add(folder);
  }
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const texts = LICENSE_FOLDERS.map((place) => join(folder, place))
      .filter((place) => existsSync(place))
      .flatMap((place) => readdirSync(place).map((one) => join(place, one)))
      .filter((path) => /[\\/]licen[cs]e[^\\/]*$/i.test(path))
      .map((path) => readFileSync(path, "utf8").trim());
    return { name, version, license, notice: texts.join("\n\n") || `License: ${license}` };
  });
}

/**
 * @param {readonly BundledPackage[]} packages
 * @param {readonly { file: string, libraries: readonly import("./native-libraries.mjs").NativeLibrary[] }[]} natives
 */
function noticesOf(packages, natives) {
  const title =
    "The built files of Stayput contain these packages and libraries. libheif.js and libheif.wasm are under the LGPL, hold\n" +
    "nothing else and can be replaced by your own build of libheif-js.\n";
  const ofPackages = packages.map(({ name, version, license, notice }) => {
    return `${name} ${version} (${license})\n\n${notice}\n`;
  });
  const ofLibraries = natives.map(({ file, libraries }) => {
    const rows = libraries.map(({ name, version, license, copyright, url, notice }) =>
      [`${name}${version ? ` ${version}` : ""} (${license})`, url, copyright, notice]
        .filter(Boolean)
        .join("\n"),
    );
    return `Inside ${file}\n\n${rows.join("\n\n")}\n`;
  });
  const ids = new Set(
    natives.flatMap(({ libraries }) => libraries.flatMap(({ license }) => licenseIds(license))),
  );
  const texts = [...ids].sort().map((id) => `License text: ${id}\n\n${licenseText(id)}\n`);
  return [title, ...ofPackages, ...ofLibraries, ...texts].join(RULE);
}

/**
 * Returns the SPDX ids in an expression. A license without an id has its text in the table.
 *
 * @param {string} expression
 */
function licenseIds(expression) {
  return expression.split(/ (?:AND|OR) /).filter((id) => !id.includes(" "));
}

/** @param {string} id an SPDX id */
function licenseText(id) {
  // The text of the LGPL in this list ends with that of the GPL, which it refers to.
  return readText(`spdx-license-list/licenses/${id}.json`).licenseText.trim();
}
