import encoderUrl from "@jsquash/avif/codec/enc/avif_enc.wasm?url";
import { bitmapPicture, decodeNatively, pixelsOf, uprightBitmap } from "../../browser/canvas.ts";
import { isConvertedHere } from "../../browser/color-management-probe.ts";
import { convertToSrgb } from "../../color/decoded-values.ts";
import { encodePerceptual } from "../../encoding/encode-perceptual.ts";
import { heifMetadata } from "../../isobmff/metadata.ts";
import { wasmModule } from "../../wasm/wasm-module.ts";
import type { Codec } from "../codec.ts";
import { plainAvif, readAvif, type Transformed } from "./read-avif.ts";

const TYPE = "image/avif";
/** Photos stay within 3 of 255 of the original. */
const USUAL_QUALITY = 0.68;
/** For what is drawn rather than photographed. */
const HIGH_QUALITY = 0.9;

/**
 * AVIF, its cover when it moves. What turns, mirrors or crops the picture is taken away from the browser, and done
 * here. Read by browsers, written by libavif.
 */
export const codec: Codec = {
  decoder: {
    async inspect(file) {
      return { images: [await readAvif(file)] };
    },
    async decode(file) {
      const { hasAlpha, color, transformed } = await readAvif(file);
      const isOurs = await isConvertedHere(color);
      const bitmap = transformed
        ? await decodeTransformed(file, transformed, isOurs)
        : await decodeNatively(file, TYPE, isOurs);
      const picture = bitmapPicture(bitmap, hasAlpha);
      return color !== undefined && isOurs ? convertToSrgb(picture, color) : picture;
    },
    metadata: (file) => heifMetadata(file),
  },
  encoder: {
    lossy: true,
    alpha: true,
    async encode(picture, { quality }) {
      const { encodeAvif } = await import("./wasm/avif-encoder.ts");
      const module = await wasmModule(encoderUrl);
      const { width, height } = picture;
      const pixels = pixelsOf(picture);
      const at = async (some: number, chroma: "halved" | "full" = "halved") => {
        const bytes = await encodeAvif(module, { pixels, width, height }, 100 * some, chroma);
        if (bytes === null) throw new Error("out of memory in libavif");
        return new Blob([bytes], { type: TYPE });
      };
      if (quality !== undefined) return at(quality);
      return encodePerceptual(picture, [() => at(USUAL_QUALITY), () => at(HIGH_QUALITY, "full")]);
    },
  },
};

async function decodeTransformed(
  file: Blob,
  transformed: Transformed,
  keepValues: boolean,
): Promise<ImageBitmap> {
  const { orientation, shown } = transformed;
  const stored = await decodeNatively(await plainAvif(file, transformed), TYPE, keepValues);
  const upright = uprightBitmap(stored, orientation);
  if (shown.width === upright.width && shown.height === upright.height) return upright;
  const { left, top, width, height } = shown;
  const cropped = await createImageBitmap(upright, left, top, width, height);
  upright.close();
  return cropped;
}
