// Compiles what is written in AssemblyScript to the WebAssembly beside it, which is not in the repository. Whoever
// builds, tests or serves the sources calls it first.
import { readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./dependencies.mjs";

const FOLDER = join(ROOT, "workers/image/jpeg");
const OUTPUT = "jpeg-encoder.wasm";
const OPTIONS = [
  "-O3",
  "--converge",
  "--noAssert",
  "--runtime",
  "stub",
  "--enable",
  "simd",
  "--initialMemory",
  "1",
];

/** Compiles the JPEG encoder, unless that was done since its source has changed. */
export async function assemble() {
  const sources = join(FOLDER, "assembly");
  const changed = readdirSync(sources).map((name) => modified(join(sources, name)));
  const made = modified(join(FOLDER, OUTPUT));
  if (made > Math.max(...changed, modified(import.meta.filename))) return;
  const { default: asc } = await import("assemblyscript/asc");
  const files = ["assembly/encoder.ts", "--baseDir", FOLDER, "--outFile", OUTPUT];
  const { error, stderr } = await asc.main([...files, ...OPTIONS], {
    writeFile: (_, contents) => {
      if (typeof contents === "string") return;
      // Whole or not at all: several may do this at once.
      const unfinished = join(FOLDER, `${process.pid}-${OUTPUT}`);
      writeFileSync(unfinished, contents);
      renameSync(unfinished, join(FOLDER, OUTPUT));
    },
  });
  if (error !== null) throw new Error(stderr.toString() || String(error));
}

/** @param {string} path */
function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
