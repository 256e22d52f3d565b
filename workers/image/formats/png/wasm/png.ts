import { WasmInstanceCache } from "../../../wasm/instance-cache.ts";

/**
 * The exports of the engine that are used here (squoosh_png.d.ts in @jsquash/png). Numbers are addresses and lengths.
 */
interface PngExports extends WebAssembly.Exports {
  readonly memory: WebAssembly.Memory;
  __wbindgen_malloc(bytes: number, alignment: number): number;
  __wbindgen_free(at: number, bytes: number, alignment: number): void;
  __wbindgen_add_to_stack_pointer(bytes: number): number;
  /** Frees the input. Passes the picture to the import {@link MAKES_PICTURE}. */
  decode(at: number, length: number): void;
  /** Frees the pixels. Writes the address and the length of the file to `result`. */
  encode(result: number, at: number, length: number, width: number, height: number, bitDepth: number): void;
}

interface PngEngine {
  readonly exports: PngExports;
  /** The last decoded picture. */
  image: ImageData | undefined;
}

/** Takes the address, the length, the width and the height of a picture. Its name ends with a hash. */
const MAKES_PICTURE = "__wbg_newwithownedu8clampedarrayandsh_";
const BIT_DEPTH = 8;
const RESULT_BYTES = 16;
const engines = new WasmInstanceCache(instantiate);

/**
 * Decodes to red, green, blue and alpha with 8 bits each, not premultiplied.
 *
 * @throws when the data is damaged
 */
export async function decodePng(module: WebAssembly.Module, bytes: Uint8Array): Promise<ImageData> {
  return withEngine(module, (engine) => {
    engine.exports.decode(put(engine, bytes), bytes.length);
    const { image } = engine;
    engine.image = undefined;
    if (image === undefined) throw new Error("no picture");
    return image;
  });
}

/** Encodes red, green, blue and alpha with 8 bits each, not premultiplied. */
export async function encodePng(
  module: WebAssembly.Module,
  pixels: Uint8ClampedArray,
  width: number,
  height: number,
): Promise<Uint8Array<ArrayBuffer>> {
  return withEngine(module, (engine) => {
    const { exports } = engine;
    const result = exports.__wbindgen_add_to_stack_pointer(-RESULT_BYTES);
    exports.encode(result, put(engine, pixels), pixels.length, width, height, BIT_DEPTH);
    const view = new DataView(exports.memory.buffer);
    const bytes = taken(exports, view.getUint32(result, true), view.getUint32(result + 4, true));
    exports.__wbindgen_add_to_stack_pointer(RESULT_BYTES);
    return new Uint8Array(bytes.buffer);
  });
}

/**
 * Works with an engine. An engine that throws is dropped, because its stack and memory stay as they were at that
 * moment. The bindings of the package keep one engine forever, so they are not used.
 */
function withEngine<Result>(module: WebAssembly.Module, work: (engine: PngEngine) => Result): Result {
  const engine = engines.take(module);
  const result = work(engine);
  engines.giveBack(engine);
  return result;
}

function instantiate(module: WebAssembly.Module): PngEngine {
  const makePicture = (at: number, length: number, width: number, height: number) => {
    engine.image = new ImageData(taken(engine.exports, at, length), width, height);
  };
  const imports = WebAssembly.Module.imports(module).map(({ name }) => {
    const fail = () => {
      throw new Error(name);
    };
    return [name, name.startsWith(MAKES_PICTURE) ? makePicture : fail];
  });
  const { exports } = new WebAssembly.Instance(module, { wbg: Object.fromEntries(imports) });
  const engine: PngEngine = { exports: exports as PngExports, image: undefined };
  return engine;
}

function put({ exports }: PngEngine, bytes: Uint8Array | Uint8ClampedArray): number {
  const at = exports.__wbindgen_malloc(bytes.length, 1) >>> 0;
  new Uint8Array(exports.memory.buffer).set(bytes, at);
  return at;
}

/** Copies bytes at an address and frees them. */
function taken(exports: PngExports, address: number, length: number): Uint8ClampedArray<ArrayBuffer> {
  const at = address >>> 0;
  const copy = new Uint8ClampedArray(exports.memory.buffer.slice(at, at + length));
  exports.__wbindgen_free(at, length, 1);
  return copy;
}
