import { outOfMemory } from "../../src/shared/failure.ts";
import { isOutOfMemory } from "../../src/shared/job-failure.ts";

/** The import with which a module of Emscripten asks for more memory. */
const GROW = "emscripten_resize_heap";

/** The options of Emscripten factories that {@link instantiate} sets. */
interface FactoryOptions {
  readonly noInitialRun: boolean;
  readonly print: (text: string) => void;
  /** Takes what the codec would write to the console. */
  readonly printErr: (warning: string) => void;
  readonly instantiateWasm: (
    imports: WebAssembly.Imports,
    onInstance: (instance: WebAssembly.Instance) => void,
  ) => WebAssembly.Exports;
}

/** What an instance of a codec tells, and asks. */
interface InstanceOptions {
  /** Called with each line that the codec would print. */
  readonly onWarning?: (warning: string) => void;
  /**
   * Asked before the memory grows, with the bytes that the codec needs in all. If it returns false, the allocation fails.
   * Emscripten adds up to 20 %, at most 96 MB.
   */
  readonly mayGrow?: (bytes: number) => boolean;
}

/**
 * Creates an instance of a codec made by Emscripten. Its memory is freed with it. A cached instance would stay as
 * large as the largest picture made it, and its state is unknown after a failure.
 */
export async function instantiate<Codec>(
  factory: (options: FactoryOptions) => Codec | Promise<Codec>,
  module: WebAssembly.Module,
  { onWarning = () => {}, mayGrow = () => true }: InstanceOptions = {},
): Promise<Codec> {
  return factory({
    noInitialRun: true,
    print: () => {},
    printErr: onWarning,
    instantiateWasm: (imports, onInstance) => {
      const instance = new WebAssembly.Instance(module, withCeiling(imports, mayGrow));
      onInstance(instance);
      return instance.exports;
    },
  });
}

/** Returns the imports of a module with a check before its memory grows. */
function withCeiling(imports: WebAssembly.Imports, mayGrow: (bytes: number) => boolean): WebAssembly.Imports {
  const grow = imports.env?.[GROW];
  if (typeof grow !== "function") return imports;
  const checked = (bytes: number) => (mayGrow(bytes >>> 0) ? grow(bytes) : 0);
  return { ...imports, env: { ...imports.env, [GROW]: checked } };
}

/**
 * Runs a codec on data that may be hostile.
 *
 * @returns `undefined` when the codec exits, aborts or traps: its state is then unknown, and it must not be used again
 * @throws {ServiceError} `out_of_memory` when its memory does not suffice
 */
export function runCodec<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch (thrown) {
    if (!hasGivenUp(thrown)) throw thrown;
    if (isOutOfMemory(thrown)) throw outOfMemory();
    return undefined;
  }
}

/** What a full stack throws in Chromium and WebKit, and in Firefox. And Emscripten throws an ExitStatus, which is no Error. */
const GIVEN_UP: readonly unknown[] = ["RangeError", "InternalError", "ExitStatus"];

/** Returns whether a codec has exited, aborted, trapped or filled the stack. Its state is then unknown. */
export function hasGivenUp(thrown: unknown): boolean {
  return thrown instanceof WebAssembly.RuntimeError || GIVEN_UP.includes(Object(thrown).name);
}
