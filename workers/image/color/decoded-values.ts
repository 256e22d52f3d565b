import type { DecodeOptions } from "../formats/codec.ts";
import type { Colour } from "../isobmff/properties.ts";
import type { PixelPicture } from "../picture/picture.ts";
import { planColour, profileOfCodePoints } from "./color-description.ts";
import { profileComponents } from "./icc.ts";
import { toSrgb } from "./to-srgb.ts";

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
