import { outOfMemory } from "../../../../../src/shared/failure.ts";
import { runCodec } from "../../../../wasm/emscripten-module.ts";
import { LinkedModule } from "../../../../wasm/linked-module.ts";
import type { PixelValues, PlanePicture } from "../../../picture/picture.ts";
import { newPlanes } from "../../../picture/planes.ts";
import type { Size } from "../../../picture/size.ts";

/** The exports of webp-decoder.c. */
interface Decoder {
  decode(at: number, bytes: number): number;
  pixels(): number;
  decodePlanes(at: number, bytes: number): number;
  planes(): number;
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
  const size = decodedSize(codec, bytes, codec.exports.decode);
  if (size === null) return null;
  const rgba = codec.view(codec.exports.pixels(), 4 * size.width * size.height);
  return { ...size, pixels: new Uint8ClampedArray(rgba.slice().buffer) };
}

/**
 * Decodes a lossy WebP to planes, without its alpha.
 *
 * @returns the planes, or `null` when the data is damaged
 * @throws {ServiceError} `out_of_memory`
 */
export function decodeWebpPlanes(module: WebAssembly.Module, bytes: Uint8Array): PlanePicture | null {
  const codec = new LinkedModule<Decoder>(module);
  const size = decodedSize(codec, bytes, codec.exports.decodePlanes);
  if (size === null) return null;
  const planes = newPlanes(size);
  const values = new Uint8Array(planes.luma.buffer);
  values.set(codec.view(codec.exports.planes(), values.length));
  return { layout: "yuv420", ...size, planes, hasAlpha: false };
}

/** Decodes, and returns the size of the picture; `null` when the data is damaged. */
function decodedSize(
  codec: LinkedModule<Decoder>,
  bytes: Uint8Array,
  decode: (at: number, bytes: number) => number,
): Size | null {
  const status = runCodec(() => decode(codec.put(bytes), bytes.length));
  if (status === STATUS.outOfMemory && codec.memoryBytes > PLENTY_OF_BYTES) throw outOfMemory();
  if (status !== STATUS.ok) return null;
  return { width: codec.exports.width(), height: codec.exports.height() };
}
