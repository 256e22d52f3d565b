import type { MainModule } from "libheif-js/libheif-wasm/libheif.js";
import { damagedHeif } from "../../isobmff/cursor.ts";
import type { PixelRaster } from "./raster.ts";

/** heif_channel_interleaved (heif_image.h). */
const INTERLEAVED = 10;
/** The offset of the stride in the memory that the caller provides. */
const STRIDE_AT = 24;

/** Copies a decoded picture of interleaved red, green, blue and alpha out of the memory of libheif. */
export function takePixels(heif: MainModule, image: number, scratch: number): PixelRaster {
  const width = heif._heif_image_get_width(image, INTERLEAVED);
  const height = heif._heif_image_get_height(image, INTERLEAVED);
  const at = heif._heif_image_get_plane_readonly2(image, INTERLEAVED, scratch + STRIDE_AT);
  const stride = word(heif, scratch + STRIDE_AT);
  if (at === 0 || width < 1 || height < 1) throw damagedHeif("a picture of it cannot be decoded");
  const decoded = new Uint8Array(memoryOf(heif), at, stride * height);
  const rowBytes = 4 * width;
  const pixels = new Uint8ClampedArray(rowBytes * height);
  for (let row = 0; row < height; row++) {
    pixels.set(decoded.subarray(row * stride, row * stride + rowBytes), row * rowBytes);
  }
  if (heif._heif_image_is_premultiplied_alpha(image) === 1) unpremultiply(pixels);
  return { layout: "rgba", width, height, pixels };
}

function unpremultiply(pixels: Uint8ClampedArray): void {
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0;
    if (alpha === 0 || alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel++) {
      pixels[channel] = ((pixels[channel] ?? 0) * 255) / alpha;
    }
  }
}

/** Reads a number from the memory of libheif. */
export function word(heif: MainModule, at: number): number {
  return new DataView(memoryOf(heif)).getUint32(at, true);
}

/** Returns the memory of libheif. It is a new object each time the memory grows. */
export function memoryOf(heif: MainModule): ArrayBuffer {
  return heif.HEAPU8.buffer;
}
