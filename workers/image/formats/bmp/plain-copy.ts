import { readBmp, readBmpLayout } from "./read-bmp.ts";

const AT = { fileBytes: 2, pixels: 10, header: 14 };

/** The second and third version of the Windows header. Their masks are where the fourth version has them. */
const BETWEEN_HEADERS: readonly number[] = [52, 56];
const FOURTH_HEADER = 108;
/** Where BITMAPV4HEADER states the color space, and the value for sRGB ([MS-WMF] 2.1.1.14). */
const SPACE = { at: 70, srgb: 0x73524742 };

/**
 * Returns a BMP that all browsers decode alike: a copy, or the file itself when nothing must change. WebKit takes the
 * fourth byte of pixels without alpha for alpha unless it is always 0, and does not know all Windows headers. When the
 * file does not state the offset of its pixels, Chromium takes headers for pixels. WebKit still shows pixels of 16 bits up
 * to 7 of 255 too dark.
 *
 * @throws {ServiceError} `damaged_file`
 */
export function plainBmp(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { hasAlpha } = readBmp(bytes);
  const placed = withPlaceOfPixels(bytes);
  return withKnownHeader(hasAlpha ? placed : withOpaquePixels(placed));
}

function withPlaceOfPixels(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { pixelsAt } = readBmpLayout(bytes);
  if (new DataView(bytes.buffer, bytes.byteOffset).getUint32(AT.pixels, true) === pixelsAt) return bytes;
  const copy = bytes.slice();
  new DataView(copy.buffer).setUint32(AT.pixels, pixelsAt, true);
  return copy;
}

function withKnownHeader(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { headerBytes, pixelsAt } = readBmpLayout(bytes);
  if (!BETWEEN_HEADERS.includes(headerBytes)) return bytes;
  const more = FOURTH_HEADER - headerBytes;
  const copy = new Uint8Array(bytes.length + more);
  const end = AT.header + headerBytes;
  copy.set(bytes.subarray(0, end));
  copy.set(bytes.subarray(end), end + more);
  const view = new DataView(copy.buffer);
  view.setUint32(AT.fileBytes, copy.length, true);
  view.setUint32(AT.pixels, pixelsAt + more, true);
  view.setUint32(AT.header, FOURTH_HEADER, true);
  view.setUint32(SPACE.at, SPACE.srgb, true);
  return copy;
}

function withOpaquePixels(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { bits, compression, pixelsAt, rowBytes, height } = readBmpLayout(bytes);
  if (bits !== 32 || compression !== 0) return bytes;
  const copy = bytes.slice();
  const end = pixelsAt + rowBytes * height;
  for (let at = pixelsAt + 3; at < end; at += 4) copy[at] = 255;
  return copy;
}
