import { bitmapPicture, decodeNatively } from "../canvas.ts";
import type { Codec } from "../codec.ts";
import { readGif } from "../containers/gif.ts";
import { bytesOf } from "../file-bytes.ts";

/** GIF, its first frame when it moves. Its transparency is all or nothing, which every way of decoding keeps. */
export const codec: Codec = {
  decoder: {
    async inspect(file) {
      return { images: [readGif(await bytesOf(file))] };
    },
    async decode(file) {
      const { hasAlpha } = readGif(await bytesOf(file));
      return bitmapPicture(await decodeNatively(file, "image/gif"), hasAlpha);
    },
  },
};
