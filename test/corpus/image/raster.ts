import { readPixmap } from "../../support/native-pictures.ts";

/** A decoded, upright picture: RGBA in sRGB, 8 bits per component. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
  /** Whether any pixel is transparent. */
  readonly hasAlpha: boolean;
}

const HEADER_BYTES = 64;
const UCHAR = 0;

/** Reads a file of libvips' own format. */
export function rasterOfVips(file: Uint8Array): Raster {
  const { width, height, bands } = headerOfVips(file);
  return rasterOf(width, height, bands, file.subarray(HEADER_BYTES));
}

/** Reads a CMYK file of libvips' own format, by the simple formula without a press. */
export function rasterOfCmyk(file: Uint8Array): Raster {
  const { width, height, bands } = headerOfVips(file);
  const inks = file.subarray(HEADER_BYTES);
  const rgb = new Uint8Array(3 * width * height);
  for (let from = 0, to = 0; to < rgb.length; from += bands, to += 3) {
    const light = 255 - (inks[from + 3] ?? 0);
    for (let ink = 0; ink < 3; ink += 1) {
      rgb[to + ink] = Math.round(((255 - (inks[from + ink] ?? 0)) * light) / 255);
    }
  }
  return rasterOf(width, height, 3, rgb);
}

/**
 * The header of 64 bytes before the values, one byte each.
 * https://www.libvips.org/API/current/file-format.html
 */
function headerOfVips(file: Uint8Array) {
  const header = new DataView(file.buffer, file.byteOffset, HEADER_BYTES);
  const littleEndian = header.getUint32(0, false) === 0xb6a6f208;
  const field = (offset: number) => header.getUint32(offset, littleEndian);
  if (field(20) !== UCHAR) throw new Error(`libvips gave values of format ${field(20)}, not bytes`);
  return { width: field(4), height: field(8), bands: field(12) };
}

/** Reads a portable pixmap or graymap. */
export function rasterOfPixmap(file: Uint8Array): Raster {
  const { width, height, channels, values } = readPixmap(file);
  return rasterOf(width, height, channels, values);
}

function rasterOf(width: number, height: number, bands: number, values: Uint8Array): Raster {
  const count = width * height;
  if (values.length < count * bands) throw new Error("the raster is cut off");
  const withAlpha = bands === 2 || bands === 4;
  let hasAlpha = false;
  const [green, blue] = bands > 2 ? [1, 2] : [0, 0];
  const rgba = new Uint8Array(4 * count);
  for (let from = 0, to = 0; to < rgba.length; from += bands, to += 4) {
    rgba[to] = values[from] ?? 0;
    rgba[to + 1] = values[from + green] ?? 0;
    rgba[to + 2] = values[from + blue] ?? 0;
    const alpha = withAlpha ? (values[from + bands - 1] ?? 0) : 255;
    rgba[to + 3] = alpha;
    hasAlpha ||= alpha < 255;
  }
  return { width, height, rgba, hasAlpha };
}

/** Flattens the raster on white. */
export function onWhite(raster: Raster): Raster {
  if (!raster.hasAlpha) return raster;
  const rgba = new Uint8Array(raster.rgba.length);
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = raster.rgba[at + 3] ?? 0;
    for (let channel = at; channel < at + 3; channel += 1) {
      rgba[channel] = Math.round(((raster.rgba[channel] ?? 0) * alpha + 255 * (255 - alpha)) / 255);
    }
    rgba[at + 3] = 255;
  }
  return { ...raster, rgba, hasAlpha: false };
}

/** The differences of two rasters of the same size, from 0 to 255. */
export interface Difference {
  /** The mean over all pixels and visible channels. */
  readonly mean: number;
  readonly largest: number;
}

/** @param channels 4 to count alpha as well, 3 to leave it out */
export function differenceOf(one: Raster, other: Raster, channels: 3 | 4): Difference {
  let sum = 0;
  let largest = 0;
  for (let at = 0; at < one.rgba.length; at += 4) {
    for (let channel = at; channel < at + channels; channel += 1) {
      const apart = Math.abs((one.rgba[channel] ?? 0) - (other.rgba[channel] ?? 0));
      sum += apart;
      if (apart > largest) largest = apart;
    }
  }
  return { mean: sum / ((one.rgba.length / 4) * channels), largest };
}
