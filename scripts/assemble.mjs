// Compiles AssemblyScript sources to WebAssembly files beside them.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./dependencies.mjs";
import { isCurrent, writeWasm } from "./wasm-files.mjs";

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
  const files = readdirSync(sources).map((name) => join(sources, name));
  if (isCurrent(join(folder, output), [...files, import.meta.filename])) return;
  const { default: asc } = await import("assemblyscript/asc");
  const paths = [`assembly/${source}`, "--baseDir", folder, "--outFile", output];
  const { error, stderr } = await asc.main([...paths, ...OPTIONS], {
    writeFile: (_, contents) => {
      if (typeof contents !== "string") writeWasm(join(folder, output), contents);
    },
  });
  if (error !== null) throw new Error(stderr.toString() || String(error));
}
