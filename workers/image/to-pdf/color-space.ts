import { calibratedProfile } from "../color/calibrated-profile.ts";
import { profileComponents } from "../color/icc.ts";
import { neutralProfile } from "../color/neutral-profile.ts";
import { type PngColors, SRGB_EXPONENT } from "../formats/png/colors.ts";

/** The color space of samples (ISO 32000-2, 8.6). */
export type ColorSpace =
  /** DeviceGray, DeviceRGB or DeviceCMYK. On screens, DeviceRGB is sRGB. */
  | { readonly kind: "device"; readonly components: 1 | 3 | 4 }
  | { readonly kind: "icc"; readonly components: 1 | 3 | 4; readonly profile: Uint8Array }
  | { readonly kind: "indexed"; readonly base: ColorSpace; readonly palette: Uint8Array };

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

/**
 * Returns the color space of gray or RGB samples of a PNG. Returns `undefined` when PDF cannot state it: code points of
 * film and television (ITU-T H.273), and gray with a gamma of its own.
 */
export function pngSpace(components: 1 | 3, colors: PngColors): ColorSpace | undefined {
  switch (colors.kind) {
    case "icc":
      return profiledSpace(components, colors.profile);
    case "calibrated": {
      const { gamma = SRGB_EXPONENT, chromaticities } = colors;
      return components === 3
        ? profiledSpace(components, calibratedProfile({ gamma, chromaticities }))
        : undefined;
    }
    case "cicp":
      return undefined;
    default:
      return { kind: "device", components };
  }
}
