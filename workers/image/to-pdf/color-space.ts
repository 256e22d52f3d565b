import type { Color } from "../color/color.ts";
import { rgbProfile } from "../color/color-description.ts";
import { profileComponents } from "../color/icc.ts";
import { neutralProfile } from "../color/neutral-profile.ts";

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
 * Returns the color space of gray or RGB samples as they are coded. Returns `undefined` when PDF cannot state it: code
 * points of film and television (ITU-T H.273), and gray with a gamma of its own.
 */
export function codedSpace(components: 1 | 3, color: Color | undefined): ColorSpace | undefined {
  if (color === undefined) return { kind: "device", components };
  const profile = color.kind === "icc" ? color.profile : rgbProfile(color);
  return profile !== undefined && profileComponents(profile) === components
    ? { kind: "icc", components, profile }
    : undefined;
}
