/** WebAssembly memory never shrinks. A larger instance is dropped, so that its memory is freed. */
const LARGEST_KEPT_MEMORY = 64 * 2 ** 20;

/**
 * Keeps one idle instance of a WebAssembly codec, because a new one costs time and memory.
 *
 * Do not give back an instance that has thrown: its state is unknown.
 */
export class WasmInstanceCache<Instance> {
  readonly #create: (module: WebAssembly.Module) => Instance;
  readonly #memoryBytes: (instance: Instance) => number;
  #idle: Instance | undefined;

  /** @param memoryBytes returns the size of the memory of an instance */
  constructor(
    create: (module: WebAssembly.Module) => Instance,
    memoryBytes: (instance: Instance) => number = () => 0,
  ) {
    this.#create = create;
    this.#memoryBytes = memoryBytes;
  }

  /** Returns an instance that only the caller uses until it gives the instance back. */
  take(module: WebAssembly.Module): Instance {
    const instance = this.#idle ?? this.#create(module);
    this.#idle = undefined;
    return instance;
  }

  giveBack(instance: Instance): void {
    if (this.#memoryBytes(instance) <= LARGEST_KEPT_MEMORY) this.#idle = instance;
  }
}
