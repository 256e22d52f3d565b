import createEncoder from "@jsquash/jpeg/codec/enc/mozjpeg_enc.js";
import { defaultOptions } from "@jsquash/jpeg/meta.js";
import { instantiate } from "../../../../wasm/emscripten-module.ts";
import type { PixelValues } from "../../../picture/picture.ts";

/** The settings of browsers: baseline, the quantization tables of annex K, full chroma. */
const LIKE_BROWSERS = {
  ...{ progressive: false, quant_table: 0 },
  ...{ auto_subsample: false, chroma_subsample: 1 },
};

/**
 * Encodes an opaque picture with MozJPEG.
 *
 * @param quality from 0 to 100
 */
export async function encodeMozjpeg(
  module: WebAssembly.Module,
  { pixels, width, height }: PixelValues,
  quality: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const encoder: Encoder = await instantiate(createEncoder, module);
  return encoder.encode(pixels, width, height, { ...defaultOptions, ...LIKE_BROWSERS, quality });
}

interface Encoder {
  encode(
    pixels: Uint8ClampedArray,
    width: number,
    height: number,
    options: typeof defaultOptions,
  ): Uint8Array<ArrayBuffer>;
}
