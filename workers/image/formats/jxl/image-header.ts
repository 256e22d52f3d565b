import { type Color, SRGB_COLOR } from "../../color/color.ts";
import type { Orientation } from "../../metadata/exif.ts";
import type { Size } from "../../picture/size.ts";
import { BitReader } from "./bit-reader.ts";
import { readColorEncoding } from "./color-encoding.ts";

/** What the image header of a codestream says (ISO/IEC 18181-1, annex D). The size is as stored, before any rotation. */
export interface ImageHeader extends Size {
  readonly orientation: Orientation;
  /** Whether any pixel may be transparent. */
  readonly hasAlpha: boolean;
  /** Whether colors are multiplied by alpha. */
  readonly isPremultiplied: boolean;
  /** Whether there is a black channel, as in CMYK. */
  readonly hasBlack: boolean;
  /** Whether values are stored in the color space of the image. Otherwise they are in XYB, which is lossy. */
  readonly isLossless: boolean;
  /** The color space. Undefined when only an ICC profile states it: the profile is compressed with the pixels' coding. */
  readonly color: Color | undefined;
}

const SIGNATURE_BITS = 16;
const EXTRA_CHANNEL = { alpha: 0, spotColor: 2, black: 4, colorFilter: 5 };
/** Width to height, by the number that the header has for usual ratios. */
const RATIOS = [
  [1, 1],
  [12, 10],
  [4, 3],
  [3, 2],
  [16, 9],
  [5, 4],
  [2, 1],
] as const;
/** High dynamic range (ITU-T H.273, table 3), in which our decoder shows such images that are in XYB. */
const PQ = { primaries: 9, transfer: 16 };
const HLG_TRANSFER = 18;

/**
 * Reads the image header.
 *
 * @param codestream its beginning, with the signature
 * @throws {ServiceError} `damaged_file`
 */
export function readImageHeader(codestream: Uint8Array): ImageHeader {
  const bits = new BitReader(codestream);
  bits.u(SIGNATURE_BITS);
  const size = readSize(bits);
  const isAllDefault = bits.bool();
  if (isAllDefault) {
    const channels = { hasAlpha: false, isPremultiplied: false, hasBlack: false };
    return { ...size, ...channels, orientation: 1, isLossless: false, color: SRGB_COLOR };
  }
  const hasExtraFields = bits.bool();
  const orientation = hasExtraFields ? readExtraFields(bits) : 1;
  skipBitDepth(bits);
  const needsNo32Bits = 1;
  bits.u(needsNo32Bits);
  const count = bits.u32([0, 0], [1, 0], [2, 4], [1, 12]);
  const channels = Array.from({ length: count }, () => readExtraChannel(bits));
  const alpha = channels.find(({ kind }) => kind === EXTRA_CHANNEL.alpha);
  const isXyb = bits.bool();
  const color = readColorEncoding(bits);
  return {
    ...size,
    orientation,
    hasAlpha: alpha !== undefined,
    isPremultiplied: alpha?.isPremultiplied ?? false,
    hasBlack: channels.some(({ kind }) => kind === EXTRA_CHANNEL.black),
    isLossless: !isXyb,
    color: isXyb ? shownColor(color) : color,
  };
}

function readSize(bits: BitReader): Size {
  const isSmall = bits.bool();
  const side = () => (isSmall ? 8 * (1 + bits.u(5)) : bits.u32([1, 9], [1, 13], [1, 18], [1, 30]));
  const height = side();
  return { height, width: readRatio(bits, height) ?? side() };
}

/** Returns the width if the header states it by a ratio. */
function readRatio(bits: BitReader, height: number): number | undefined {
  const ratio = RATIOS[bits.u(3) - 1];
  return ratio && Math.floor((height * ratio[0]) / ratio[1]);
}

/** Reads the orientation. Skips the intrinsic size, the size of a preview and the speed of an animation. */
function readExtraFields(bits: BitReader): Orientation {
  const orientation = (1 + bits.u(3)) as Orientation;
  if (bits.bool()) readSize(bits);
  if (bits.bool()) skipPreviewSize(bits);
  if (bits.bool()) skipAnimation(bits);
  return orientation;
}

function skipPreviewSize(bits: BitReader): void {
  const isSmall = bits.bool();
  const side = () =>
    isSmall
      ? 8 * bits.u32([16, 0], [32, 0], [1, 5], [33, 9])
      : bits.u32([1, 6], [65, 8], [321, 10], [1345, 12]);
  const height = side();
  readRatio(bits, height) ?? side();
}

function skipAnimation(bits: BitReader): void {
  bits.u32([100, 0], [1000, 0], [1, 10], [1, 30]);
  bits.u32([1, 0], [1001, 0], [1, 8], [1, 10]);
  bits.u32([0, 0], [0, 3], [0, 16], [0, 32]);
  bits.bool();
}

function skipBitDepth(bits: BitReader): void {
  const isFloat = bits.bool();
  if (isFloat) {
    bits.u32([32, 0], [16, 0], [24, 0], [1, 6]);
    bits.u(4);
  } else {
    bits.u32([8, 0], [10, 0], [12, 0], [1, 6]);
  }
}

/** A channel beside those of color. */
interface ExtraChannel {
  readonly kind: number;
  readonly isPremultiplied: boolean;
}

function readExtraChannel(bits: BitReader): ExtraChannel {
  const isUsualAlpha = bits.bool();
  if (isUsualAlpha) return { kind: EXTRA_CHANNEL.alpha, isPremultiplied: false };
  const kind = bits.enumeration();
  skipBitDepth(bits);
  bits.u32([0, 0], [3, 0], [4, 0], [1, 3]);
  const nameBytes = bits.u32([0, 0], [0, 4], [16, 5], [48, 10]);
  for (let byte = 0; byte < nameBytes; byte++) bits.u(8);
  const isPremultiplied = kind === EXTRA_CHANNEL.alpha && bits.bool();
  if (kind === EXTRA_CHANNEL.spotColor) for (let value = 0; value < 4; value++) bits.u(16);
  if (kind === EXTRA_CHANNEL.colorFilter) bits.u32([1, 0], [0, 2], [3, 4], [19, 8]);
  return { kind, isPremultiplied };
}

/** Returns the color space in which our decoder gives an image in XYB. */
function shownColor(color: Color | undefined): Color | undefined {
  const isBright =
    color?.kind === "nclx" && (color.transfer === PQ.transfer || color.transfer === HLG_TRANSFER);
  return isBright ? { ...color, ...PQ } : color;
}
