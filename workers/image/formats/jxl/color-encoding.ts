import { calibratedProfile } from "../../color/calibrated-profile.ts";
import { type Color, profileColor, SRGB_COLOR } from "../../color/color.ts";
import { BT2020, type Chromaticities, DCI_P3, SRGB } from "../../color/rgb-spaces.ts";
import type { BitReader } from "./bit-reader.ts";

type Point = Chromaticities[number];

const COLOR_SPACE = { gray: 1, xyb: 2 };
/** The number for points that follow in the header, of {@link WHITES} and of {@link PRIMARIES}. */
const CUSTOM = 2;
const D65 = 1;
const WHITES: ReadonlyMap<number, Point> = new Map([
  [D65, SRGB[3]],
  [10, [1 / 3, 1 / 3]],
  [11, DCI_P3[3]],
]);
const PRIMARIES: ReadonlyMap<number, Chromaticities> = new Map([
  [1, SRGB],
  [9, BT2020],
  [11, DCI_P3],
]);
/** Those primaries with the white of D65, in ITU-T H.273. */
const CODE_POINTS: ReadonlyMap<number, number> = new Map([
  [1, 1],
  [9, 9],
  [11, 12],
]);
/** Transfer functions that have the same number and meaning in ITU-T H.273. */
const CODED_TRANSFERS: readonly number[] = [1, 8, 13, 16, 18];
/** Transfer functions by their exponent, for primaries without code points. */
const CURVES: ReadonlyMap<number, number | "sRGB"> = new Map<number, number | "sRGB">([
  [8, 1],
  [13, "sRGB"],
  [17, 1 / 2.6],
]);

/**
 * Reads the color encoding (ISO/IEC 18181-1, annex E).
 *
 * @returns the color space, or `undefined` when only an ICC profile states it, or when it is unknown
 */
export function readColorEncoding(bits: BitReader): Color | undefined {
  const isSrgb = bits.bool();
  if (isSrgb) return SRGB_COLOR;
  const hasProfile = bits.bool();
  const space = bits.enumeration();
  if (hasProfile || space === COLOR_SPACE.xyb) return undefined;
  const whiteNumber = bits.enumeration();
  const white = whiteNumber === CUSTOM ? readPoint(bits) : WHITES.get(whiteNumber);
  const primariesNumber = space === COLOR_SPACE.gray ? 1 : bits.enumeration();
  const primaries = primariesNumber === CUSTOM ? readPoints(bits) : PRIMARIES.get(primariesNumber);
  const isExponent = bits.bool();
  const transfer = isExponent ? bits.u(24) / 1e7 : bits.enumeration();

  const codePoint = whiteNumber === D65 ? CODE_POINTS.get(primariesNumber) : undefined;
  if (codePoint !== undefined && !isExponent && CODED_TRANSFERS.includes(transfer))
    return { kind: "nclx", primaries: codePoint, transfer, matrix: 0, fullRange: true };
  const gamma = isExponent ? transfer : CURVES.get(transfer);
  if (white === undefined || primaries === undefined || gamma === undefined) return undefined;
  const [red, green, blue] = primaries;
  const profile = calibratedProfile({ gamma, chromaticities: [red, green, blue, white] });
  return profile && profileColor(profile);
}

/** Reads red, green and blue. */
function readPoints(bits: BitReader): readonly [Point, Point, Point] {
  return [readPoint(bits), readPoint(bits), readPoint(bits)];
}

/** Reads x and y in the CIE 1931 diagram, in millionths. The lowest bit is the sign. */
function readPoint(bits: BitReader): Point {
  const coordinate = () => {
    const value = bits.u32([0, 19], [524_288, 19], [1_048_576, 20], [2_097_152, 21]);
    return (value % 2 === 0 ? value / 2 : -(value + 1) / 2) / 1e6;
  };
  return [coordinate(), coordinate()];
}
