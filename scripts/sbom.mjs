// The software bill of materials (CycloneDX 1.6): the bundled packages, and the libraries inside the WebAssembly files with
// their versions and how these were found.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./dependencies.mjs";

/** @typedef {import("./native-libraries.mjs").NativeLibrary} NativeLibrary */
/** @typedef {{ file: string, libraries: readonly NativeLibrary[] }} NativeFile */

/**
 * Returns the bill. It has no time and no serial number, so that a build is reproducible.
 *
 * @param {readonly { name: string, version: string, license: string }[]} packages
 * @param {readonly NativeFile[]} natives
 */
export function sbomOf(packages, natives) {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const root = { "bom-ref": purlOf(name, version), ...packageComponent({ name, version, license }) };
  const components = [
    ...packages.map((one) => ({ "bom-ref": purlOf(one.name, one.version), ...packageComponent(one) })),
    ...natives.flatMap(({ file, libraries }) => libraries.map((one) => libraryComponent(file, one))),
  ];
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: root },
    components,
    dependencies: [{ ref: root["bom-ref"], dependsOn: components.map((component) => component["bom-ref"]) }],
  };
}

/** @type {(name: string, version: string) => string} */
const purlOf = (name, version) => `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** @param {{ name: string, version: string, license: string }} package */
function packageComponent({ name, version, license }) {
  return {
    type: "library",
    name,
    version,
    purl: purlOf(name, version),
    licenses: [{ expression: license }],
  };
}

/**
 * @param {string} file
 * @param {NativeLibrary} library
 */
function libraryComponent(file, { name, version, commit, found, license, copyright, url, purl }) {
  const fullVersion = [version, commit && `git.${commit.slice(0, 12)}`].filter(Boolean).join("+");
  const { technique, confidence, value } = found;
  const methods = [{ technique, confidence, value }];
  return {
    type: "library",
    "bom-ref": refOf(file, name),
    name,
    ...(fullVersion && { version: fullVersion }),
    copyright,
    licenses: license.includes("AGG") ? [{ license: { name: license } }] : [{ expression: license }],
    ...(purl && { purl }),
    externalReferences: [{ type: "vcs", url }],
    evidence: { identity: [{ field: fullVersion ? "version" : "name", confidence, methods }] },
    properties: [
      { name: "stayput:file", value: `dist/${file}` },
      ...(version ? [{ name: "stayput:release", value: version }] : []),
      ...(commit ? [{ name: "stayput:commit", value: commit }] : []),
    ],
  };
}

/** @type {(file: string, name: string) => string} */
const refOf = (file, name) => `${file}#${name}`;
