import pngUrl from "@jsquash/png/codec/pkg/squoosh_png_bg.wasm?url";
import jxlUrl from "jxl-oxide-wasm/module.wasm?url";
import { bytesOf } from "../../../io/file-bytes.ts";
import { wasmModule } from "../../../wasm/wasm-module.ts";
import { cannotBeDecoded, decodeNatively } from "../../browser/decode-natively.ts";
import { profileColor } from "../../color/color.ts";
import { toSrgb } from "../../color/to-srgb.ts";
import { bitmapPicture, pixelPicture } from "../../picture/convert-layout.ts";
import { divideByAlpha } from "../../picture/divide-by-alpha.ts";
import type { PixelPicture } from "../../picture/picture.ts";
import { uprightSize } from "../../picture/upright.ts";
import type { Codec, Decoders } from "../codec.ts";
import { decodingKind } from "../image-errors.ts";
import { decodePng } from "../png-values.ts";
import { decodesJxl, TYPE } from "./browser-support.ts";
import type { ImageHeader } from "./image-header.ts";
import { readJxlMetadata } from "./metadata.ts";
import { readJxl } from "./read-jxl.ts";
import { decodeJxl } from "./wasm/jxl-oxide.ts";

/** 1.4 GB: a frame may be larger than the image, whose size is checked before. */
const MOST_PAGES = 21_000;

/**
 * JPEG XL: the first frame of an animation. Browsers that know the format decode it; else jxl-oxide does, and for exact
 * transparency. Both apply the orientation.
 */
export const codec: Codec = {
  decoder: {
    async open(file) {
      const header = await readJxl(file);
      const { width, height, hasAlpha, isLossless, orientation, color } = header;
      const shown = uprightSize(header, orientation);
      const decoders = decodersOf(file, header, await decodesJxl());
      const metadata = () => readJxlMetadata(file);
      return [{ width, height, shown, hasAlpha, isLossless, color, decoders, metadata }];
    },
  },
};

/** @param isKnown whether the browser knows the format */
function decodersOf(file: Blob, header: ImageHeader, isKnown: boolean): Decoders {
  const { color, hasAlpha, isPremultiplied, hasBlack } = header;
  const kind = hasBlack ? "CMYK" : undefined;
  const pixels = () => decodingKind("JPEG XL", kind, () => decodeHere(file, header));
  const browser = async (keepsValues: boolean) => {
    const decode = () => decodeNatively(file, TYPE, keepsValues);
    return bitmapPicture(await decodingKind("JPEG XL", kind, decode), hasAlpha);
  };
  // Of premultiplied colors, a canvas loses nothing. An unknown color space is that of a profile.
  const isForBrowser = isPremultiplied || color === undefined;
  if (!isKnown) return { pixels };
  return isForBrowser ? { browser } : { pixels, browser };
}

/**
 * Decodes with jxl-oxide. It gives a PNG, whose values are those of the image. An ICC profile is entropy-coded, so only the
 * decoder can read it. Such a picture becomes sRGB here.
 */
async function decodeHere(file: Blob, { color, isPremultiplied }: ImageHeader): Promise<PixelPicture> {
  const [jxlModule, pngModule] = await Promise.all([wasmModule(jxlUrl, MOST_PAGES), wasmModule(pngUrl)]);
  const decoded = decodeJxl(jxlModule, await bytesOf(file));
  if (decoded === undefined) throw cannotBeDecoded("JXL");
  const { data, width, height } = await decodePng(pngModule, decoded.png);
  if (isPremultiplied) divideByAlpha(data);
  if (color === undefined) toSrgb(profileColor(decoded.icc))(data);
  return pixelPicture(data, width, height);
}
