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

/** Returns whether a codec has exited, aborted or trapped. Its state is then unknown: it must not be used again. */
export function hasGivenUp(thrown: unknown): boolean {
  // Emscripten throws an ExitStatus, which is no Error.
  const hasExited = Object(thrown).name === "ExitStatus";
  return hasExited || thrown instanceof WebAssembly.RuntimeError;
}
