import type { MainModule } from "libheif-js/libheif-wasm/libheif.js";
import { damagedHeif } from "../../isobmff/cursor.ts";
import { chromaSize, newPlanes } from "../../picture/planes.ts";
import type { PixelRaster, PlaneRaster } from "./raster.ts";

// From the C interface of libheif (heif_image.h, heif_color.h).
const YCBCR = 0;
const CHROMA_420 = 1;
const CHANNEL = { luma: 0, cb: 1, cr: 2, alpha: 6, interleaved: 10 };
const BT601 = [5, 6];
/** The offsets of the matrix and of the range in heif_color_profile_nclx. */
const PROFILE = { matrix: 12, fullRange: 16 };
/** The offsets of results in the memory that the caller provides. */
const SCRATCH = { result: 16, stride: 24, colorSpace: 32, chroma: 36 };

/** Copies a decoded picture of interleaved red, green, blue and alpha out of the memory of libheif. */
export function takePixels(heif: MainModule, image: number, scratch: number): PixelRaster {
  const width = heif._heif_image_get_width(image, CHANNEL.interleaved);
  const height = heif._heif_image_get_height(image, CHANNEL.interleaved);
  const pixels = new Uint8ClampedArray(4 * width * height);
  copyValues(heif, image, scratch, CHANNEL.interleaved, { width: 4 * width, height, into: pixels });
  if (heif._heif_image_is_premultiplied_alpha(image) === 1) unpremultiply(pixels);
  return { layout: "rgba", width, height, pixels };
}

/** Whether an item may be coded in the color space of JPEG, as far as its header tells. */
export function mayBeLikeJpeg(heif: MainModule, handle: number, scratch: number): boolean {
  if (heif._heif_image_handle_get_luma_bits_per_pixel(handle) !== 8) return false;
  const [colorSpace, chroma] = [scratch + SCRATCH.colorSpace, scratch + SCRATCH.chroma];
  heif._heif_image_handle_get_preferred_decoding_colorspace(scratch, handle, colorSpace, chroma);
  if (word(heif, scratch) !== 0) return false;
  return word(heif, colorSpace) === YCBCR && word(heif, chroma) === CHROMA_420;
}

/**
 * Copies the planes of a decoded picture.
 *
 * @returns `undefined` when it is not coded in the color space of JPEG
 */
export function takePlanes(heif: MainModule, image: number, scratch: number): PlaneRaster | undefined {
  if (!isLikeJpeg(heif, image, scratch)) return undefined;
  const sizeOf = (channel: number) => ({
    width: heif._heif_image_get_width(image, channel),
    height: heif._heif_image_get_height(image, channel),
  });
  const size = sizeOf(CHANNEL.luma);
  const chroma = chromaSize(size);
  const isHalved = [CHANNEL.cb, CHANNEL.cr].every((channel) => {
    const { width, height } = sizeOf(channel);
    return width === chroma.width && height === chroma.height;
  });
  if (!isHalved) return undefined;
  const planes = newPlanes(size);
  copyValues(heif, image, scratch, CHANNEL.luma, { ...size, into: planes.luma });
  copyValues(heif, image, scratch, CHANNEL.cb, { ...chroma, into: planes.cb });
  copyValues(heif, image, scratch, CHANNEL.cr, { ...chroma, into: planes.cr });
  return { layout: "yuv420", ...size, planes };
}

/** Whether a picture is opaque YCbCr 4:2:0 by BT.601, with 8 bits in full range. */
function isLikeJpeg(heif: MainModule, image: number, scratch: number): boolean {
  if (heif._heif_image_get_colorspace(image) !== YCBCR) return false;
  if (heif._heif_image_get_chroma_format(image) !== CHROMA_420) return false;
  if (heif._heif_image_has_channel(image, CHANNEL.alpha) === 1) return false;
  const colors = [CHANNEL.luma, CHANNEL.cb, CHANNEL.cr];
  if (!colors.every((channel) => heif._heif_image_get_bits_per_pixel_range(image, channel) === 8))
    return false;
  heif._heif_image_get_nclx_color_profile(scratch, image, scratch + SCRATCH.result);
  // Without a statement in the file or in the coded data, libheif assumes this color space.
  if (word(heif, scratch) !== 0) return true;
  return isProfileOfJpeg(heif, word(heif, scratch + SCRATCH.result));
}

/** Whether an item states the color space of JPEG. Without a statement, the coded data decides. */
export function saysLikeJpeg(heif: MainModule, handle: number, scratch: number): boolean {
  heif._heif_image_handle_get_nclx_color_profile(scratch, handle, scratch + SCRATCH.result);
  return word(heif, scratch) === 0 && isProfileOfJpeg(heif, word(heif, scratch + SCRATCH.result));
}

/** Whether a color profile is that of JPEG. Frees the profile. */
function isProfileOfJpeg(heif: MainModule, profile: number): boolean {
  const matrix = word(heif, profile + PROFILE.matrix);
  const isFullRange = new Uint8Array(memoryOf(heif))[profile + PROFILE.fullRange] === 1;
  heif._heif_nclx_color_profile_free(profile);
  return isFullRange && BT601.includes(matrix);
}

/**
 * Copies a channel into `into`.
 *
 * @param target `width` is the number of bytes in a row
 */
function copyValues(
  heif: MainModule,
  image: number,
  scratch: number,
  channel: number,
  target: { width: number; height: number; into: Uint8Array | Uint8ClampedArray },
): void {
  const { width, height, into } = target;
  const at = heif._heif_image_get_plane_readonly2(image, channel, scratch + SCRATCH.stride);
  const stride = word(heif, scratch + SCRATCH.stride);
  if (at === 0 || width < 1 || height < 1) throw damagedHeif("a picture of it cannot be decoded");
  const decoded = new Uint8Array(memoryOf(heif), at, stride * height);
  if (stride === width) into.set(decoded);
  else
    for (let row = 0; row < height; row++)
      into.set(decoded.subarray(row * stride, row * stride + width), row * width);
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
