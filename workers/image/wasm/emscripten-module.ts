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

/**
 * Creates an instance of a codec made by Emscripten. Its memory is freed with it. A cached instance would stay as
 * large as the largest picture made it, and its state is unknown after a failure.
 */
export async function instantiate<Codec>(
  factory: (options: FactoryOptions) => Codec | Promise<Codec>,
  module: WebAssembly.Module,
  onWarning: (warning: string) => void = () => {},
): Promise<Codec> {
  return factory({
    noInitialRun: true,
    print: () => {},
    printErr: onWarning,
    instantiateWasm: (imports, onInstance) => {
      const instance = new WebAssembly.Instance(module, imports);
      onInstance(instance);
      return instance.exports;
    },
  });
}

/** Returns whether a codec has exited, aborted or trapped. Its state is then unknown: it must not be used again. */
export function hasGivenUp(thrown: unknown): boolean {
  // Emscripten throws an ExitStatus, which is no Error.
  const hasExited = Object(thrown).name === "ExitStatus";
  return hasExited || thrown instanceof WebAssembly.RuntimeError;
}
