import { runCodec } from "../../../wasm/emscripten-module.ts";
import { LinkedModule } from "../../../wasm/linked-module.ts";

/** The exports of little-cms.c. */
interface LittleCms {
  prepare(profile: number, bytes: number): number;
  convert(inks: number, rgba: number, pixels: number): void;
}

/** The number of pixels that are converted at a time. */
const PIXELS_AT_A_TIME = 256 * 1024;
/** A CMYK profile has some megabytes. A damaged one may ask for any size of table. */
const MOST_MEMORY = 256 * 2 ** 20;

/**
 * Converts CMYK to RGBA in sRGB, with the relative colorimetric intent and without black point compensation, as
 * libvips does.
 *
 * @param profile a CMYK profile
 * @param samples four bytes per pixel, 255 for no ink
 * @returns `undefined` when the profile makes no sense, or when Little CMS fails
 * @throws {ServiceError} `out_of_memory`
 */
export function inksToSrgb(
  module: WebAssembly.Module,
  profile: Uint8Array,
  samples: Uint8ClampedArray,
): Uint8ClampedArray<ArrayBuffer> | undefined {
  const cms = new LinkedModule<LittleCms>(module, MOST_MEMORY);
  const { prepare, convert } = cms.exports;
  return runCodec(() => {
    if (!prepare(cms.put(profile), profile.length)) return undefined;
    const bytes = 4 * PIXELS_AT_A_TIME;
    const [from, to] = [cms.allocate(bytes), cms.allocate(bytes)];
    const pixels = new Uint8ClampedArray(samples.length);
    // Little CMS does not write alpha.
    cms.view(to, bytes).fill(255);
    for (let at = 0; at < samples.length; at += bytes) {
      const piece = samples.subarray(at, at + bytes);
      cms.view(from, piece.length).set(piece);
      convert(from, to, piece.length / 4);
      pixels.set(cms.view(to, piece.length), at);
    }
    return pixels;
  });
}
