/// <reference path="./lcms-wasm.d.ts" />
import createLittleCms, {
  INTENT_RELATIVE_COLORIMETRIC,
  type LittleCms,
  TYPE_CMYK_8_REV,
  TYPE_RGBA_8,
} from "lcms-wasm";
import { hasGivenUp, instantiate } from "../../../wasm/emscripten-module.ts";

/** The number of pixels that are converted at a time. */
const PIXELS_AT_A_TIME = 256 * 1024;
const NO_FLAGS = 0;

/**
 * Converts CMYK to RGBA in sRGB, with the relative colorimetric intent and without black point compensation, as
 * libvips does.
 *
 * @param profile a CMYK profile
 * @param samples four bytes per pixel, 255 for no ink
 * @returns `undefined` when the profile makes no sense, or when Little CMS fails
 */
export async function inksToSrgb(
  module: WebAssembly.Module,
  profile: Uint8Array,
  samples: Uint8ClampedArray,
): Promise<Uint8ClampedArray<ArrayBuffer> | undefined> {
  const cms = await instantiate<LittleCms>(createLittleCms, module);
  try {
    const transform = transformOf(cms, profile);
    const bytes = 4 * PIXELS_AT_A_TIME;
    const [from, to] = [cms._malloc(bytes), cms._malloc(bytes)];
    if (transform === 0 || from === 0 || to === 0) return undefined;
    const pixels = new Uint8ClampedArray(samples.length);
    // Little CMS does not write alpha.
    cms.HEAPU8.fill(255, to, to + bytes);
    for (let at = 0; at < samples.length; at += bytes) {
      const piece = samples.subarray(at, at + bytes);
      cms.HEAPU8.set(piece, from);
      cms._cmsDoTransform(transform, from, to, piece.length / 4);
      pixels.set(cms.HEAPU8.subarray(to, to + piece.length), at);
    }
    return pixels;
  } catch (thrown) {
    if (hasGivenUp(thrown)) return undefined;
    throw thrown;
  }
}

/** Returns the address of a transform, or 0. */
function transformOf(cms: LittleCms, profile: Uint8Array): number {
  const at = cms._malloc(profile.length);
  if (at === 0) return 0;
  cms.HEAPU8.set(profile, at);
  const from = cms._cmsOpenProfileFromMem(at, profile.length);
  if (from === 0) return 0;
  const to = cms._cmsCreate_sRGBProfile();
  const intent = INTENT_RELATIVE_COLORIMETRIC;
  return cms._cmsCreateTransform(from, TYPE_CMYK_8_REV, to, TYPE_RGBA_8, intent, NO_FLAGS);
}
