import { pixelPicture, pixelsOf, release } from "../picture/convert-layout.ts";
import type { BitmapPicture, Picture, PixelPicture } from "../picture/picture.ts";
import type { Color } from "./color.ts";
import { planColor, profileOfCodePoints } from "./color-description.ts";
import { profileComponents } from "./icc.ts";
import { toSrgb } from "./to-srgb.ts";

/** Converts a bitmap with the values of its file to sRGB. Releases the bitmap when its values change. */
export function convertToSrgb(picture: BitmapPicture, color: Color): Picture {
  if (planColor(color) === "none") return picture;
  const pixels = pixelsOf(picture);
  release(picture);
  toSrgb(color)(pixels);
  return pixelPicture(pixels, picture.width, picture.height);
}

/**
 * Applies a color policy: keeps the values with their profile, or converts them to sRGB. Values of a profile with
 * lookup tables are not converted.
 *
 * @param picture its values are changed in place
 * @param policy see `ColorPolicy`
 */
export function inPolicyColors(
  picture: PixelPicture,
  color: Color | undefined,
  policy: "convert" | "allow" | "keep",
): PixelPicture {
  const icc = color && keptProfile(color, policy);
  if (icc === undefined) toSrgb(color)(picture.pixels);
  return { ...picture, icc };
}

function keptProfile(color: Color, policy: "convert" | "allow" | "keep"): Uint8Array | undefined {
  if (policy === "convert") return undefined;
  if (color.kind === "nclx") return profileOfCodePoints(color);
  if (profileComponents(color.profile) !== 3) return undefined;
  return policy === "keep" || planColor(color) !== "none" ? color.profile : undefined;
}
