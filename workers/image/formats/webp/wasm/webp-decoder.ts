import { outOfMemory } from "../../../../../src/shared/failure.ts";
import { runCodec } from "../../../../wasm/emscripten-module.ts";
import { LinkedModule } from "../../../../wasm/linked-module.ts";
import type { PixelValues } from "../../../picture/picture.ts";

/** The exports of webp-decoder.c. */
interface Decoder {
  decode(at: number, bytes: number): number;
  pixels(): number;
  width(): number;
  height(): number;
}

/** VP8StatusCode in webp/decode.h. Other numbers are kinds of damage. */
const STATUS = { ok: 0, outOfMemory: 1 };
/** libwebp also says "out of memory" for a damaged header of alpha. With less memory, it is damage. */
const PLENTY_OF_BYTES = 256 * 2 ** 20;

/**
 * Decodes a WebP with libwebp.
 *
 * @returns the pixels, with alpha that is not premultiplied, or `null` when the data is damaged
 * @throws {ServiceError} `out_of_memory`
 */
export function decodeWebp(module: WebAssembly.Module, bytes: Uint8Array): PixelValues | null {
  const codec = new LinkedModule<Decoder>(module);
  const { decode, pixels, width, height } = codec.exports;
  const status = runCodec(() => decode(codec.put(bytes), bytes.length));
  if (status === STATUS.outOfMemory && codec.memoryBytes > PLENTY_OF_BYTES) throw outOfMemory();
  if (status !== STATUS.ok) return null;
  const size = { width: width(), height: height() };
  const rgba = codec.view(pixels(), 4 * size.width * size.height);
  return { ...size, pixels: new Uint8ClampedArray(rgba.slice().buffer) };
}
