import { planColor } from "../../color/color-description.ts";
import { keptProfile } from "../../color/decide-colors.ts";
import { toSrgb } from "../../color/to-srgb.ts";
import { heifMetadata } from "../../isobmff/read.ts";
import { pixelsOf } from "../../picture/convert-layout.ts";
import { checkSize, thisDevice } from "../../picture/limits.ts";
import type { Picture } from "../../picture/picture.ts";
import type { Codec, DecodeOptions, SourceImage } from "../codec.ts";
import { decodeImage } from "./decode.ts";
import type { HeifImage, ListedImage } from "./images.ts";
import { readHeif } from "./read-heic.ts";

/** HEIC, decoded by our own HEVC decoder and by libheif. Nothing here encodes it. */
export const codec: Codec = {
  decoder: {
    async open(file) {
      const images = await readHeif(file);
      return images.map((image) => sourceOf(file, image));
    },
  },
};

function sourceOf(file: Blob, image: ListedImage): SourceImage {
  const hasAlpha = image.kind === "readable" && image.hasAlpha;
  const { width, height } = image.stored;
  return {
    ...{ width, height, hasAlpha, isPrimary: image.isPrimary },
    shown: image.kind === "readable" ? image.shown : image.stored,
    layouts: hasAlpha ? ["rgba"] : ["yuv420", "rgba"],
    async decode(options) {
      if (image.kind === "unreadable") throw image.failure;
      return decode(file, image, options);
    },
    metadata: () => heifMetadata(file, image.item),
  };
}

async function decode(
  file: Blob,
  image: HeifImage,
  { layouts, colors, helpers }: DecodeOptions,
): Promise<Picture> {
  // A decoder holds the whole picture in memory, even when a crop is shown.
  checkSize(image.stored, thisDevice());
  const icc = keptProfile(image.color, colors.profile);
  const convertFrom = icc === undefined ? image.color : undefined;
  const picture = await decodeImage(file, image, helpers);
  const staysPlanes = layouts.includes("yuv420") && typeof planColor(convertFrom) === "string";
  if (picture.layout === "yuv420" && staysPlanes) return { ...picture, icc };
  const pixels = pixelsOf(picture);
  toSrgb(convertFrom)(pixels);
  const { width, height, hasAlpha } = picture;
  return { layout: "rgba", width, height, hasAlpha, pixels, icc };
}
