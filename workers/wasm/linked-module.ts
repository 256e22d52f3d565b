import { outOfMemory } from "../../src/shared/failure.ts";

const PAGE_BYTES = 65_536;
/** scripts/link-codecs.mjs links every module for at least so much memory. */
const FIRST_PAGES = 32;
/** No address is negative below this limit. It is also that of the modules of Emscripten. */
const MOST_BYTES = 2 ** 31;

/** The exports of every module that scripts/link-codecs.mjs links. */
interface CommonExports {
  _initialize(): void;
  malloc(bytes: number): number;
}

/** An instance of a C library. It can reach nothing but its memory, because a module imports nothing else. */
export class LinkedModule<Exports> {
  readonly exports: Exports & CommonExports;
  readonly #memory: WebAssembly.Memory;

  /**
   * Creates an instance. Its memory is freed with it. A cached instance would stay as large as the largest picture made it,
   * and its state is unknown after a failure.
   *
   * @param mostBytes the memory that it may use. Beyond it, allocations fail
   */
  constructor(module: WebAssembly.Module, mostBytes = MOST_BYTES) {
    this.#memory = new WebAssembly.Memory({
      initial: FIRST_PAGES,
      maximum: Math.ceil(mostBytes / PAGE_BYTES),
    });
    const { exports } = new WebAssembly.Instance(module, { env: { memory: this.#memory } });
    this.exports = exports as WebAssembly.Exports & Exports & CommonExports;
    this.exports._initialize();
  }

  /** The size of its memory. */
  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Allocates memory, which is freed with the instance. */
  allocate(bytes: number): number {
    const at = this.exports.malloc(bytes);
    if (at === 0) throw outOfMemory();
    return at;
  }

  /** Copies bytes into newly allocated memory. Returns their address. */
  put(bytes: Uint8Array | Uint8ClampedArray): number {
    const at = this.allocate(bytes.length);
    this.view(at, bytes.length).set(bytes);
    return at;
  }

  /** Returns a view of the memory. It is valid until the memory grows, which any call may cause. */
  view(at: number, bytes: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#memory.buffer, at, bytes);
  }
}
