import encoderUrl from "@jsquash/avif/codec/enc/avif_enc.wasm?url";
import { outOfMemory } from "../../../../src/shared/failure.ts";
import { wasmModule } from "../../../wasm/wasm-module.ts";
import { decodeNatively } from "../../browser/decode-natively.ts";
import { SRGB_COLOR } from "../../color/color.ts";
import { heifMetadata } from "../../isobmff/read.ts";
import { bitmapPicture, pixelsOf } from "../../picture/convert-layout.ts";
import type { BitmapPicture } from "../../picture/picture.ts";
import { uprightBitmap } from "../../picture/upright.ts";
import type { Codec } from "../codec.ts";
import { encodePerceptual } from "../encode-perceptual.ts";
import { type Avif, plainAvif, readAvif, type Transformed } from "./read-avif.ts";

const TYPE = "image/avif";
/** Photos stay within 3 of 255 of the original. */
const USUAL_QUALITY = 0.68;
/** For drawings. */
const HIGH_QUALITY = 0.9;

/**
 * AVIF: the cover of an animation. Browsers decode it, without the properties that rotate, mirror or crop. These are
 * applied here. libavif encodes it.
 */
export const codec: Codec = {
  decoder: {
    async open(file) {
      const { width, height, ...avif } = await readAvif(file);
      return [
        {
          ...{ width, height, hasAlpha: avif.hasAlpha },
          shown: avif.transformed?.shown ?? { width, height },
          // Firefox converts an image without a color space from sRGB to the screen.
          color: avif.color ?? SRGB_COLOR,
          decoders: { browser: (keepsValues) => decode(file, avif, keepsValues) },
          metadata: () => heifMetadata(file),
        },
      ];
    },
  },
  encoder: {
    lossy: true,
    alpha: true,
    metadata: false,
    takesPixels: true,
    accepts: () => ({ planes: false, fidelity: "alpha" }),
    async encode(picture, quality) {
      const { encodeAvif } = await import("./wasm/avif-encoder.ts");
      const module = await wasmModule(encoderUrl);
      const { width, height } = picture;
      const pixels = pixelsOf(picture);
      const encodeAt = async (quality: number, chroma: "halved" | "full" = "halved") => {
        const bytes = await encodeAvif(module, { pixels, width, height }, 100 * quality, chroma);
        if (bytes === null) throw outOfMemory();
        return new Blob([bytes], { type: TYPE });
      };
      if (quality !== undefined) return encodeAt(quality);
      return encodePerceptual(picture, [() => encodeAt(USUAL_QUALITY), () => encodeAt(HIGH_QUALITY, "full")]);
    },
  },
};

async function decode(
  file: Blob,
  { hasAlpha, transformed }: Pick<Avif, "hasAlpha" | "transformed">,
  keepsValues: boolean,
): Promise<BitmapPicture> {
  const bitmap = transformed
    ? await decodeTransformed(file, transformed, keepsValues)
    : await decodeNatively(file, TYPE, keepsValues);
  return bitmapPicture(bitmap, hasAlpha);
}

async function decodeTransformed(
  file: Blob,
  transformed: Transformed,
  keepsValues: boolean,
): Promise<ImageBitmap> {
  const { orientation, shown } = transformed;
  const stored = await decodeNatively(await plainAvif(file, transformed), TYPE, keepsValues);
  const upright = uprightBitmap(stored, orientation);
  if (shown.width === upright.width && shown.height === upright.height) return upright;
  const { left, top, width, height } = shown;
  const cropped = await createImageBitmap(upright, left, top, width, height);
  upright.close();
  return cropped;
}
