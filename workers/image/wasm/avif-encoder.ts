import createEncoder from "@jsquash/avif/codec/enc/avif_enc.js";
import { defaultOptions } from "@jsquash/avif/meta.js";
import { instantiate } from "./emscripten-module.ts";

/** Faster than libavif's 6 by half, for some percent of the size. */
const SPEED = 8;

/**
 * Encodes by libavif and libaom.
 *
 * @param pixels red, green, blue and alpha, not premultiplied
 * @param quality from 0 to 100
 * @returns nothing when libavif gives up
 */
export async function encodeAvif(
  module: WebAssembly.Module,
  pixels: Uint8ClampedArray<ArrayBuffer>,
  width: number,
  height: number,
  quality: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const encoder: Encoder = await instantiate(createEncoder, module);
  const bytes = new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.length);
  return encoder.encode(bytes, width, height, { ...defaultOptions, quality, speed: SPEED });
}

interface Encoder {
  encode(
    pixels: Uint8Array,
    width: number,
    height: number,
    options: typeof defaultOptions,
  ): Uint8Array<ArrayBuffer> | null;
}
