import lcmsUrl from "lcms-wasm/dist/lcms.wasm?url";
import { wasmModule } from "../../../wasm/wasm-module.ts";
import { profileComponents } from "../../color/icc.ts";
import type { PixelPicture } from "../../picture/picture.ts";
import { uprightPixels } from "../../picture/upright.ts";
import { isCommonlyCoded } from "./content.ts";
import type { Jpeg } from "./read-jpeg.ts";

/** Decoding takes about 20 bytes per pixel. The browser decodes larger pictures. */
const MOST_PIXELS = 50_000_000;

/**
 * Decodes a sound CMYK JPEG by its profile, exactly. Chromium converts with a coarse table. Firefox and WebKit ignore
 * the profile.
 *
 * @returns an upright picture, or `undefined` for another JPEG or when it fails, so that the browser decodes it
 */
export async function cmykToSrgb(bytes: Uint8Array, jpeg: Jpeg): Promise<PixelPicture | undefined> {
  const { frame, icc, orientation } = jpeg;
  if (frame.components.length !== 4 || icc === undefined || profileComponents(icc) !== 4) return undefined;
  if (!isCommonlyCoded(jpeg) || jpeg.width * jpeg.height > MOST_PIXELS) return undefined;
  const [{ storedInks }, { inksToSrgb }] = await Promise.all([
    import("./wasm/jpeg-cmyk.ts"),
    import("./wasm/little-cms.ts"),
  ]);
  const inks = storedInks(bytes);
  if (inks === undefined || inks.width !== jpeg.width || inks.height !== jpeg.height) return undefined;
  const { width, height, samples } = inks;
  const pixels = await inksToSrgb(await wasmModule(lcmsUrl), icc, samples);
  return pixels && uprightPixels({ layout: "rgba", width, height, pixels, hasAlpha: false }, orientation);
}
