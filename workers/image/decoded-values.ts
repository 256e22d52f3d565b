import type { DecodeOptions } from "./codec.ts";
import { profileComponents } from "./containers/icc.ts";
import { planColour, profileOfCodePoints } from "./heif/colour.ts";
import type { Colour } from "./heif/properties.ts";
import { toSrgb } from "./heif/to-srgb.ts";
import type { PixelPicture } from "./picture.ts";

/**
 * A picture of the values that a file holds, whose colours a browser would have converted: with the profile that says how
 * they are meant, where they may stay, or else in sRGB. A profile that works by tables is not converted here.
 *
 * @param picture its values are changed
 */
export function inItsColours(
  picture: PixelPicture,
  colour: Colour | undefined,
  options: DecodeOptions,
): PixelPicture {
  const icc = colour && keptProfile(colour, options);
  if (icc === undefined) toSrgb(colour)(picture.pixels);
  return { ...picture, icc };
}

function keptProfile(colour: Colour, { profile = "convert" }: DecodeOptions): Uint8Array | undefined {
  if (profile === "convert") return undefined;
  if (colour.kind === "nclx") return profileOfCodePoints(colour);
  if (profileComponents(colour.profile) !== 3) return undefined;
  return profile === "keep" || planColour(colour) !== "none" ? colour.profile : undefined;
}
