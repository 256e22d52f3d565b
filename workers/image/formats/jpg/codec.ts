import { bytesOf, headOf } from "../../../io/file-bytes.ts";
import { bufferSource } from "../../../io/source.ts";
import { wasmModule } from "../../../wasm/wasm-module.ts";
import { pixelsOf } from "../../picture/convert-layout.ts";
import type { Picture } from "../../picture/picture.ts";
import { uprightSize } from "../../picture/upright.ts";
import type { Codec } from "../codec.ts";
import { encodeNatively } from "../encode-natively.ts";
import { encodePerceptual, mayBeDrawing } from "../encode-perceptual.ts";
import type { EncodedImage } from "../encoded-image.ts";
import { colorOf } from "./content.ts";
import { decodersOf, storedValues } from "./decoders.ts";
import { encodeJpeg, encodesPlanes } from "./encode-jpeg.ts";
import { type Jpeg, readJpeg } from "./read-jpeg.ts";
import { encodeByMozjpeg } from "./wasm/mozjpeg-encoder.ts";
import encoderUrl from "./wasm/mozjpeg-encoder.wasm?url";
import { withJpegMetadata } from "./write-metadata.ts";

const TYPE = "image/jpeg";
/** The default of Chromium and Firefox. */
const USUAL_QUALITY = 0.92;

/**
 * JPEG. The browser applies the orientation. CMYK with a profile is converted here.
 *
 * Without a quality, a JPEG becomes a JPEG by copying its coded data, where viewers show it unchanged. Encoding again
 * would only lose quality.
 */
export const codec: Codec = {
  decoder: {
    async open(file) {
      const jpeg = await read(file);
      const { width, height, resolution, exif, xmp, extendedXmp } = jpeg;
      return [
        {
          ...{ width, height, resolution, hasAlpha: false },
          shown: uprightSize(jpeg, jpeg.orientation),
          color: colorOf(jpeg),
          ...decodersOf(file, jpeg),
          metadata: async () => ({ exif, xmp, extendedXmp }),
        },
      ];
    },
  },
  encoder: {
    lossy: true,
    alpha: false,
    metadata: true,
    accepts(image, quality) {
      // A small picture is compared with the result, which needs its pixel values.
      const isCompared = quality === undefined && mayBeDrawing(image);
      return {
        planes: !isCompared && encodesPlanes(quality ?? USUAL_QUALITY),
        fidelity: "display",
      };
    },
    encode: encodePicture,
    withMetadata: withJpegMetadata,
  },
};

/** Encodes a picture: here, or with the browser where it is better. */
async function encodePicture(picture: Picture, quality: number | undefined): Promise<EncodedImage> {
  const encodeAt = async (at: number) =>
    (await encodeJpeg(picture, at)) ??
    (await encodeNatively(picture, TYPE, at)) ??
    encodeExactly(picture, at);
  if (quality !== undefined) return encodeAt(quality);
  const valuesOf = async (encoded: EncodedImage) => storedValues(await bytesOf(encoded));
  return encodePerceptual(picture, [() => encodeAt(USUAL_QUALITY), () => encodeAt(1)], valuesOf);
}

async function read(file: Blob): Promise<Jpeg> {
  const head = await headOf(file);
  try {
    return readJpeg(bufferSource(head));
  } catch (thrown) {
    if (head.length === file.size) throw thrown;
  }
  return readJpeg(bufferSource(await bytesOf(file)));
}

/** Encodes without the browser, which may give noise for pixels of a canvas. */
async function encodeExactly(picture: Picture, quality: number): Promise<EncodedImage> {
  const { width, height } = picture;
  return encodeByMozjpeg(await wasmModule(encoderUrl), { pixels: pixelsOf(picture), width, height }, quality);
}
