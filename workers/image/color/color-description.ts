import { uint32 } from "../../io/big-endian.ts";
import { calibratedProfile } from "./calibrated-profile.ts";
import type { CodedColor, Color } from "./color.ts";
import { profileComponents } from "./icc.ts";
import { readMatrixProfile } from "./icc-matrix.ts";
import {
  BT601_525,
  BT601_625,
  BT2020,
  type ColorConversion,
  DCI_P3,
  DISPLAY_P3,
  fromChromaticities,
  IDENTITY,
  type Matrix,
  SRGB_FROM_XYZ,
  srgbCurve,
  srgbOfLight,
  type TransferCurve,
  times,
} from "./rgb-spaces.ts";
import type { ToneMapping } from "./tone-mapping.ts";

/** Display P3 (ITU-T H.273, table 2). */
const P3_PRIMARIES = 12;

/**
 * Primaries by their numbers in ITU-T H.273, table 2. Other numbers are sRGB or unknown. Their values are not
 * converted.
 */
const PRIMARIES: ReadonlyMap<number, Matrix> = new Map([
  [5, fromChromaticities(BT601_625)],
  [6, fromChromaticities(BT601_525)],
  [7, fromChromaticities(BT601_525)],
  [9, fromChromaticities(BT2020)],
  [11, fromChromaticities(DCI_P3)],
  [P3_PRIMARIES, fromChromaticities(DISPLAY_P3)],
]);

/**
 * Transfer functions by their numbers in ITU-T H.273, table 3. The functions of video (1, 6, 14, 15) describe cameras.
 * Their pictures are shown like sRGB.
 */
const CURVES: ReadonlyMap<number, TransferCurve> = new Map([
  [4, (value: number) => value ** 2.2],
  [5, (value: number) => value ** 2.8],
  [8, (value: number) => value],
]);

/** The transfer functions of high dynamic range by their numbers in ITU-T H.273, table 3. */
const HIGH_DYNAMIC_RANGE: ReadonlyMap<number, ToneMapping["transfer"]> = new Map([
  [16, "PQ"],
  [18, "HLG"],
]);

/** Colors are equal when their values differ by less than half a step. */
const HALF_STEP = 0.5 / 255;

/**
 * Returns how values of a color space become sRGB: by a conversion, or not at all.
 *
 * @returns `"none"` when the values are sRGB, or their color space is unknown; `"tables"` for a profile with lookup tables
 *   instead of a matrix, which only browsers convert
 */
export function conversionToSrgb(
  color: Color | undefined,
): ColorConversion | ToneMapping | "none" | "tables" {
  if (!color) return "none";
  if (color.kind === "nclx") return fromCodePoints(color);
  const conversion = readMatrixProfile(color.profile);
  if (conversion === "tables") return "tables";
  return conversion === undefined || changesNothing(conversion) ? "none" : conversion;
}

function fromCodePoints({ primaries, transfer }: CodedColor): ColorConversion | ToneMapping | "none" {
  const toXyz = PRIMARIES.get(primaries);
  const curve = CURVES.get(transfer);
  const matrix = toXyz ? times(SRGB_FROM_XYZ, toXyz) : IDENTITY;
  const dynamicRange = HIGH_DYNAMIC_RANGE.get(transfer);
  if (dynamicRange) return { transfer: dynamicRange, matrix };
  if (!toXyz && !curve) return "none";
  const one = curve ?? srgbCurve;
  return { curves: [one, one, one], matrix };
}

/** Returns the ICC profile that states a color space of RGB values, or `undefined` when there is none. */
export function rgbProfile(color: Color | undefined): Uint8Array | undefined {
  if (color === undefined) return undefined;
  if (color.kind === "nclx") return profileOfCodePoints(color);
  // Some cameras write more bytes than the profile has.
  return profileComponents(color.profile) === 3
    ? color.profile.subarray(0, uint32(color.profile, 0))
    : undefined;
}

/** Returns an ICC profile for code points that phones write, or `undefined` for others. */
function profileOfCodePoints({ primaries, transfer }: CodedColor): Uint8Array | undefined {
  if (primaries !== P3_PRIMARIES || CURVES.has(transfer) || HIGH_DYNAMIC_RANGE.has(transfer))
    return undefined;
  return calibratedProfile({ gamma: "sRGB", chromaticities: DISPLAY_P3 });
}

/** Whether a conversion is the identity. Most profiles in files are some variant of sRGB. */
function changesNothing({ curves, matrix }: ColorConversion): boolean {
  const sameCurves = curves.every((curve) =>
    [0.05, 0.1, 0.25, 0.5, 0.75, 0.9].every(
      (value) => Math.abs(srgbOfLight(curve(value)) - value) < HALF_STEP,
    ),
  );
  const sameMatrix = matrix.every((row, r) =>
    row.every((value, c) => Math.abs(value - (r === c ? 1 : 0)) < HALF_STEP),
  );
  return sameCurves && sameMatrix;
}
