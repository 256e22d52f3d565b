import { bytesOf } from "../../../io/file-bytes.ts";
import { bitmapPicture, decodeNatively } from "../../browser/canvas.ts";
import { isConvertedHere } from "../../browser/color-management-probe.ts";
import type { Codec } from "../codec.ts";
import { plainBmp } from "./plain-copy.ts";
import { readBmp } from "./read-bmp.ts";

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
