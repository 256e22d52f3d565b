import type { Bmp } from "./read-bmp.ts";

const AT = { fileBytes: 2, pixels: 10, header: 14 };

/** The second and third version of the Windows header. Their masks are where the fourth version has them. */
const BETWEEN_HEADERS: readonly number[] = [52, 56];
const FOURTH_HEADER = 108;
/** Where BITMAPV4HEADER states the color space, and the value for sRGB ([MS-WMF] 2.1.1.14). */
const SPACE = { at: 70, srgb: 0x73524742 };

/**
 * Returns a copy of a BMP that all browsers decode alike. WebKit takes the fourth byte of pixels without alpha for alpha
 * unless it is always 0, and does not know all Windows headers. When the file does not state the offset of its pixels,
 * Chromium takes headers for pixels. WebKit still shows pixels of 16 bits up to 7 of 255 too dark.
 */
export function plainBmp(bytes: Uint8Array, bmp: Bmp): Uint8Array<ArrayBuffer> {
  const { height, bits, compression, pixelsAt, rowBytes, headerBytes, hasAlpha } = bmp;
  const headersEnd = AT.header + headerBytes;
  const more = BETWEEN_HEADERS.includes(headerBytes) ? FOURTH_HEADER - headerBytes : 0;
  const copy = new Uint8Array(bytes.length + more);
  copy.set(bytes.subarray(0, headersEnd));
  copy.set(bytes.subarray(headersEnd), headersEnd + more);
  const view = new DataView(copy.buffer);
  view.setUint32(AT.pixels, pixelsAt + more, true);
  if (more > 0) {
    view.setUint32(AT.fileBytes, copy.length, true);
    view.setUint32(AT.header, FOURTH_HEADER, true);
    view.setUint32(SPACE.at, SPACE.srgb, true);
  }
  if (bits === 32 && compression === 0 && !hasAlpha) {
    const end = pixelsAt + more + rowBytes * height;
    for (let at = pixelsAt + more + 3; at < end; at += 4) copy[at] = 255;
  }
  return copy;
}
