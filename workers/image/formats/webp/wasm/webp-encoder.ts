// The build with SIMD.
import createEncoder from "@jsquash/webp/codec/enc/webp_enc_simd.js";
import { defaultOptions } from "@jsquash/webp/meta.js";
import { instantiate } from "../../../../wasm/emscripten-module.ts";
import type { PixelValues } from "../../../picture/picture.ts";

/**
 * Encodes a picture with libwebp.
 *
 * @param quality from 0 to 100. Alpha is always exact. `"lossless"` keeps every value, even under full transparency.
 * @returns `null` when libwebp fails
 */
export async function encodeWebp(
  module: WebAssembly.Module,
  { pixels, width, height }: PixelValues,
  quality: number | "lossless",
): Promise<Uint8Array<ArrayBuffer> | null> {
  const encoder: Encoder = await instantiate(createEncoder, module);
  const mode = quality === "lossless" ? { lossless: 1, exact: 1, quality: 40, method: 3 } : { quality };
  return encoder.encode(pixels, width, height, { ...defaultOptions, ...mode });
}

interface Encoder {
  encode(
    pixels: Uint8ClampedArray,
    width: number,
    height: number,
    options: typeof defaultOptions,
  ): Uint8Array<ArrayBuffer> | null;
}
