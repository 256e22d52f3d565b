/**
 * The exports of the engine that are used here (squoosh_png.d.ts in @jsquash/png). Numbers are addresses and lengths.
 */
interface PngExports extends WebAssembly.Exports {
  readonly memory: WebAssembly.Memory;
  __wbindgen_malloc(bytes: number, alignment: number): number;
  __wbindgen_add_to_stack_pointer(bytes: number): number;
  /** Passes the picture to the import {@link MAKES_PICTURE}. */
  decode(at: number, length: number): void;
  /** Writes the address and the length of the file to `result`. */
  encode(result: number, at: number, length: number, width: number, height: number, bitDepth: number): void;
}

/** Takes the address, the length, the width and the height of a picture. Its name ends with a hash. */
const MAKES_PICTURE = "__wbg_newwithownedu8clampedarrayandsh_";
const BIT_DEPTH = 8;
const RESULT_BYTES = 16;

/**
 * Decodes to red, green, blue and alpha with 8 bits each, not premultiplied.
 *
 * @throws when the data is damaged
 */
export async function decodePng(module: WebAssembly.Module, bytes: Uint8Array): Promise<ImageData> {
  const pictures: ImageData[] = [];
  const exports = instantiate(module, (at, length, width, height) => {
    pictures.push(new ImageData(copyOf(exports, at, length), width, height));
  });
  exports.decode(put(exports, bytes), bytes.length);
  const [picture] = pictures;
  if (picture === undefined) throw new Error("no picture");
  return picture;
}

/** Encodes red, green, blue and alpha with 8 bits each, not premultiplied. */
export async function encodePng(
  module: WebAssembly.Module,
  pixels: Uint8ClampedArray,
  width: number,
  height: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const exports = instantiate(module, () => {});
  const result = exports.__wbindgen_add_to_stack_pointer(-RESULT_BYTES);
  exports.encode(result, put(exports, pixels), pixels.length, width, height, BIT_DEPTH);
  const view = new DataView(exports.memory.buffer);
  const bytes = copyOf(exports, view.getUint32(result, true), view.getUint32(result + 4, true));
  return new Uint8Array(bytes.buffer);
}

type MakePicture = (at: number, length: number, width: number, height: number) => void;

/**
 * Returns an instance. Its memory is freed with it. The bindings of the package keep one forever, so they are not used:
 * a test compares its imports and exports with those that this file names.
 */
function instantiate(module: WebAssembly.Module, makePicture: MakePicture): PngExports {
  const imports = WebAssembly.Module.imports(module).map(({ name }) => {
    const fail = () => {
      throw new Error(name);
    };
    return [name, name.startsWith(MAKES_PICTURE) ? makePicture : fail];
  });
  const { exports } = new WebAssembly.Instance(module, { wbg: Object.fromEntries(imports) });
  return exports as PngExports;
}

function put(exports: PngExports, bytes: Uint8Array | Uint8ClampedArray): number {
  const at = exports.__wbindgen_malloc(bytes.length, 1) >>> 0;
  new Uint8Array(exports.memory.buffer).set(bytes, at);
  return at;
}

function copyOf({ memory }: PngExports, address: number, length: number): Uint8ClampedArray<ArrayBuffer> {
  const at = address >>> 0;
  return new Uint8ClampedArray(memory.buffer.slice(at, at + length));
}
