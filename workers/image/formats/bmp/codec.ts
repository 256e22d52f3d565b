import { bytesOf } from "../../../io/file-bytes.ts";
import { decodeNatively } from "../../browser/decode-natively.ts";
import { SRGB_COLOR } from "../../color/color.ts";
import { bitmapPicture } from "../../picture/convert-layout.ts";
import type { Codec } from "../codec.ts";
import { decodingKind } from "../image-errors.ts";
import { plainBmp } from "./plain-copy.ts";
import { rareKind, readBmp } from "./read-bmp.ts";

/** BMP. Browsers decode a copy without the parts on which they disagree. */
export const codec: Codec = {
  decoder: {
    async open(file) {
      const bytes = await bytesOf(file);
      const bmp = readBmp(bytes);
      const { width, height, hasAlpha, resolution } = bmp;
      const decode = async (keepsValues: boolean) => {
        const plain = new Blob([plainBmp(bytes, bmp)]);
        return bitmapPicture(await decodeNatively(plain, "image/bmp", keepsValues), hasAlpha, true);
      };
      return [
        {
          ...{ width, height, hasAlpha, resolution },
          shown: { width, height },
          // Firefox converts from sRGB to the screen.
          color: SRGB_COLOR,
          decoders: {
            browser: (keepsValues) => decodingKind("BMP", rareKind(bmp), () => decode(keepsValues)),
          },
        },
      ];
    },
  },
};
