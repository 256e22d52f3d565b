import { bytesOf } from "../../../io/file-bytes.ts";
import { decodeNatively } from "../../browser/decode-natively.ts";
import { bitmapPicture } from "../../picture/convert-layout.ts";
import type { Codec } from "../codec.ts";
import { readGif } from "./read-gif.ts";

/** GIF: the first frame of an animation. Its pixels are opaque or fully transparent, which every layout keeps. */
export const codec: Codec = {
  decoder: {
    async open(file) {
      const gif = readGif(await bytesOf(file));
      return [
        {
          ...gif,
          shown: gif,
          decoders: {
            browser: async () => bitmapPicture(await decodeNatively(file, "image/gif"), gif.hasAlpha, true),
          },
        },
      ];
    },
  },
};
