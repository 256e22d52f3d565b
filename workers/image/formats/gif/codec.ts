import { bytesOf } from "../../../io/file-bytes.ts";
import { bitmapPicture, decodeNatively } from "../../browser/canvas.ts";
import type { Codec } from "../codec.ts";
import { plainGif, readGif } from "./read-gif.ts";

/** GIF, its first frame when it moves. Its transparency is all or nothing, which every way of decoding keeps. */
export const codec: Codec = {
  decoder: {
    async inspect(file) {
      return { images: [readGif(await bytesOf(file))] };
    },
    async decode(file) {
      const bytes = await bytesOf(file);
      const gif = readGif(bytes);
      const plain = plainGif(bytes, gif);
      const agreed = plain === bytes ? file : new Blob([plain]);
      return bitmapPicture(await decodeNatively(agreed, "image/gif"), gif.hasAlpha);
    },
  },
};
