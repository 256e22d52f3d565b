import { profileComponents } from "../color/icc.ts";
import { neutralProfile } from "../color/neutral-profile.ts";
import { type Chromaticities, SRGB, transposed, unadapted, xyzOf } from "../color/rgb-spaces.ts";
import { type PngColors, SRGB_EXPONENT } from "../formats/png/colors.ts";

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
    const { gamma = SRGB_EXPONENT, chromaticities = SRGB } = colors;
    const calibrated = calibratedSpace(components, gamma, components === 1 ? SRGB : chromaticities);
    if (calibrated) return calibrated;
  }
  return { kind: "device", components };
}

/** Converts gamma and chromaticities. Returns `undefined` for impossible ones. */
function calibratedSpace(
  components: 1 | 3,
  exponent: number,
  chromaticities: Chromaticities,
): Calibrated | undefined {
  const isPossible = chromaticities.every(([x, y]) => y > 0.001 && x + y <= 1);
  if (!isPossible || exponent < 0.1 || exponent > 10) return undefined;
  const primaries = transposed(unadapted(chromaticities));
  // Chromaticities on one line are impossible.
  if (!primaries.every(([, y]) => y > 0 && Number.isFinite(y))) return undefined;
  const white = xyzOf(chromaticities[3]);
  return { kind: "calibrated", components, gamma: 1 / exponent, white, matrix: primaries.flat() };
}
