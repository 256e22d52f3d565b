// Compiles AssemblyScript sources to WebAssembly files beside them. The files are not in the repository, so the build,
// the tests and the dev server call this first.
import { readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./dependencies.mjs";

/** Each has its source in a folder `assembly` and its output beside that folder. */
const ASSEMBLIES = [
  { folder: "workers/codecs/jpeg", source: "encoder.ts", output: "jpeg-encoder.wasm" },
  { folder: "workers/codecs/hevc", source: "decoder.ts", output: "hevc-decoder.wasm" },
  { folder: "workers/image/picture", source: "resample.ts", output: "resample.wasm" },
].map(({ folder, ...files }) => ({ folder: join(ROOT, folder), ...files }));
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

/** Compiles each source that is newer than its output. */
export async function assemble() {
  for (const assembly of ASSEMBLIES) await compile(assembly);
}

/** @param {typeof ASSEMBLIES[number]} assembly */
async function compile({ folder, source, output }) {
  const sources = join(folder, "assembly");
  const changed = readdirSync(sources).map((name) => modified(join(sources, name)));
  const made = modified(join(folder, output));
  if (made > Math.max(...changed, modified(import.meta.filename))) return;
  const { default: asc } = await import("assemblyscript/asc");
  const files = [`assembly/${source}`, "--baseDir", folder, "--outFile", output];
  const { error, stderr } = await asc.main([...files, ...OPTIONS], {
    writeFile: (_, contents) => {
      if (typeof contents === "string") return;
      // Renaming is atomic. Two processes may compile at the same time.
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
