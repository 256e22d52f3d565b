/** What Emscripten's factories take of what {@link instantiate} gives them. */
interface FactoryOptions {
  readonly noInitialRun: boolean;
  /** Takes what the codec would write to the console. */
  readonly printErr: (warning: string) => void;
  readonly instantiateWasm: (
    imports: WebAssembly.Imports,
    onInstance: (instance: WebAssembly.Instance) => void,
  ) => WebAssembly.Exports;
}

/**
 * A codec made by Emscripten, with a memory of its own that goes away with it: one kept for the next picture would
 * stay as large as the largest picture made it, and nobody knows its state after a failure.
 */
export function instantiate<Codec>(
  factory: (options: FactoryOptions) => Promise<Codec>,
  module: WebAssembly.Module,
  onWarning: (warning: string) => void = () => {},
): Promise<Codec> {
  return factory({
    noInitialRun: true,
    printErr: onWarning,
    instantiateWasm: (imports, onInstance) => {
      const instance = new WebAssembly.Instance(module, imports);
      onInstance(instance);
      return instance.exports;
    },
  });
}
