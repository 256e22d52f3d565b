import type { MainModule } from "libheif-js/libheif-wasm/libheif.js";
import wasmAddress from "libheif-js/libheif-wasm/libheif.wasm?url";
import { ServiceError } from "../../../../src/shared/errors.ts";
import { outOfMemory } from "../../../../src/shared/failure.ts";
import { tellsOfMemory } from "../../../../src/shared/job-failure.ts";
import { damagedHeif } from "../../isobmff/cursor.ts";
import { wasmModule } from "../../wasm/wasm-module.ts";
import { memoryOf } from "./copy-libheif-image.ts";

/** WebAssembly memory never shrinks: one that a large picture has filled is given back as a whole. */
const LARGEST_KEPT_MEMORY = 192 * 2 ** 20;

interface Engine {
  readonly heif: MainModule;
  /** What its memory held when it was new, up to where it was empty. */
  readonly whenNew: Uint8Array;
}

let kept: { readonly engine: Engine; readonly file: WeakRef<Uint8Array> } | undefined;

/**
 * Lends an engine, which is as new for each file: what a decoder leaves out of a damaged picture is what its memory
 * held before, and that must be nothing of another file. Nobody knows the state of an engine that has failed in an
 * unforeseen way, so the next picture then gets a new one.
 *
 * @throws {ServiceError} what `use` throws, or `damaged_file`, `out_of_memory`
 */
export async function withEngine<Result>(
  file: Uint8Array,
  use: (heif: MainModule) => Promise<Result>,
): Promise<Result> {
  const before = kept;
  // Whoever comes while it is in use gets another.
  kept = undefined;
  if (before && before.file.deref() !== file) renew(before.engine);
  const engine = before?.engine ?? (await createEngine());
  const { heif } = engine;
  const keep = () => {
    if (memoryOf(heif).byteLength <= LARGEST_KEPT_MEMORY) kept = { engine, file: new WeakRef(file) };
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

/**
 * All that an engine knows is in its memory while none of its functions runs. Another engine, and memory that the
 * system has to give anew, would take several times as long.
 */
function renew({ heif, whenNew }: Engine): void {
  const memory = new Uint8Array(memoryOf(heif));
  memory.set(whenNew);
  memory.fill(0, whenNew.length);
}

/** WebAssembly traps and Emscripten's abort. */
function unforeseen(thrown: unknown): ServiceError {
  return tellsOfMemory(thrown) ? outOfMemory() : damagedHeif("its decoder cannot cope with it");
}

async function createEngine(): Promise<Engine> {
  const [{ createLibheif }, module] = await Promise.all([
    import("./wasm/libheif.ts"),
    wasmModule(wasmAddress),
  ]);
  const heif: MainModule = await createLibheif({
    instantiateWasm: (imports: WebAssembly.Imports, onInstance: (instance: WebAssembly.Instance) => void) => {
      const instance = new WebAssembly.Instance(module, imports);
      onInstance(instance);
      return instance.exports;
    },
    // What libheif has to say of a damaged file goes into the error.
    print: () => {},
    printErr: () => {},
  });
  return { heif, whenNew: contents(new Uint8Array(memoryOf(heif))) };
}

/** A copy of a memory up to where nothing but zeros follows. */
function contents(memory: Uint8Array<ArrayBuffer>): Uint8Array {
  // WebAssembly's memory comes in pages of 64 KiB.
  const words = new Float64Array(memory.buffer);
  let length = words.length;
  while (length > 0 && Object.is(words[length - 1], 0)) length--;
  return memory.slice(0, 8 * length);
}
