import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TARBALL } from "../../scripts/built.mjs";
import { npmCommand, ROOT } from "../../scripts/dependencies.mjs";
import { NATIVE_LIBRARIES } from "../../scripts/native-libraries.mjs";

// The package as npm installs it from its tarball, in an empty folder.

const MOST_BYTES = 14_500_000;

let folder: string;
let installed: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stayput-installed-"));
  const app = join(folder, "app");
  mkdirSync(app);
  // Otherwise npm takes the folder above for the app, if that has one.
  writeFileSync(join(app, "package.json"), "{}");
  const install = npmCommand("install", "--offline", "--no-audit", "--no-fund", TARBALL);
  execFileSync(install.command, install.args, { cwd: app, stdio: "ignore", shell: install.shell });
  installed = join(app, "node_modules", "stayput");
});

afterAll(() => rmSync(folder, { recursive: true }));

test("takes at most 14.5 MB on disk, without dependencies of its own", () => {
  const { packages } = JSON.parse(readFileSync(join(installed, "..", ".package-lock.json"), "utf8"));
  expect(Object.keys(packages)).toEqual(["node_modules/stayput"]);
  const bytes = filesIn(installed).reduce((sum, path) => sum + sizeOnDisk(path), 0);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});

test("contains its files, and no sources, tests and source maps", () => {
  const paths = filesIn(installed).map((path) => relative(installed, path).replaceAll("\\", "/"));
  expect(paths).toEqual(
    expect.arrayContaining([
      ...["LICENSE", "README.md", "package.json", "bin/stayput.mjs", "dist/THIRD-PARTY-LICENSES.txt"],
      ...["index", "worker", "service-worker", "uppy", "filepond", "testing"].map(
        (name) => `dist/${name}.js`,
      ),
      ...["index", "service-worker", "uppy", "filepond", "testing"].map(
        (name) => `dist/types/src/${name}.d.ts`,
      ),
      "dist/types/worker.d.ts",
    ]),
  );
  const others = /^(?!bin\/stayput\.mjs$|dist\/|LICENSE$|README\.md$|package\.json$)|\.map$/;
  expect(paths.filter((path) => others.test(path))).toEqual([]);
});

test("has no dependencies and no engines field", () => {
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect(manifest).not.toHaveProperty("dependencies");
  expect(manifest).not.toHaveProperty("engines");
  for (const field of ["main", "module", "types", "repository", "homepage", "bugs", "keywords"])
    expect(manifest).toHaveProperty(field);
  const named = JSON.stringify([manifest.main, manifest.module, manifest.types, manifest.exports]);
  for (const [path] of named.matchAll(/\.\/dist\/[\w./-]+/g)) statSync(join(installed, path));
});

test("has types that import only each other", () => {
  const declarations = filesIn(join(installed, "dist", "types"));
  expect(declarations.length).toBeGreaterThan(5);
  for (const path of declarations) {
    // Examples in comments import the package itself.
    const code = readFileSync(path, "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
    // The app's own, for the plugin that extends a class of it.
    for (const [, imported = ""] of code.matchAll(/(?:from|import\()\s*["']([^"']+)["']/g))
      if (imported !== "@uppy/core" || !path.endsWith("uppy.d.ts"))
        statSync(join(path, "..", imported.replace(/\.js$/, ".d.ts")));
    expect(code).not.toMatch(/^import\s*["']/m);
  }
});

test("can be required, as Jest does", () => {
  const program = `const { createClient, ServiceError } = require("stayput");
    delete globalThis.Worker;
    createClient()
      .unlockPdf({ file: new Blob(["%PDF-1.7"]), password: "" })
      .catch((error) => console.log(error instanceof ServiceError, error.code, error.details.cause));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=commonjs", "-e", program], {
    cwd: join(folder, "app"),
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^true internal_error .*[Ww]orker/);
});

describe("npx stayput copy", () => {
  const stayput = (cwd: string, ...args: string[]) => {
    const command = [join(installed, "bin", "stayput.mjs"), ...args];
    return spawnSync(process.execPath, command, { cwd, encoding: "utf8" });
  };

  test("copies the scripts, WebAssembly, notices and chosen fonts", () => {
    expect(statSync(join(installed, "..", ".bin", "stayput")).isFile()).toBe(true);
    // The fonts are installed in this repository, and not in the app.
    const out = join(folder, "public", "stay put");
    const { status, stdout, stderr } = stayput(ROOT, "copy", out, "--fonts", "latin, sc");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(out);
    const copied = readdirSync(out);
    // No page loads the client for tests.
    const needed = readdirSync(join(installed, "dist")).filter((name) =>
      /^(?!testing).*\.(?:js|wasm)$/.test(name),
    );
    expect(copied).not.toContain("testing.js");
    expect(copied).toEqual(expect.arrayContaining([...needed, "THIRD-PARTY-LICENSES.txt", "fonts"]));
    expect(readdirSync(join(out, "fonts")).toSorted()).toEqual([
      "NotoSans-Bold.ttf",
      "NotoSans-Regular.ttf",
      "NotoSansHans-Bold.otf",
      "NotoSansHans-Regular.otf",
    ]);
  });

  test("says how to install missing fonts, and copies nothing", () => {
    const { status, stderr } = stayput(join(folder, "app"), "copy", "out", "--fonts", "jp");
    expect(status).toBe(1);
    expect(stderr).toContain("npm install @embedpdf/fonts-jp");
    expect(readdirSync(join(folder, "app"))).not.toContain("out");
  });

  test.each([[[]], [["copy"]], [["copy", "a", "b"]], [["move", "a"]], [["copy", "a", "--font", "b"]]])(
    "prints its usage after %j",
    (args) => {
      const { status, stderr } = stayput(join(folder, "app"), ...args);
      expect(status).toBe(1);
      expect(stderr).toContain("Usage: stayput copy <folder>");
    },
  );
});

describe("the license notices and the SBOM", () => {
  const dist = (name: string) => readFileSync(join(installed, "dist", name), "utf8");

  test("name the bundled packages, and all native libraries of each WebAssembly file", () => {
    const wasmFiles = readdirSync(join(installed, "dist")).filter((name) => name.endsWith(".wasm"));
    expect(Object.keys(NATIVE_LIBRARIES).toSorted()).toEqual(wasmFiles.toSorted());
    const notices = dist("THIRD-PARTY-LICENSES.txt");
    const sbom = JSON.parse(dist("sbom.cdx.json"));
    expect(sbom).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6" });
    const names: string[] = sbom.components.map(({ name }: { name: string }) => name);
    const packages = ["comlink", "ky", "fflate", "@noble/ciphers", "@embedpdf/pdfium", "libheif-js"];
    const libraries = Object.values(NATIVE_LIBRARIES)
      .flat()
      .map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...packages, ...libraries]));
    for (const name of [...packages, ...libraries]) expect(notices).toContain(name);
    for (const ref of sbom.dependencies[0].dependsOn)
      expect(sbom.components.map((component: { "bom-ref": string }) => component["bom-ref"])).toContain(ref);
  });

  /** The text behind the heading of a license, with single blanks. */
  const licenseText = (id: string) => {
    const [, text = ""] = dist("THIRD-PARTY-LICENSES.txt").split(`License text: ${id}\n`);
    return (text.split(/^-{78}$/m)[0] ?? "").replaceAll(/\s+/g, " ");
  };

  test("hold the text of each license of a native library", () => {
    const licenses = Object.values(NATIVE_LIBRARIES).flatMap((libraries) =>
      libraries.flatMap(({ license }) => license.split(/ (?:AND|OR) /)),
    );
    // A license without an id has its text in the table.
    const ids = new Set(licenses.filter((license) => !license.includes(" ")));
    expect(ids).toContain("LGPL-3.0-or-later");
    for (const id of ids) expect(licenseText(id).length, id).toBeGreaterThan(500);
  });

  test("hold the LGPL and the GPL, which it refers to, from the first to the last words", () => {
    expect(licenseText("LGPL-3.0-or-later")).toMatch(
      /GNU LESSER GENERAL PUBLIC LICENSE Version 3.* permanent authorization for you to choose that version for the Library\..*GNU GENERAL PUBLIC LICENSE Version 3.* assumption of liability accompanies a copy of the Program in return for a fee\./s,
    );
  });

  test.each(Object.entries(NATIVE_LIBRARIES))("match the files about %s", (file, libraries) => {
    const binary = readFileSync(join(installed, "dist", file), "latin1");
    for (const { proof = "" } of libraries) expect(binary.includes(proof), proof).toBe(true);
  });
});

function filesIn(path: string): string[] {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Returns the bytes that a file takes on a disk with blocks of 4 KiB. */
function sizeOnDisk(path: string): number {
  return Math.ceil(statSync(path).size / 4096) * 4096;
}
