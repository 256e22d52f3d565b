import createEncoder from "@jsquash/avif/codec/enc/avif_enc.js";
import { defaultOptions } from "@jsquash/avif/meta.js";
import { instantiate } from "../../../../wasm/emscripten-module.ts";
import type { PixelValues } from "../../../picture/picture.ts";

/** 1.5 times as fast as libavif's default of 6, for files that are some percent larger. */
const SPEED = 8;
/** The numbers of 4:2:0 and 4:4:4 in libavif. */
const SUBSAMPLE = { halved: 1, full: 3 };

/**
 * Encodes a picture with libavif and libaom.
 *
 * @param quality from 0 to 100
 * @param chroma whether chroma has half the resolution, horizontally and vertically
 * @returns `null` when libavif fails
 */
export async function encodeAvif(
  module: WebAssembly.Module,
  { pixels, width, height }: PixelValues,
  quality: number,
  chroma: "halved" | "full",
): Promise<Uint8Array<ArrayBuffer> | null> {
  const encoder: Encoder = await instantiate(createEncoder, module);
  const bytes = new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.length);
  return encoder.encode(bytes, width, height, {
    ...{ ...defaultOptions, quality, speed: SPEED },
    subsample: SUBSAMPLE[chroma],
  });
}

interface Encoder {
  encode(
    pixels: Uint8Array,
    width: number,
    height: number,
    options: typeof defaultOptions,
  ): Uint8Array<ArrayBuffer> | null;
}
