import { pixelPicture, pixelsOf, release } from "../browser/canvas.ts";
import type { DecodeOptions } from "../formats/codec.ts";
import type { Color } from "../isobmff/properties.ts";
import type { BitmapPicture, Picture, PixelPicture } from "../picture/picture.ts";
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
 * A picture of the values that a file holds, whose colors a browser would have converted: with the profile that says how
 * they are meant, where they may stay, or else in sRGB. A profile that works by tables is not converted here.
 *
 * @param picture its values are changed
 */
export function inItsColors(
  picture: PixelPicture,
  color: Color | undefined,
  options: DecodeOptions,
): PixelPicture {
  const icc = color && keptProfile(color, options);
  if (icc === undefined) toSrgb(color)(picture.pixels);
  return { ...picture, icc };
}

function keptProfile(color: Color, { profile = "convert" }: DecodeOptions): Uint8Array | undefined {
  if (profile === "convert") return undefined;
  if (color.kind === "nclx") return profileOfCodePoints(color);
  if (profileComponents(color.profile) !== 3) return undefined;
  return profile === "keep" || planColor(color) !== "none" ? color.profile : undefined;
}
