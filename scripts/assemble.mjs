// npm run assemble: compiles what is written in AssemblyScript, which is kept beside its source: whoever works on
// something else need not wait for it. test/unit/image/jpeg-encoder.test.ts compares the two.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import asc from "assemblyscript/asc";
import { ROOT } from "./dependencies.mjs";

const FOLDER = "workers/image/jpeg";
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

/**
 * The JPEG encoder, compiled.
 *
 * @returns {Promise<Uint8Array>}
 */
export async function assembled() {
  /** @type {Uint8Array | undefined} */
  let binary;
  const files = ["assembly/encoder.ts", "--baseDir", join(ROOT, FOLDER), "--outFile", "jpeg-encoder.wasm"];
  const { error, stderr } = await asc.main([...files, ...OPTIONS], {
    writeFile: (_, contents) => {
      if (typeof contents !== "string") binary = contents;
    },
  });
  if (error !== null || binary === undefined) throw new Error(stderr.toString() || String(error));
  return binary;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(join(ROOT, FOLDER, "jpeg-encoder.wasm"), await assembled());
}
