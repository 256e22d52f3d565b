import { uint16 } from "../../io/big-endian.ts";
import type { BytePart } from "../../io/byte-ranges.ts";
import type { ByteSource } from "../../io/source.ts";
import { COLOR_TYPE, isGray, type Png, readPng } from "../formats/png/read-png.ts";
import { allRead } from "../metadata/metadata.ts";
import { checkEncoding, thisDevice } from "../picture/limits.ts";
import { type ColorSpace, codedSpace } from "./color-space.ts";
import { type EmbeddedImage, LONGEST_EMBEDDED_SIDE, type Samples } from "./embedded-image.ts";
import { requirePossible, takeRows, unpackedLength } from "./png-rows.ts";
import { AlphaOfEntries, AlphaSplit } from "./row-sinks.ts";

/**
 * Pixels up to this size are checked even when they go in unchanged. Checking more would take longer than all the
 * rest.
 */
const LOOKED_THROUGH_BYTES = 4 * 1024 * 1024;

/** Where the transparency of a PNG is. */
type Transparency =
  | { readonly kind: "none" }
  /** An alpha channel. */
  | { readonly kind: "sample" }
  /** A color key: one color is not painted. */
  | { readonly kind: "key"; readonly key: readonly number[] }
  /** A mask, made from the alpha of the palette entries. */
  | { readonly kind: "entries"; readonly alphas: Uint8Array };

/**
 * Returns a PNG whose values go into the PDF exactly. The compressed data goes in unchanged, unless it has an alpha
 * channel.
 *
 * @returns `undefined` for an interlaced PNG, for Apple's variant, for colors that PDF cannot state, and for a
 *   transparent color of 16 bits
 * @throws {ServiceError} `damaged_file`, `input_too_large` when the pixels must be decompressed and are too large,
 *   `invalid_parameter` when metadata is to be kept and is too long
 */
export async function embedPng(source: ByteSource, keepMetadata = false): Promise<EmbeddedImage | undefined> {
  const png = readPng(source);
  // The decoder refuses it.
  if (png.isCgbi) return undefined;
  const transparency = transparencyOf(png);
  const colorSpace = spaceOf(png);
  if (png.interlaced || transparency === undefined || colorSpace === undefined) return undefined;
  requirePossible(png);
  const { width, height, orientation, resolution, xmp } = keepMetadata ? allRead(png) : png;
  return {
    ...{ width, height, orientation, resolution, xmp, colorSpace },
    colorKey: transparency.kind === "key" ? transparency.key : undefined,
    ...(await samplesOf(source, png, transparency)),
  };
}

/** Returns the pixels as they go into the PDF. */
async function samplesOf(
  source: ByteSource,
  png: Png,
  transparency: Transparency,
): Promise<Samples & Pick<EmbeddedImage, "softMask">> {
  const { width, bitDepth } = png;
  const filtered = (data: readonly BytePart[]): Samples => ({
    bitsPerComponent: bitDepth,
    compression: { kind: "flate", filtered: true },
    data,
  });
  if (transparency.kind === "none" || transparency.kind === "key") {
    if (unpackedLength(png) <= LOOKED_THROUGH_BYTES) await takeRows(source, png, { take: () => {} });
    return filtered(png.data);
  }
  checkEncoding({ width, height: png.height, hasAlpha: true }, "pdf", thisDevice(), LONGEST_EMBEDDED_SIDE);
  if (transparency.kind === "sample") {
    const colors = png.colorType === COLOR_TYPE.grayAlpha ? 1 : 3;
    const split = new AlphaSplit(width, colors, bitDepth === 16 ? 2 : 1);
    await takeRows(source, png, split);
    const { color, alpha } = await split.end();
    return { ...filtered(color), softMask: alpha && filtered(alpha) };
  }
  const mask = new AlphaOfEntries(width, bitDepth, transparency.alphas);
  await takeRows(source, png, mask);
  const softMask: Samples = {
    bitsPerComponent: 8,
    compression: { kind: "flate", filtered: false },
    data: await mask.end(),
  };
  return { ...filtered(png.data), softMask };
}

function spaceOf({ colorType, palette, color }: Png): ColorSpace | undefined {
  const space = codedSpace(isGray(colorType) ? 1 : 3, color);
  return space && palette ? { kind: "indexed", base: space, palette } : space;
}

/** Returns `undefined` for a transparent color of 16 bits, of which some PDF readers compare only the upper 8. */
function transparencyOf({ colorType, bitDepth, transparency }: Png): Transparency | undefined {
  if (colorType === COLOR_TYPE.grayAlpha || colorType === COLOR_TYPE.rgbAlpha) return { kind: "sample" };
  if (transparency === undefined) return { kind: "none" };
  if (colorType === COLOR_TYPE.palette) return { kind: "entries", alphas: transparency };
  if (bitDepth === 16) return undefined;
  const samples = Array.from({ length: transparency.length / 2 }, (_, index) =>
    uint16(transparency, 2 * index),
  );
  return { kind: "key", key: samples.flatMap((sample) => [sample, sample]) };
}
