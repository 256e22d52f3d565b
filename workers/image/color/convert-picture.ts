import { pixelPicture, pixelsOf, release } from "../picture/convert-layout.ts";
import type { BitmapPicture, Picture, PixelPicture } from "../picture/picture.ts";
import type { Color, ProfilePolicy } from "./color.ts";
import { planColor } from "./color-description.ts";
import { keptProfile } from "./decide-colors.ts";
import { toSrgb } from "./to-srgb.ts";

/** Converts a bitmap with the values of its file to sRGB. Releases the bitmap when its values change. */
export function convertToSrgb(picture: BitmapPicture, color: Color | undefined): Picture {
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
 */
export function inPolicyColors(
  picture: PixelPicture,
  color: Color | undefined,
  policy: ProfilePolicy,
): PixelPicture {
  const icc = keptProfile(color, policy);
  if (icc === undefined) toSrgb(color)(picture.pixels);
  return { ...picture, icc };
}
