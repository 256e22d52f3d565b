import pngUrl from "@jsquash/png/codec/pkg/squoosh_png_bg.wasm?url";
import jxlUrl from "jxl-oxide-wasm/module.wasm?url";
import { bytesOf } from "../../../io/file-bytes.ts";
import { wasmModule } from "../../../wasm/wasm-module.ts";
import { cannotBeDecoded, decodeNatively } from "../../browser/decode-natively.ts";
import { profileColor } from "../../color/color.ts";
import { toSrgb } from "../../color/to-srgb.ts";
import { bitmapPicture, pixelPicture } from "../../picture/convert-layout.ts";
import type { PixelPicture } from "../../picture/picture.ts";
import { uprightSize } from "../../picture/upright.ts";
import type { Codec } from "../codec.ts";
import { decodingKind } from "../image-errors.ts";
import { decodePng } from "../png-values.ts";
import { decodesJxl, TYPE } from "./browser-support.ts";
import { readJxlMetadata } from "./metadata.ts";
import { readJxl } from "./read-jxl.ts";
import { decodeJxl } from "./wasm/jxl-oxide.ts";

/** 1.4 GB: a frame may be larger than the image, whose size is checked before. */
const MOST_PAGES = 21_000;

/**
 * JPEG XL: the first frame of an animation. Browsers that know the format decode it; else jxl-oxide does, and for exact
 * transparency. Both apply the orientation.
 *
 * An ICC profile is entropy-coded, so only a decoder can read it. Such a picture becomes sRGB while it is decoded.
 */
export const codec: Codec = {
  decoder: {
    async open(file) {
      const { width, height, hasAlpha, hasBlack, isLossless, orientation, color } = await readJxl(file);
      const kind = hasBlack ? "CMYK" : undefined;
      const isKnown = await decodesJxl();
      return [
        {
          ...{ width, height, hasAlpha, isLossless, color },
          shown: uprightSize({ width, height }, orientation),
          decoders: {
            ...((color || !isKnown) && {
              pixels: () => decodingKind("JPEG XL", kind, () => decodeHere(file, color === undefined)),
            }),
            ...(isKnown && {
              browser: async (keepsValues: boolean) => {
                const bitmap = await decodingKind("JPEG XL", kind, () =>
                  decodeNatively(file, TYPE, keepsValues),
                );
                return bitmapPicture(bitmap, hasAlpha);
              },
            }),
          },
          metadata: () => readJxlMetadata(file),
        },
      ];
    },
  },
};

/**
 * Decodes with jxl-oxide. It gives a PNG, whose values are those of the image.
 *
 * @param toSrgbByProfile whether the values become sRGB, by the profile that the decoder has read
 */
async function decodeHere(file: Blob, toSrgbByProfile: boolean): Promise<PixelPicture> {
  const [jxlModule, pngModule] = await Promise.all([wasmModule(jxlUrl, MOST_PAGES), wasmModule(pngUrl)]);
  const decoded = decodeJxl(jxlModule, await bytesOf(file));
  if (decoded === undefined) throw cannotBeDecoded("JXL");
  const { data, width, height } = await decodePng(pngModule, decoded.png);
  if (toSrgbByProfile) toSrgb(profileColor(decoded.icc))(data);
  return pixelPicture(data, width, height);
}
