import { bytesOf } from "../../../io/file-bytes.ts";
import { decodeNatively } from "../../browser/decode-natively.ts";
import { SRGB_COLOR } from "../../color/color.ts";
import { decodingColors } from "../../color/color-management-probe.ts";
import { bitmapPicture } from "../../picture/convert-layout.ts";
import type { SourcePicture } from "../../picture/picture.ts";
import type { Codec } from "../codec.ts";
import { decodingKind } from "../rare-kind.ts";
import { plainBmp } from "./plain-copy.ts";
import { rareKind, readBmp } from "./read-bmp.ts";

/** BMP. Browsers decode a copy without the parts on which they disagree. */
export const codec: Codec = {
  decoder: {
    async open(file) {
      const bytes = await bytesOf(file);
      const bmp = readBmp(bytes);
      return [
        {
          ...bmp,
          shown: bmp,
          layouts: ["bitmap"],
          decode: () => decodingKind("BMP", rareKind(bytes), () => decode(bytes, bmp.hasAlpha)),
        },
      ];
    },
  },
};

async function decode(bytes: Uint8Array, hasAlpha: boolean): Promise<SourcePicture> {
  const plain = new Blob([plainBmp(bytes)]);
  // Firefox converts from sRGB to the screen.
  const { keepValues } = await decodingColors(SRGB_COLOR, false);
  return bitmapPicture(await decodeNatively(plain, "image/bmp", keepValues), hasAlpha);
}
