/** A color space by the code points of ITU-T H.273. */
export interface CodedColor {
  readonly kind: "nclx";
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
  readonly fullRange: boolean;
}

/** How a file states its color space. */
export type Color = CodedColor | { readonly kind: "icc"; readonly profile: Uint8Array<ArrayBuffer> };

/** Returns a copy of an ICC profile as a color space. */
export function profileColor(profile: Uint8Array): Color {
  return { kind: "icc", profile: Uint8Array.from(profile) };
}
