import { type BmpLayout, readBmp, readBmpLayout } from "./read-bmp.ts";

const AT = { fileBytes: 2, pixels: 10, header: 14, width: 18, height: 22, planes: 26, bits: 28, masks: 54 };
const MASKS_END = 66;
const INFO_HEADER = 40;
const HEADERS = 54;
/** BI_BITFIELDS: masks separate the components. */
const BITFIELDS = 3;
/** The masks of 16-bit pixels: RGB555 and RGB565. */
const GREEN_OF_FIVE = { red: 0x7c00, green: 0x3e0, blue: 0x1f };
const GREEN_OF_SIX = { red: 0xf800, green: 0x7e0, blue: 0x1f };

/** The second and third version of the Windows header. Their masks are where the fourth version has them. */
const BETWEEN_HEADERS: readonly number[] = [52, 56];
const FOURTH_HEADER = 108;
/** Where BITMAPV4HEADER states the color space, and the value for sRGB ([MS-WMF] 2.1.1.14). */
const SPACE = { at: 70, srgb: 0x73524742 };

/**
 * Returns a BMP that all browsers decode alike: a copy, or the file itself when nothing must change. WebKit takes the
 * fourth byte of pixels without alpha for alpha unless it is always 0, decodes components of five and six bits up to 7
 * of 255 too dark, and does not know all Windows headers. When the file does not state the offset of its pixels,
 * Chromium takes headers for pixels.
 *
 * @throws {ServiceError} `damaged_file`
 */
export function plainBmp(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { hasAlpha } = readBmp(bytes);
  const placed = withPlaceOfPixels(bytes);
  return withKnownHeader(hasAlpha ? placed : withPlainPixels(placed));
}

function withPlaceOfPixels(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { pixelsAt } = readBmpLayout(bytes);
  if (new DataView(bytes.buffer, bytes.byteOffset).getUint32(AT.pixels, true) === pixelsAt) return bytes;
  const copy = bytes.slice();
  new DataView(copy.buffer).setUint32(AT.pixels, pixelsAt, true);
  return copy;
}

function withPlainPixels(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const layout = readBmpLayout(bytes);
  if (layout.bits === 32 && layout.compression === 0) return withOpaquePixels(bytes, layout);
  const masks = layout.bits === 16 ? usualMasks(bytes, layout) : undefined;
  return masks === undefined ? bytes : withWholeValues(bytes, layout, masks);
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

function withOpaquePixels(
  bytes: Uint8Array<ArrayBuffer>,
  { pixelsAt, rowBytes, height }: BmpLayout,
): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice();
  const end = pixelsAt + rowBytes * height;
  for (let at = pixelsAt + 3; at < end; at += 4) copy[at] = 255;
  return copy;
}

type Masks = typeof GREEN_OF_FIVE;

/** Returns `undefined` for other masks, which the browser reads. */
function usualMasks(bytes: Uint8Array, { compression }: BmpLayout): Masks | undefined {
  if (compression === 0) return GREEN_OF_FIVE;
  if (compression !== BITFIELDS || bytes.length < MASKS_END) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + AT.masks);
  return [GREEN_OF_FIVE, GREEN_OF_SIX].find(({ red, green, blue }) =>
    [red, green, blue].every((mask, index) => view.getUint32(4 * index, true) === mask),
  );
}

/** Converts pixels of two bytes to pixels of four bytes. */
function withWholeValues(
  bytes: Uint8Array<ArrayBuffer>,
  { width, height, isFromTop, pixelsAt, rowBytes }: BmpLayout,
  masks: Masks,
): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(HEADERS + 4 * width * height);
  copy.set(bytes.subarray(0, AT.pixels));
  const view = new DataView(copy.buffer);
  view.setUint32(AT.fileBytes, copy.length, true);
  view.setUint32(AT.pixels, HEADERS, true);
  view.setUint32(AT.header, INFO_HEADER, true);
  view.setInt32(AT.width, width, true);
  view.setInt32(AT.height, isFromTop ? -height : height, true);
  view.setUint16(AT.planes, 1, true);
  view.setUint16(AT.bits, 32, true);
  const wholeOf = tabulate(masks);
  const from = new DataView(bytes.buffer, bytes.byteOffset + pixelsAt, rowBytes * height);
  for (let y = 0, to = HEADERS; y < height; y++) {
    for (let x = 0; x < width; x++, to += 4)
      view.setUint32(to, wholeOf[from.getUint16(y * rowBytes + 2 * x, true)] ?? 0, true);
  }
  return copy;
}

/** Tabulates opaque BGRA pixels by 16-bit pixels. */
function tabulate({ red, green, blue }: Masks): Uint32Array {
  const whole = (pixel: number, mask: number) => Math.round((255 * (pixel & mask)) / mask);
  return Uint32Array.from(
    { length: 2 ** 16 },
    (_, pixel) =>
      0xff000000 + whole(pixel, red) * 2 ** 16 + whole(pixel, green) * 2 ** 8 + whole(pixel, blue),
  );
}
