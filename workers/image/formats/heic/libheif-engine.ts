import type { MainModule } from "libheif-js/libheif-wasm/libheif.js";
import wasmAddress from "libheif-js/libheif-wasm/libheif.wasm?url";
import { ServiceError } from "../../../../src/shared/errors.ts";
import { outOfMemory } from "../../../../src/shared/failure.ts";
import { isOutOfMemory } from "../../../../src/shared/job-failure.ts";
import { damagedHeif } from "../../isobmff/cursor.ts";
import { wasmModule } from "../../wasm/wasm-module.ts";

/** WebAssembly memory never shrinks. An engine with more memory is dropped, so that its memory is freed. */
const LARGEST_KEPT_MEMORY = 192 * 2 ** 20;

interface Engine {
  readonly heif: MainModule;
  /** The initial contents of its memory, up to the last byte that is not zero. */
  readonly whenNew: Uint8Array;
}

let kept: { readonly engine: Engine; readonly file: WeakRef<Uint8Array> } | undefined;

/**
 * Provides an instance of libheif while `use` runs. The instance is reset for each file: missing parts of a damaged
 * picture show old contents of the memory, and these must not come from another file. An instance that fails in an
 * unexpected way is dropped, because its state is unknown.
 *
 * @throws {ServiceError} what `use` throws, or `damaged_file`, `out_of_memory`
 */
export async function withEngine<Result>(
  file: Uint8Array,
  use: (heif: MainModule) => Promise<Result>,
): Promise<Result> {
  const before = kept;
  // A second caller, meanwhile, gets another engine.
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
 * Resets an engine. Its whole state is in its memory while none of its functions runs. A new engine would take several
 * times as long.
 */
function renew({ heif, whenNew }: Engine): void {
  const memory = new Uint8Array(memoryOf(heif));
  memory.set(whenNew);
  memory.fill(0, whenNew.length);
}

/** Returns the error for a WebAssembly trap or an abort of Emscripten. */
function unforeseen(thrown: unknown): ServiceError {
  return isOutOfMemory(thrown) ? outOfMemory() : damagedHeif("its decoder cannot decode it");
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
    // The errors of libheif hold the same texts.
    print: () => {},
    printErr: () => {},
  });
  return { heif, whenNew: contents(new Uint8Array(memoryOf(heif))) };
}

/** Copies a memory up to the last byte that is not zero. */
function contents(memory: Uint8Array<ArrayBuffer>): Uint8Array {
  // WebAssembly memory has pages of 64 KiB.
  const words = new Float64Array(memory.buffer);
  let length = words.length;
  while (length > 0 && Object.is(words[length - 1], 0)) length--;
  return memory.slice(0, 8 * length);
}

/** Returns the memory of libheif. It is a new object each time the memory grows. */
export function memoryOf(heif: MainModule): ArrayBuffer {
  return heif.HEAPU8.buffer;
}
