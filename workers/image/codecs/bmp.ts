import { bitmapPicture, decodeNatively } from "../canvas.ts";
import type { Codec } from "../codec.ts";
import { readBmp } from "../containers/bmp.ts";
import { plainBmp } from "../containers/plain-bmp.ts";
import { bytesOf } from "../file-bytes.ts";
import { isConvertedHere } from "../screen-colours.ts";

/** BMP. What browsers do not agree on is decided before they see it. */
export const codec: Codec = {
  decoder: {
    async inspect(file) {
      return { images: [readBmp(await bytesOf(file))] };
    },
    async decode(file) {
      const bytes = await bytesOf(file);
      const { hasAlpha } = readBmp(bytes);
      const plain = plainBmp(bytes);
      const agreed = plain === bytes ? file : new Blob([plain]);
      const bitmap = await decodeNatively(agreed, "image/bmp", await isConvertedHere(undefined));
      return bitmapPicture(bitmap, hasAlpha);
    },
  },
};
