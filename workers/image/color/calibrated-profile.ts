import { HEADER_BYTES, requiredTags, tagData, writeProfile } from "./icc-writer.ts";
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

/** How a display turns values into light. */
export interface Calibration {
  /** The exponent of the encoding: 1/2.2 and the like; or sRGB's curve. */
  readonly gamma: number | "sRGB";
  /** x and y of white, red, green and blue; those of sRGB when absent. */
  readonly chromaticities?: readonly number[] | undefined;
}

/** Version 2.4 of the ICC profile format. */
const VERSION = 0x02400000;
/** Of a curve that has no formula in this version of profiles. */
const SAMPLES = 1024;
const NAME = "RGB";

/**
 * An ICC profile (ICC.1:2001-04) that says what a calibration says; undefined for one that makes no sense. Files that
 * cannot say it otherwise stay right with it.
 */
export function calibratedProfile({
  gamma,
  chromaticities = pointsOf(SRGB),
}: Calibration): Uint8Array | undefined {
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

/** As a calibration has them. */
export function pointsOf([red, green, blue, white]: Chromaticities): readonly number[] {
  return [white, red, green, blue].flat();
}

function header(): Uint8Array {
  const view = new DataView(new ArrayBuffer(HEADER_BYTES));
  view.setUint32(8, VERSION);
  setText(view, 12, "mntrRGB XYZ ");
  setText(view, 36, "acsp");
  for (const [index, value] of PCS_WHITE.entries()) view.setInt32(68 + 4 * index, fixed(value));
  return new Uint8Array(view.buffer);
}

/** What red, green and blue at their brightest are, as XYZ adapted to {@link PCS_WHITE}. */
function colorantsOf(chromaticities: readonly number[]): Matrix | undefined {
  const place = (index: number) =>
    [chromaticities[2 * index] ?? 0, chromaticities[2 * index + 1] ?? 0] as const;
  const [white, red, green, blue] = [place(0), place(1), place(2), place(3)];
  if ([red, green, blue, white].some(([, y]) => y <= 0)) return undefined;
  const colorants = transposed(fromChromaticities([red, green, blue, white]));
  // Places on one line make no sense, and no numbers.
  return colorants.flat().every((value) => Math.abs(value) < 4) ? colorants : undefined;
}

function gammaCurve(gamma: number): Uint8Array | undefined {
  const exponent = Math.round(256 / gamma);
  return exponent < 1 || exponent > 0xffff ? undefined : curveOf([exponent]);
}

function tabulated(curve: TransferCurve): Uint8Array {
  return curveOf(Array.from({ length: SAMPLES }, (_, at) => Math.round(65_535 * curve(at / (SAMPLES - 1)))));
}

/** One number is an exponent in 256ths, several are samples (ICC.1:2001-04, 6.5.3). */
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

function setText(view: DataView, at: number, text: string): void {
  for (let index = 0; index < text.length; index++) view.setUint8(at + index, text.charCodeAt(index));
}

function fixed(value: number): number {
  return Math.round(value * 65_536);
}
