import { LinkedModule } from "../../../../wasm/linked-module.ts";
import type { PixelValues } from "../../../picture/picture.ts";

/** The exports of webp-encoder.c. */
interface Encoder {
  encode(at: number, width: number, height: number, quality: number, isLossless: number): number;
  bytes(): number;
  length(): number;
}

/**
 * Encodes a picture with libwebp.
 *
 * @param quality from 0 to 100. Alpha is always exact. `"lossless"` keeps every value, even under full transparency.
 * @returns `null` when libwebp fails
 * @throws {ServiceError} `out_of_memory`
 */
export function encodeWebp(
  module: WebAssembly.Module,
  { pixels, width, height }: PixelValues,
  quality: number | "lossless",
): Uint8Array<ArrayBuffer> | null {
  const codec = new LinkedModule<Encoder>(module);
  const { encode, bytes, length } = codec.exports;
  const isLossless = quality === "lossless";
  const error = encode(codec.put(pixels), width, height, isLossless ? 0 : quality, Number(isLossless));
  return error === 0 ? codec.view(bytes(), length()).slice() : null;
}
