import { outOfMemory } from "../../../../../src/shared/failure.ts";
import { hasGivenUp } from "../../../../wasm/emscripten-module.ts";

/** With less memory, the engine does not crash for lack of it. */
const PLENTY_OF_BYTES = 256 * 2 ** 20;

/**
 * The exports of jxl-oxide that are used here (jxl_oxide_wasm.d.ts in jxl-oxide-wasm). Numbers are addresses and lengths.
 * The last number of a result is not 0 for a failure.
 */
interface JxlExports extends WebAssembly.Exports {
  readonly memory: WebAssembly.Memory;
  /** The JavaScript values that the engine refers to. */
  readonly __wbindgen_export_2: WebAssembly.Table;
  __wbindgen_start(): void;
  __wbindgen_malloc(bytes: number, alignment: number): number;
  __externref_table_alloc(): number;
  jxlimage_new(): number;
  jxlimage_feedBytes(image: number, at: number, length: number): readonly [fed: number, ...Failure];
  jxlimage_tryInit(image: number): readonly [isReady: number, ...Failure];
  jxlimage_is_loading_done(image: number): number;
  jxlimage_render(image: number, index: number): readonly [frame: number, ...Failure];
  renderresult_icc_profile(frame: number): readonly [at: number, length: number];
  renderresult_encodeToPng(frame: number): readonly [at: number, length: number, ...Failure];
}

type Failure = readonly [error: number, hasFailed: number];

/** The first frame of an image. */
interface DecodedJxl {
  /** A PNG: upright, with alpha that is not premultiplied, in the color space of the image. */
  readonly png: Uint8Array<ArrayBuffer>;
  /** The ICC profile of the values. Empty if code points state their color space. */
  readonly icc: Uint8Array<ArrayBuffer>;
}

/**
 * Decodes the first frame. High dynamic range in XYB becomes PQ.
 *
 * @returns `undefined` when the data is damaged or cut off
 * @throws {ServiceError} `out_of_memory`
 */
export function decodeJxl(module: WebAssembly.Module, bytes: Uint8Array): DecodedJxl | undefined {
  const exports = instantiate(module);
  try {
    return firstFrame(exports, bytes);
  } catch (thrown) {
    // Rust gives up, also when an allocation fails.
    if (!hasGivenUp(thrown)) throw thrown;
    if (exports.memory.buffer.byteLength > PLENTY_OF_BYTES) throw outOfMemory();
    return undefined;
  }
}

function firstFrame(exports: JxlExports, bytes: Uint8Array): DecodedJxl | undefined {
  const image = exports.jxlimage_new();
  const at = exports.__wbindgen_malloc(bytes.length, 1) >>> 0;
  new Uint8Array(exports.memory.buffer).set(bytes, at);
  const [, , hasNotFed] = exports.jxlimage_feedBytes(image, at, bytes.length);
  if (hasNotFed) return undefined;
  const [isReady, , hasNoHeader] = exports.jxlimage_tryInit(image);
  if (hasNoHeader || !isReady || !exports.jxlimage_is_loading_done(image)) return undefined;
  const [frame, , hasNotRendered] = exports.jxlimage_render(image, 0);
  if (hasNotRendered) return undefined;
  const icc = copyOf(exports, ...exports.renderresult_icc_profile(frame));
  const [start, length, , hasNoPng] = exports.renderresult_encodeToPng(frame);
  return hasNoPng ? undefined : { png: copyOf(exports, start, length), icc };
}

/** Returns an instance. Its memory is freed with it. The bindings of the package keep one forever, so they are not used. */
function instantiate(module: WebAssembly.Module): JxlExports {
  // The engine asks the global object for the browser, and gives sRGB to Firefox. Without a browser, it keeps the colors.
  const known: Readonly<Record<string, () => unknown>> = {
    __wbindgen_init_externref_table: () => exports.__wbindgen_export_2.grow(4),
    __wbg_static_accessor_SELF: () => {
      const place = exports.__externref_table_alloc();
      exports.__wbindgen_export_2.set(place, {});
      return place;
    },
    __wbindgen_is_undefined: () => false,
    __wbg_instanceof_Window: () => false,
    __wbg_instanceof_WorkerGlobalScope: () => false,
    // The text of an error, which is not used.
    __wbindgen_string_new: () => undefined,
  };
  const imports = WebAssembly.Module.imports(module).map(({ name }) => {
    const fail = () => {
      throw new Error(name);
    };
    // Most names end with a hash.
    return [name, known[name.replace(/_[0-9a-f]{16}$/, "")] ?? fail];
  });
  const exports = new WebAssembly.Instance(module, { wbg: Object.fromEntries(imports) })
    .exports as JxlExports;
  exports.__wbindgen_start();
  return exports;
}

function copyOf({ memory }: JxlExports, address: number, length: number): Uint8Array<ArrayBuffer> {
  const at = address >>> 0;
  return new Uint8Array(memory.buffer.slice(at, at + length));
}
