import { bytesOf } from "../../../io/file-bytes.ts";
import { decodeNatively } from "../../browser/decode-natively.ts";
import { bitmapPicture } from "../../picture/convert-layout.ts";
import type { Codec } from "../codec.ts";
import { plainGif, readGif } from "./read-gif.ts";

/** GIF: the first frame of an animation. Its pixels are opaque or fully transparent, which every layout keeps. */
export const codec: Codec = {
  decoder: {
    async open(file) {
      const bytes = await bytesOf(file);
      const gif = readGif(bytes);
      return [
        {
          ...gif,
          shown: gif,
          layouts: ["bitmap"],
          async decode() {
            const plain = plainGif(bytes, gif);
            const agreed = plain === bytes ? file : new Blob([plain]);
            return bitmapPicture(await decodeNatively(agreed, "image/gif"), gif.hasAlpha);
          },
        },
      ];
    },
  },
};
