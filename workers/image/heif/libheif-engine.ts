import type { MainModule } from "libheif-js/libheif-wasm/libheif.js";
import wasmAddress from "libheif-js/libheif-wasm/libheif.wasm?url";
import { ServiceError } from "../../../src/errors.ts";
import { outOfMemory } from "../../../src/failure.ts";
import { wasmModule } from "../wasm-module.ts";
import { damagedHeif } from "./cursor.ts";
import { memoryOf } from "./taken-image.ts";

/** WebAssembly memory never shrinks: one that a large picture has filled is given back as a whole. */
const LARGEST_KEPT_MEMORY = 192 * 2 ** 20;

let kept: { readonly heif: MainModule; readonly file: WeakRef<Uint8Array> } | undefined;

/**
 * Lends an engine, which serves one file only, all of its pictures: what a decoder leaves out of a damaged one is what
 * its memory held before, and that must be nothing of another file. Nobody knows the state of an engine that has failed
 * in an unforeseen way, so the next picture then gets a new one.
 *
 * @throws {ServiceError} what `use` throws, or `damaged_file`, `out_of_memory`
 */
export async function withEngine<Result>(
  file: Uint8Array,
  use: (heif: MainModule) => Promise<Result>,
): Promise<Result> {
  const ofFile = kept?.file.deref() === file ? kept.heif : undefined;
  // Whoever comes while it is in use gets another.
  kept = undefined;
  const heif = ofFile ?? (await createEngine());
  const keep = () => {
    if (memoryOf(heif).byteLength <= LARGEST_KEPT_MEMORY) kept = { heif, file: new WeakRef(file) };
  };
  try {
    const result = await use(heif);
    keep();
    return result;
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw unforeseen(thrown);
    if (thrown.code !== "out_of_memory") keep();
    throw thrown;
  }
}

/** WebAssembly traps and Emscripten's abort: `RuntimeError`, with "OOM" or "memory" in it when that is why. */
function unforeseen(thrown: unknown): ServiceError {
  return /memory|oom/i.test(String(thrown)) ? outOfMemory() : damagedHeif("its decoder cannot cope with it");
}

async function createEngine(): Promise<MainModule> {
  const [{ createLibheif }, module] = await Promise.all([
    import("../wasm/libheif.ts"),
    wasmModule(wasmAddress),
  ]);
  return createLibheif({
    instantiateWasm: (imports: WebAssembly.Imports, onInstance: (instance: WebAssembly.Instance) => void) => {
      const instance = new WebAssembly.Instance(module, imports);
      onInstance(instance);
      return instance.exports;
    },
    // What libheif has to say of a damaged file goes into the error.
    print: () => {},
    printErr: () => {},
  });
}
