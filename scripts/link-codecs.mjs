// Links C libraries to WebAssembly files. The libraries are those of a package that builds their newest versions for
// sharp. The compiler and the linker are WebAssembly, too, so nothing has to be installed.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./dependencies.mjs";
import { isCurrent, writeWasm } from "./wasm-files.mjs";

const PACKAGE = join(ROOT, "node_modules", "@img", "sharp-libvips-dev-wasm32");
/** Only libraries under permissive licenses. The package has others under the LGPL. */
const CODECS = [
  { source: "workers/image/formats/jpg/wasm/mozjpeg-decoder.c", libraries: ["jpeg"] },
  { source: "workers/image/formats/jpg/wasm/mozjpeg-encoder.c", libraries: ["jpeg"] },
  { source: "workers/image/formats/webp/wasm/webp-decoder.c", libraries: ["webpdecoder"] },
  { source: "workers/image/formats/webp/wasm/webp-encoder.c", libraries: ["webp", "sharpyuv"] },
  { source: "workers/image/color/wasm/little-cms.c", libraries: ["lcms2"] },
];
const COMPILE = ["--target=wasm32-wasip1", "-mexec-model=reactor", "-O2", "-Wall", "-Werror", "-Iinclude"];
/** workers/wasm/linked-module.ts creates the memory, and knows its initial size. */
const LINK = [
  ...["--export=malloc", "--import-memory", "--initial-memory=2097152"],
  // A stack that overflows traps, and does not overwrite data.
  ...["--stack-first", "-z", "stack-size=262144"],
  ...["--gc-sections", "--strip-all", "--keep-section=producers", "-O2", "--fatal-warnings"],
];

/** Links each codec whose source or libraries are newer than its output. */
export async function linkCodecs() {
  for (const codec of CODECS) await link(codec);
}

/** @param {typeof CODECS[number]} codec */
async function link({ source, libraries }) {
  const input = join(ROOT, source);
  const output = input.replace(/\.c$/, ".wasm");
  const archives = libraries.map((name) => join(PACKAGE, "lib", `lib${name}.a`));
  if (isCurrent(output, [input, ...archives, import.meta.filename])) return;
  const { clang } = (await import("@yowasp/clang")).commands;
  // Loads it. The call below would print the progress.
  await clang(["--version"], {}, { stdout: () => {}, fetchProgress: () => {} });
  const files = {
    "codec.c": readFileSync(input),
    include: { ...headers("."), webp: headers("webp") },
    ...Object.fromEntries(archives.map((path, index) => [`${index}.a`, readFileSync(path)])),
  };
  const inputs = ["codec.c", ...archives.map((_, index) => `${index}.a`)];
  const options = [...COMPILE, ...LINK.map((option) => `-Wl,${option}`)];
  /** @type {Uint8Array[]} */
  const printed = [];
  try {
    const made = await clang([...options, ...inputs, "-o", "codec.wasm"], files, {
      stderr: (bytes) => printed.push(bytes?.slice() ?? new Uint8Array()),
    });
    const wasm = /** @type {Uint8Array<ArrayBuffer>} */ (made?.["codec.wasm"]);
    const [memory, ...others] = WebAssembly.Module.imports(await WebAssembly.compile(wasm));
    if (memory?.name !== "memory" || others.length > 0) throw new Error(`imports ${JSON.stringify(others)}`);
    writeWasm(output, wasm);
  } catch (thrown) {
    throw new Error(`${source}: ${Buffer.concat(printed)}`, { cause: thrown });
  }
}

/**
 * Returns the headers in a folder of the package.
 *
 * @param {string} folder
 */
function headers(folder) {
  const path = join(PACKAGE, "include", folder);
  const names = readdirSync(path).filter((name) => name.endsWith(".h"));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(path, name))]));
}
