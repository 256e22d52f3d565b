import { outOfMemory } from "../../../src/shared/failure.ts";
import { thisBrowser } from "../browser-traits.ts";
import { SRGB_COLOR } from "../color/color.ts";
import { PixelRows } from "../picture/convert-layout.ts";
import type { Picture } from "../picture/picture.ts";

const HEADERS_BYTES = 54;
const INFO_HEADER_BYTES = 40;
const BITS_PER_PIXEL = 24;

/**
 * Returns opaque values as a bitmap that the browser knows to be opaque, because it decoded it from a BMP. Chromium
 * writes such a bitmap as a PNG without an alpha channel, which goes into a PDF as it is. Values that are drawn on a canvas
 * become a PNG with an alpha channel, even if the canvas has none.
 *
 * @throws {ServiceError} `out_of_memory`
 */
export async function opaqueBitmap(picture: Picture): Promise<ImageBitmap> {
  const bmp = new Blob([bmpOf(picture)], { type: "image/bmp" });
  // Firefox may convert from sRGB to the screen. Chromium must be allowed to convert, or it gives the bitmap an alpha channel.
  const { canKeepValues, convertsToSrgb } = await thisBrowser(SRGB_COLOR);
  const keepsValues = canKeepValues && !convertsToSrgb;
  try {
    return await createImageBitmap(bmp, { colorSpaceConversion: keepsValues ? "none" : "default" });
  } catch (thrown) {
    throw thrown instanceof DOMException ? outOfMemory() : thrown;
  }
}

/** Writes a BMP of 24 bits per pixel ([MS-WMF] 2.2.2.3, BITMAPINFOHEADER). */
function bmpOf(picture: Picture): Uint8Array<ArrayBuffer> {
  const { width, height } = picture;
  const rowBytes = Math.ceil((3 * width) / 4) * 4;
  const bmp = new Uint8Array(HEADERS_BYTES + rowBytes * height);
  bmp.set([0x42, 0x4d]);
  const view = new DataView(bmp.buffer);
  view.setUint32(2, bmp.length, true);
  view.setUint32(10, HEADERS_BYTES, true);
  view.setUint32(14, INFO_HEADER_BYTES, true);
  view.setInt32(18, width, true);
  // Negative: the rows begin at the top.
  view.setInt32(22, -height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, BITS_PER_PIXEL, true);
  const rows = new PixelRows(picture);
  for (let top = 0; top < height; top += rows.most) {
    const pixels = rows.read(top, Math.min(rows.most, height - top));
    for (let from = 0, row = top; from < pixels.length; row++) {
      for (let to = HEADERS_BYTES + row * rowBytes, end = to + 3 * width; to < end; to += 3, from += 4) {
        bmp[to] = pixels[from + 2] ?? 0;
        bmp[to + 1] = pixels[from + 1] ?? 0;
        bmp[to + 2] = pixels[from] ?? 0;
      }
    }
  }
  rows.close();
  return bmp;
}
