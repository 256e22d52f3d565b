import { AT, HEADER_BYTES } from "./icc.ts";
import { requiredTags, tagData, writeProfile } from "./icc-writer.ts";
import {
  type Chromaticities,
  fromChromaticities,
  type Matrix,
  PCS_WHITE,
  SRGB,
  srgbCurve,
  type TransferCurve,
  transposed,
} from "./rgb-spaces.ts";

/** How a display converts values to light. */
interface Calibration {
  /** The exponent of the encoding, such as 1/2.2, or the curve of sRGB. */
  readonly gamma: number | "sRGB";
  /** Those of sRGB by default. */
  readonly chromaticities?: Chromaticities | undefined;
}

/** ICC profile version 2.4. */
const VERSION = 0x02400000;
/** The number of samples of a curve that has no formula in this version. */
const SAMPLES = 1024;
const NAME = "RGB";
const ASCII = new TextEncoder();

/**
 * Returns an ICC profile (ICC.1:2001-04) for a calibration, or `undefined` for an impossible calibration. Formats that
 * cannot state a calibration carry the profile instead.
 */
export function calibratedProfile({ gamma, chromaticities = SRGB }: Calibration): Uint8Array | undefined {
  const colorants = colorantsOf(chromaticities);
  const curve = gamma === "sRGB" ? tabulated(srgbCurve) : gammaCurve(gamma);
  if (colorants === undefined || curve === undefined) return undefined;
  const [red, green, blue] = colorants;
  return writeProfile(header(), [
    ...requiredTags(2, NAME),
    ["wtpt", xyz(PCS_WHITE)],
    ["rXYZ", xyz(red)],
    ["gXYZ", xyz(green)],
    ["bXYZ", xyz(blue)],
    ["rTRC", curve],
    ["gTRC", curve],
    ["bTRC", curve],
  ]);
}

function header(): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(AT.version, VERSION);
  bytes.set(ASCII.encode("mntrRGB XYZ "), AT.deviceClass);
  bytes.set(ASCII.encode("acsp"), AT.signature);
  for (const [index, value] of PCS_WHITE.entries()) view.setInt32(AT.illuminant + 4 * index, fixed(value));
  return bytes;
}

/** Returns the colorants: XYZ of red, green and blue at full brightness, adapted to {@link PCS_WHITE}. */
function colorantsOf(chromaticities: Chromaticities): Matrix | undefined {
  if (chromaticities.some(([, y]) => y <= 0)) return undefined;
  const colorants = transposed(fromChromaticities(chromaticities));
  // Chromaticities on one line are impossible, and so are values that are not numbers.
  return colorants.flat().every((value) => Math.abs(value) < 4) ? colorants : undefined;
}

function gammaCurve(gamma: number): Uint8Array | undefined {
  const exponent = Math.round(256 / gamma);
  return exponent < 1 || exponent > 0xffff ? undefined : curveOf([exponent]);
}

function tabulated(curve: TransferCurve): Uint8Array {
  return curveOf(Array.from({ length: SAMPLES }, (_, at) => Math.round(65_535 * curve(at / (SAMPLES - 1)))));
}

/** One number is an exponent in 1/256. Several numbers are samples (ICC.1:2001-04, 6.5.3). */
function curveOf(numbers: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 + 2 * numbers.length));
  view.setUint32(0, numbers.length);
  for (const [index, number] of numbers.entries()) view.setUint16(4 + 2 * index, number);
  return tagData("curv", new Uint8Array(view.buffer));
}

function xyz(vector: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(12));
  for (const [index, value] of vector.entries()) view.setInt32(4 * index, fixed(value));
  return tagData("XYZ ", new Uint8Array(view.buffer));
}

function fixed(value: number): number {
  return Math.round(value * 65_536);
}
