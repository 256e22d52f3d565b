import type { Color } from "./color/color.ts";
import { conversionToSrgb } from "./color/color-description.ts";
import { toSrgb } from "./color/to-srgb.ts";
import type { Decision, Decoding } from "./decide.ts";
import type { SourceImage } from "./formats/codec.ts";
import { pixelPicture, pixelsOf, release } from "./picture/convert-layout.ts";
import type { Picture } from "./picture/picture.ts";

/**
 * Decodes an image as decided: upright, in sRGB or in the colors of the profile that it names.
 *
 * @param helpers the number of other workers that may help
 * @throws {ServiceError} `damaged_file`, `unsupported_conversion`, `out_of_memory`
 */
export async function decodeImage(
  image: Pick<SourceImage, "decoders">,
  { decodings }: Pick<Decision, "decodings">,
  helpers: number,
): Promise<Picture> {
  for (const { decoder, colors } of decodings) {
    const picture = await decodeBy(image, { decoder, colors }, helpers);
    if (picture === undefined) continue;
    if (colors.kind === "keep") return { ...picture, icc: colors.icc };
    return colors.kind === "convert" ? convertedToSrgb(picture, colors.from) : picture;
  }
  throw new Error("no decoder is left");
}

async function decodeBy(
  { decoders }: Pick<SourceImage, "decoders">,
  { decoder, colors }: Decoding,
  helpers: number,
): Promise<Picture | undefined> {
  if (decoder === "browser") return decoders.browser?.(colors.kind !== "decoder converts");
  return decoders[decoder]?.(helpers);
}

/** Converts a picture to sRGB: pixels in place, and any other picture into pixels. Then releases the other picture. */
function convertedToSrgb(picture: Picture, from: Color): Picture {
  if (conversionToSrgb(from) === "none") return picture;
  const pixels = pixelsOf(picture);
  release(picture);
  toSrgb(from)(pixels);
  return picture.layout === "rgba" ? picture : pixelPicture(pixels, picture.width, picture.height);
}
