import { bitmapPicture, decodeNatively } from "../canvas.ts";
import type { Codec } from "../codec.ts";
import { readBmp } from "../containers/bmp.ts";
import { bytesOf } from "../file-bytes.ts";

/** BMP. */
export const codec: Codec = {
  decoder: {
    async inspect(file) {
      return { images: [readBmp(await bytesOf(file))] };
    },
    async decode(file) {
      const { hasAlpha } = readBmp(await bytesOf(file));
      return bitmapPicture(await decodeNatively(file, "image/bmp"), hasAlpha);
    },
  },
};
