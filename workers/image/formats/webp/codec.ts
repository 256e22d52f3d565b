import { outOfMemory } from "../../../../src/shared/failure.ts";
import { bytesOf } from "../../../io/file-bytes.ts";
import { supportsSimd } from "../../../wasm/simd-support.ts";
import { wasmModule } from "../../../wasm/wasm-module.ts";
import { canvasReadback } from "../../browser/canvas-readback.ts";
import { cannotBeDecoded, decodeNatively, onlyForTheBrowser } from "../../browser/decode-natively.ts";
import { profileColor } from "../../color/color.ts";
import { type Orientation, readExif } from "../../metadata/exif.ts";
import { bitmapPicture, pixelPicture, pixelsOf } from "../../picture/convert-layout.ts";
import type { BitmapPicture, Picture, PixelPicture, PlanePicture } from "../../picture/picture.ts";
import { uprightBitmap, uprightPixels, uprightSize } from "../../picture/upright.ts";
import type { Codec } from "../codec.ts";
import { encodeNatively } from "../encode-natively.ts";
import { encodePerceptual } from "../encode-perceptual.ts";
import type { EncodedImage } from "../encoded-image.ts";
import { plainWebp, readWebp, type WebpFile, withWebpMetadata } from "./read-webp.ts";
import { decodeWebp, decodeWebpPlanes } from "./wasm/webp-decoder.ts";
import decoderUrl from "./wasm/webp-decoder.wasm?url";
import { encodeWebp } from "./wasm/webp-encoder.ts";
import encoderUrl from "./wasm/webp-encoder.wasm?url";

const TYPE = "image/webp";
/** Slightly higher than the default of browsers. Photos stay within 3 of 255 of the original. */
const USUAL_QUALITY = 0.85;
/** For small pictures that look different at the default quality. */
const HIGH_QUALITY = 0.97;

/**
 * WebP: the first frame of an animation. Browsers disagree on whether EXIF rotates the picture. They decode a copy
 * without EXIF, and the picture is rotated here.
 *
 * Without a quality, a WebP becomes a WebP by copying its coded data. Other pictures with transparency become lossless,
 * because they are usually drawings, which lossy coding blurs. Small pictures that would blur visibly become lossless,
 * too. A quality of 1 is lossless. Every quality keeps alpha exact.
 */
export const codec: Codec = {
  decoder: {
    async open(file) {
      const bytes = await bytesOf(file);
      const webp = readWebp(bytes);
      const orientation = webp.exif ? readExif(webp.exif).orientation : 1;
      const opened = { file, bytes, webp, orientation };
      const { width, height, hasAlpha, isAnimated, isLossless, icc, exif, xmp } = webp;
      return [
        {
          ...{ width, height, hasAlpha, isLossless },
          shown: uprightSize(webp, orientation),
          color: icc && profileColor(icc),
          decoders: {
            ...(isInPlanes(webp) && orientation === 1 && { planes: () => decodePlanes(bytes) }),
            // libwebp decodes still pictures only.
            ...(!isAnimated &&
              supportsSimd() && {
                pixels: async () => uprightPixels(await decodeExactly(bytes), orientation),
              }),
            browser: (keepsValues) => decodeInBrowser(opened, keepsValues),
          },
          ...(orientation === 1 &&
            !isAnimated && { coded: async () => ({ data: withWebpMetadata(bytes, {}), icc }) }),
          metadata: async () => ({ exif, xmp }),
        },
      ];
    },
  },
  encoder: {
    lossy: true,
    alpha: true,
    longestSide: 16_383,
    metadata: true,
    accepts: ({ hasAlpha }, quality) => ({
      planes: false,
      fidelity: isLossless(hasAlpha, quality) ? "exact" : "alpha",
    }),
    encode: encodePicture,
    withMetadata: withWebpMetadata,
  },
};

interface OpenWebp {
  readonly file: Blob;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly webp: WebpFile;
  readonly orientation: Orientation;
}

/** Whether the quality asks for lossless coding, or the default does. */
function isLossless(hasAlpha: boolean, quality: number | undefined): boolean {
  return quality === 1 || (quality === undefined && hasAlpha);
}

async function decodeInBrowser(
  { file, bytes, webp, orientation }: OpenWebp,
  keepsValues: boolean,
): Promise<BitmapPicture> {
  if (webp.isAnimated && !(await canvasReadback("closely"))) throw onlyForTheBrowser("moving WebP");
  const plainBytes = plainWebp(bytes, webp);
  const plain = plainBytes === bytes ? file : new Blob([plainBytes]);
  const upright = uprightBitmap(await decodeNatively(plain, TYPE, keepsValues), orientation);
  return bitmapPicture(upright, webp.hasAlpha, orientation === 1 && webp.icc === undefined);
}

async function encodePicture(given: Picture, quality: number | undefined): Promise<EncodedImage> {
  const picture = withExactAlphaFlag(given);
  if (quality !== undefined) return encodeAt(picture, quality);
  if (picture.hasAlpha) return encodeAt(picture, 1);
  const ways = [USUAL_QUALITY, HIGH_QUALITY, 1].map((one) => () => encodeAt(picture, one));
  return encodePerceptual(picture, ways, async (encoded) => decodeExactly(await bytesOf(encoded)));
}

/** Encodes at a quality. 1 is lossless. */
async function encodeAt(picture: Picture, quality: number): Promise<Blob> {
  const isLossless = quality === 1;
  if (!picture.hasAlpha) {
    // At quality 1, some browsers write a lossless WebP and some do not. WebKit writes no WebP.
    const isCertain = !isLossless || picture.layout !== "rgba" || (await canvasReadback("exactly"));
    const native = isCertain ? await encodeNatively(picture, TYPE, quality) : undefined;
    if (native !== undefined && (!isLossless || readWebp(await bytesOf(native)).isLossless)) return native;
  }
  const module = await wasmModule(encoderUrl);
  const { width, height } = picture;
  const input = { pixels: pixelsOf(picture), width, height };
  const bytes = encodeWebp(module, input, isLossless ? "lossless" : quality * 100);
  if (bytes === null) throw outOfMemory();
  return new Blob([bytes], { type: TYPE });
}

/** Returns a picture whose `hasAlpha` says whether any pixel is transparent, and not only whether one may be. */
function withExactAlphaFlag(picture: Picture): Picture {
  if (picture.layout === "rgba" || !picture.hasAlpha) return picture;
  return pixelPicture(pixelsOf(picture), picture.width, picture.height);
}

/** Whether the picture is stored in planes, as a JPEG is. */
function isInPlanes({ isLossless, hasAlpha, isAnimated }: WebpFile): boolean {
  return !isLossless && !hasAlpha && !isAnimated && supportsSimd();
}

/** Decodes the planes. A browser may still decode damaged ones. */
async function decodePlanes(bytes: Uint8Array<ArrayBuffer>): Promise<PlanePicture | undefined> {
  return decodeWebpPlanes(await wasmModule(decoderUrl), bytes) ?? undefined;
}

/** Decodes the values as stored: not rotated, in the colors of the profile. */
async function decodeExactly(bytes: Uint8Array<ArrayBuffer>): Promise<PixelPicture> {
  const image = decodeWebp(await wasmModule(decoderUrl), bytes);
  if (image === null) throw cannotBeDecoded("WebP");
  return pixelPicture(image.pixels, image.width, image.height);
}
