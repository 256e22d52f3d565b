import { heifMetadata } from "../../isobmff/read.ts";
import { toPixels } from "../../picture/convert-layout.ts";
import type { Codec, SourceImage } from "../codec.ts";
import { decodeHeic } from "./decode.ts";
import type { ListedImage } from "./images.ts";
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
  const { width, height } = image.stored;
  if (image.kind === "unreadable") {
    return {
      ...{ width, height, hasAlpha: false, isPrimary: image.isPrimary, shown: image.stored },
      decoders: { pixels: () => Promise.reject(image.failure) },
    };
  }
  const { shown, hasAlpha, color, isPrimary, item } = image;
  return {
    ...{ width, height, hasAlpha, isPrimary, shown, color },
    decoders: {
      ...(!hasAlpha && { planes: (helpers: number) => decodeHeic(file, image, helpers) }),
      pixels: async (helpers) => toPixels(await decodeHeic(file, image, helpers)),
    },
    metadata: () => heifMetadata(file, item),
  };
}
