import { profileComponents } from "../color/icc.ts";
import { neutralProfile } from "../color/neutral-profile.ts";
import { type PngColors, SRGB_EXPONENT, SRGB_POINTS } from "../formats/png/colors.ts";

/** The color space of samples (ISO 32000-2, 8.6). */
export type ColorSpace =
  /** DeviceGray, DeviceRGB or DeviceCMYK. On screens, DeviceRGB is sRGB. */
  | { readonly kind: "device"; readonly components: 1 | 3 | 4 }
  | { readonly kind: "icc"; readonly components: 1 | 3 | 4; readonly profile: Uint8Array }
  | Calibrated
  | { readonly kind: "indexed"; readonly base: ColorSpace; readonly palette: Uint8Array };

/** CalGray or CalRGB, with CIE XYZ values relative to a white of Y = 1. */
export interface Calibrated {
  readonly kind: "calibrated";
  readonly components: 1 | 3;
  readonly gamma: number;
  readonly white: readonly number[];
  /** X, Y and Z of red, green and blue. */
  readonly matrix: readonly number[];
}

/** Returns the color space of the profile if it fits the samples. Otherwise returns the device color space. */
export function profiledSpace(components: 1 | 3 | 4, profile: Uint8Array | undefined): ColorSpace {
  return profile !== undefined && profileComponents(profile) === components
    ? { kind: "icc", components, profile }
    : { kind: "device", components };
}

/**
 * Returns a color space with a rebuilt profile that identifies nothing. A damaged profile gives the device
 * color space.
 */
export function withNeutralProfile(space: ColorSpace): ColorSpace {
  if (space.kind === "indexed") return { ...space, base: withNeutralProfile(space.base) };
  return space.kind === "icc" ? profiledSpace(space.components, neutralProfile(space.profile)) : space;
}

/** Whether PDF cannot state the colors of a PNG: code points of film and television (ITU-T H.273). */
export function needsConversion(colors: PngColors): boolean {
  return colors.kind === "cicp";
}

/** Returns the color space of gray or RGB samples of a PNG. */
export function pngSpace(components: 1 | 3, colors: PngColors): ColorSpace {
  if (colors.kind === "icc") return profiledSpace(components, colors.profile);
  if (colors.kind === "calibrated") {
    const { gamma = SRGB_EXPONENT, chromaticities = SRGB_POINTS } = colors;
    const calibrated = calibratedSpace(components, gamma, components === 1 ? SRGB_POINTS : chromaticities);
    if (calibrated) return calibrated;
  }
  return { kind: "device", components };
}

/** Converts gamma and chromaticities. Returns `undefined` for impossible ones. */
function calibratedSpace(
  components: 1 | 3,
  exponent: number,
  points: readonly number[],
): Calibrated | undefined {
  const [white, red, green, blue] = [0, 2, 4, 6].map((at) => xyz(points[at] ?? 0, points[at + 1] ?? 0));
  if (!white || !red || !green || !blue || exponent < 0.1 || exponent > 10) return undefined;
  const whole = determinant(red, green, blue);
  const shares = [
    determinant(white, green, blue) / whole,
    determinant(red, white, blue) / whole,
    determinant(red, green, white) / whole,
  ];
  if (!shares.every((share) => share > 0 && Number.isFinite(share))) return undefined;
  const matrix = [red, green, blue].flatMap((primary, index) =>
    primary.map((value) => value * (shares[index] ?? 0)),
  );
  return { kind: "calibrated", components, gamma: 1 / exponent, white, matrix };
}

/** Returns XYZ of a chromaticity with Y = 1. */
function xyz(x: number, y: number): readonly number[] | undefined {
  return x >= 0 && y > 0.001 && x + y <= 1 ? [x / y, 1, (1 - x - y) / y] : undefined;
}

function determinant(a: readonly number[], b: readonly number[], c: readonly number[]): number {
  const [a0 = 0, a1 = 0, a2 = 0] = a;
  const [b0 = 0, b1 = 0, b2 = 0] = b;
  const [c0 = 0, c1 = 0, c2 = 0] = c;
  return a0 * (b1 * c2 - b2 * c1) - b0 * (a1 * c2 - a2 * c1) + c0 * (a1 * b2 - a2 * b1);
}
