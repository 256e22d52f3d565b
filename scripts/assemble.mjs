// Compiles what is written in AssemblyScript to the WebAssembly beside it, which is not in the repository. Whoever
// builds, tests or serves the sources calls it first.
import { readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./dependencies.mjs";

/** What there is: in which folder, of which file of its assembly/, and what it comes to. */
const ASSEMBLIES = [
  { folder: join(ROOT, "workers/image/jpeg"), entry: "encoder.ts", output: "jpeg-encoder.wasm" },
  { folder: join(ROOT, "workers/image/png"), entry: "decoder.ts", output: "png-decoder.wasm" },
];
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

/** Compiles all there is, unless that was done since its source has changed. */
export async function assemble() {
  for (const assembly of ASSEMBLIES) await assembleOne(assembly);
}

/** @param {{ readonly folder: string, readonly entry: string, readonly output: string }} assembly */
async function assembleOne({ folder, entry, output }) {
  const sources = join(folder, "assembly");
  const changed = readdirSync(sources).map((name) => modified(join(sources, name)));
  const made = modified(join(folder, output));
  if (made > Math.max(...changed, modified(import.meta.filename))) return;
  const { default: asc } = await import("assemblyscript/asc");
  const files = [`assembly/${entry}`, "--baseDir", folder, "--outFile", output];
  const { error, stderr } = await asc.main([...files, ...OPTIONS], {
    writeFile: (_, contents) => {
      if (typeof contents === "string") return;
      // Whole or not at all: several may do this at once.
      const unfinished = join(folder, `${process.pid}-${output}`);
      writeFileSync(unfinished, contents);
      renameSync(unfinished, join(folder, output));
    },
  });
  if (error !== null) throw new Error(stderr.toString() || String(error));
}

/** @param {string} path */
function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
