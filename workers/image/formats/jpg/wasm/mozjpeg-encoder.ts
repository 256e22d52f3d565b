import { outOfMemory } from "../../../../../src/shared/failure.ts";
import { runCodec } from "../../../../wasm/emscripten-module.ts";
import { LinkedModule } from "../../../../wasm/linked-module.ts";
import type { PixelValues } from "../../../picture/picture.ts";

/** The exports of mozjpeg-encoder.c. */
interface Encoder {
  encode(at: number, width: number, height: number, quality: number): void;
  bytes(): number;
  length(): number;
}

/**
 * Encodes an opaque picture with libjpeg, in full chroma.
 *
 * @param quality from 0 to 1
 * @throws {ServiceError} `out_of_memory`
 */
export function encodeByMozjpeg(
  module: WebAssembly.Module,
  { pixels, width, height }: PixelValues,
  quality: number,
): Uint8Array<ArrayBuffer> {
  const codec = new LinkedModule<Encoder>(module);
  const { encode, bytes, length } = codec.exports;
  const file = runCodec(() => {
    encode(codec.put(pixels), width, height, Math.round(100 * quality));
    return codec.view(bytes(), length()).slice();
  });
  // Nothing else fails for a picture of a limited size.
  if (file === undefined) throw outOfMemory();
  return file;
}
