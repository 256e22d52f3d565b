import { bytesOf } from "../../../io/file-bytes.ts";
import type { ProfileColor } from "../../color/color.ts";
import { profileComponents } from "../../color/icc.ts";
import { uprightSize } from "../../picture/upright.ts";
import type { Codec, Decoder, SourceImage } from "../codec.ts";
import { TAG } from "./directories.ts";
import { decodePixels } from "./pixels.ts";
import { readTiff, type TiffImage } from "./read-tiff.ts";
import { COMPRESSION } from "./sample-layout.ts";
import { mayBeStored, storedImage } from "./stored.ts";

/**
 * Returns the codec of TIFF, decoded here. Nothing here encodes it.
 *
 * @param jpeg decodes the JPEGs in a TIFF
 */
export function tiffCodec(jpeg: Decoder): Codec {
  return {
    decoder: {
      async open(file) {
        return readTiff(await bytesOf(file)).map((image) => sourceOf(image, jpeg));
      },
    },
  };
}

function sourceOf(image: TiffImage, jpeg: Decoder): SourceImage {
  const { width, height, resolution, alpha, compression, orientation, directory } = image;
  const color = colorOf(image);
  return {
    ...{ width, height, resolution, color, hasAlpha: alpha !== "none" },
    shown: uprightSize(image, orientation),
    isLossless: compression !== COMPRESSION.jpeg,
    decoders: { pixels: () => decodePixels(image, jpeg, color?.profile) },
    ...(mayBeStored(image) && { stored: () => storedImage(image) }),
    metadata: async () => ({ xmp: directory.bytes(TAG.XMP) }),
  };
}

/** Returns the color space of the profile, if it fits the colors. */
function colorOf({ directory, colors }: TiffImage): ProfileColor | undefined {
  const profile = directory.bytes(TAG.ICCProfile);
  return profile !== undefined && profileComponents(profile) === colors
    ? { kind: "icc", profile }
    : undefined;
}
