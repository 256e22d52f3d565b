import { uint16 } from "../../io/big-endian.ts";
import type { BytePart } from "../../io/byte-ranges.ts";
import type { ByteSource } from "../../io/source.ts";
import { COLOR_TYPE, fullPalette, isGray, type Png, readPng } from "../formats/png/read-png.ts";
import { pixelBytes, requirePossible, takeRows, unpackedLength } from "../formats/png/rows.ts";
import { checkSize, thisDevice } from "../picture/limits.ts";
import { type ColorSpace, needsConversion, pngSpace } from "./color-space.ts";
import type { EmbeddedImage, Samples } from "./embedded-image.ts";
import { AlphaOfPixels, AlphaSplit, PlainRows } from "./row-sinks.ts";

/**
 * Pixels up to this size are checked even when they go in unchanged. Checking more would take longer than all the
 * rest.
 */
const LOOKED_THROUGH_BYTES = 4 * 1024 * 1024;

/** Splitting rows needs no canvas. Long scans and screenshots exceed its limits, so the limit is that of JPEG. */
const LONGEST_UNPACKED_SIDE = 65_535;

/** Where the transparency of a PNG is. */
type Transparency =
  | { readonly kind: "none" }
  /** An alpha channel. */
  | { readonly kind: "sample" }
  /** A color key: one color, or consecutive palette entries, are not painted. */
  | { readonly kind: "key"; readonly key: readonly number[] }
  /** A mask, made from the pixels. */
  | { readonly kind: "pixels"; readonly opacity: (row: Uint8Array, alpha: Uint8Array) => void };

/**
 * Returns a PNG whose values go into the PDF exactly. The compressed data goes in unchanged, unless it is interlaced
 * or has an alpha channel.
 *
 * @returns `undefined` for colors that PDF cannot state
 * @throws {ServiceError} `damaged_file`, `input_too_large`
 */
export async function embedPng(source: ByteSource): Promise<EmbeddedImage | undefined> {
  const png = readPng(source);
  if (needsConversion(png.colors)) return undefined;
  requirePossible(png);
  const { width, height, orientation, resolution, xmp, isXmpTooLong } = png;
  const transparency = transparencyOf(png);
  const stored = storedSamples(png, transparency);
  return {
    ...{ width, height, orientation, resolution, xmp, isXmpTooLong },
    colorSpace: spaceOf(png),
    colorKey: transparency.kind === "key" ? transparency.key : undefined,
    ...(await stored(source)),
  };
}

type StoredSamples = Samples & Pick<EmbeddedImage, "softMask">;

/**
 * Returns how the pixels go into the PDF.
 *
 * @throws {ServiceError} `input_too_large` when the pixels must be decompressed and are too large
 */
function storedSamples(png: Png, transparency: Transparency): (source: ByteSource) => Promise<StoredSamples> {
  const { bitDepth, width } = png;
  const filtered = (data: readonly BytePart[]): Samples => ({
    bitsPerComponent: bitDepth,
    compression: { kind: "flate", filtered: true },
    data,
  });
  const opacity = (data: readonly BytePart[]): Samples => ({
    bitsPerComponent: 8,
    compression: { kind: "flate", filtered: false },
    data,
  });
  const rows = async (source: ByteSource): Promise<Samples> => {
    if (!png.interlaced) return filtered(png.data);
    const plain = new PlainRows();
    await takeRows(source, png, plain);
    return filtered(await plain.end());
  };
  if (!png.interlaced && (transparency.kind === "none" || transparency.kind === "key")) {
    return async (source) => {
      if (unpackedLength(png) <= LOOKED_THROUGH_BYTES) await takeRows(source, png, { take: () => {} });
      return rows(source);
    };
  }
  checkSize(png, thisDevice(), LONGEST_UNPACKED_SIDE);
  if (transparency.kind === "sample") {
    return async (source) => {
      const colors = png.colorType === COLOR_TYPE.grayAlpha ? 1 : 3;
      const split = new AlphaSplit(width, colors, bitDepth === 16 ? 2 : 1);
      await takeRows(source, png, split);
      const { color, alpha } = await split.end();
      return { ...filtered(color), softMask: alpha && filtered(alpha) };
    };
  }
  if (transparency.kind === "pixels") {
    return async (source) => {
      const mask = new AlphaOfPixels(width, pixelBytes(png), transparency.opacity);
      await takeRows(source, png, mask);
      return { ...(await rows(source)), softMask: opacity(await mask.end()) };
    };
  }
  return rows;
}

function spaceOf({ colorType, bitDepth, palette, colors }: Png): ColorSpace {
  // For an index beyond the palette, PDF readers take the last entry (ISO 32000-2, 8.6.6.3).
  if (palette) return { kind: "indexed", base: pngSpace(3, colors), palette: fullPalette(palette, bitDepth) };
  return pngSpace(isGray(colorType) ? 1 : 3, colors);
}

function transparencyOf(png: Png): Transparency {
  const { colorType, bitDepth, transparency } = png;
  if (colorType === COLOR_TYPE.grayAlpha || colorType === COLOR_TYPE.rgbAlpha) return { kind: "sample" };
  if (transparency === undefined) return { kind: "none" };
  if (colorType === COLOR_TYPE.palette) return paletteTransparency(png, transparency);
  // Some readers compare only the upper 8 of 16 bits.
  if (bitDepth === 16) return { kind: "pixels", opacity: opacityByColor(transparency) };
  const samples = Array.from({ length: transparency.length / 2 }, (_, index) =>
    uint16(transparency, 2 * index),
  );
  return { kind: "key", key: samples.flatMap((sample) => [sample, sample]) };
}

/**
 * A color key is enough when all transparent entries are consecutive and none is half transparent. Otherwise a mask is
 * needed. It is needed for entries of fewer than eight bits, too, for which mupdf ignores the key.
 */
function paletteTransparency({ bitDepth }: Png, alphas: Uint8Array): Transparency {
  const first = alphas.indexOf(0);
  const last = alphas.lastIndexOf(0);
  const isKey =
    bitDepth === 8 &&
    first >= 0 &&
    alphas.every((alpha, index) => alpha === (index >= first && index <= last ? 0 : 255));
  return isKey
    ? { kind: "key", key: [first, last] }
    : { kind: "pixels", opacity: opacityByEntry(alphas, bitDepth) };
}

/** Returns a function that fills in the alpha of a row of palette indices. */
function opacityByEntry(alphas: Uint8Array, bits: number): (row: Uint8Array, alpha: Uint8Array) => void {
  const mask = (1 << bits) - 1;
  const table = new Uint8Array(256).fill(255);
  table.set(alphas.subarray(0, 256));
  return (row, alpha) => {
    for (let index = 0, bit = 0; index < alpha.length; index++, bit += bits) {
      alpha[index] = table[((row[bit >> 3] as number) >> (8 - bits - (bit & 7))) & mask] as number;
    }
  };
}

/** Returns a function that fills in the alpha of a row with 16-bit samples, of which one color is transparent. */
function opacityByColor(color: Uint8Array): (row: Uint8Array, alpha: Uint8Array) => void {
  return (row, alpha) => {
    const { length } = color;
    for (let index = 0, from = 0; index < alpha.length; index++, from += length) {
      let isSame = true;
      for (let at = 0; at < length; at++) isSame &&= row[from + at] === color[at];
      alpha[index] = isSame ? 0 : 255;
    }
  };
}
