/** A color space by the code points of ITU-T H.273. */
export interface CodedColor {
  readonly kind: "nclx";
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
  readonly fullRange: boolean;
}

/** A color space by an ICC profile. */
export interface ProfileColor {
  readonly kind: "icc";
  readonly profile: Uint8Array<ArrayBuffer>;
}

/** How a file states its color space. */
export type Color = CodedColor | ProfileColor;

/** sRGB (IEC 61966-2-1) by its code points. */
export const SRGB_COLOR: Color = { kind: "nclx", primaries: 1, transfer: 13, matrix: 0, fullRange: true };

/** Returns a copy of an ICC profile as a color space. */
export function profileColor(profile: Uint8Array): ProfileColor {
  return { kind: "icc", profile: Uint8Array.from(profile) };
}
