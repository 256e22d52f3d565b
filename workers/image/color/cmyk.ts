import { supportsSimd } from "../../wasm/simd-support.ts";
import { wasmModule } from "../../wasm/wasm-module.ts";
import { inksToSrgb } from "./wasm/little-cms.ts";
import lcmsUrl from "./wasm/little-cms.wasm?url";

/**
 * Converts CMYK to RGBA in sRGB by a profile, with Little CMS.
 *
 * @param samples four bytes per pixel, 255 for no ink
 * @returns `undefined` when the profile makes no sense, and in browsers without WebAssembly SIMD
 */
export async function cmykToSrgb(
  profile: Uint8Array,
  samples: Uint8ClampedArray,
): Promise<Uint8ClampedArray<ArrayBuffer> | undefined> {
  if (!supportsSimd()) return undefined;
  return inksToSrgb(await wasmModule(lcmsUrl), profile, samples);
}

/** Converts CMYK without a profile, in place: each ink takes away its share of light. Parameter as of {@link cmykToSrgb}. */
export function plainCmykToSrgb(samples: Uint8ClampedArray): void {
  for (let at = 0; at < samples.length; at += 4) {
    const light = (samples[at + 3] ?? 0) / 255;
    for (let ink = at; ink < at + 3; ink++) samples[ink] = (samples[ink] ?? 0) * light;
    samples[at + 3] = 255;
  }
}
