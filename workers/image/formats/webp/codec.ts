import decoderUrl from "@jsquash/webp/codec/dec/webp_dec.wasm?url";
import encoderUrl from "@jsquash/webp/codec/enc/webp_enc_simd.wasm?url";
import { outOfMemory } from "../../../../src/shared/failure.ts";
import { bytesOf } from "../../../io/file-bytes.ts";
import { wasmModule } from "../../../wasm/wasm-module.ts";
import { canvasReadback } from "../../browser/canvas-readback.ts";
import { cannotBeDecoded, decodeNatively, onlyForTheBrowser } from "../../browser/decode-natively.ts";
import { profileColor } from "../../color/color.ts";
import { decodingColors } from "../../color/color-management-probe.ts";
import { convertToSrgb, inPolicyColors } from "../../color/convert-picture.ts";
import { statedProfile } from "../../color/decide-colors.ts";
import { neutralProfile } from "../../color/neutral-profile.ts";
import { type Orientation, readExif } from "../../metadata/exif.ts";
import { hasMetadata } from "../../metadata/metadata.ts";
import { bitmapPicture, pixelPicture, pixelsOf } from "../../picture/convert-layout.ts";
import { codedPicture, type Picture, type PixelPicture, type SourcePicture } from "../../picture/picture.ts";
import { uprightBitmap, uprightPixels, uprightSize } from "../../picture/upright.ts";
import type { Codec, DecodeOptions } from "../codec.ts";
import { encodeNatively } from "../encode-natively.ts";
import { encodePerceptual } from "../encode-perceptual.ts";
import type { EncodedImage } from "../encoded-image.ts";
import { plainWebp, readWebp, type WebpFile, withWebpMetadata } from "./read-webp.ts";

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
      const { width, height, hasAlpha, exif, xmp } = webp;
      return [
        {
          ...{ width, height, hasAlpha },
          shown: uprightSize(webp, orientation),
          layouts: canBeCopied(opened) ? ["coded", "bitmap", "rgba"] : ["bitmap", "rgba"],
          decode: (options) => decode(opened, options),
          metadata: async () => ({ exif, xmp }),
        },
      ];
    },
  },
  encoder: {
    lossy: true,
    alpha: true,
    longestSide: 16_383,
    colorLabels: "icc",
    accepts: ({ hasAlpha }, quality) => ({
      layouts: ["coded", "bitmap", "rgba"],
      fidelity: isLossless(hasAlpha, quality) ? "exact" : "alpha",
    }),
    async encode(picture, { quality, metadata }) {
      const encoded = picture.layout === "coded" ? picture.data : await encodePicture(picture, quality);
      return hasMetadata(metadata) ? withWebpMetadata(await bytesOf(encoded), metadata) : encoded;
    },
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

/** Whether viewers show the coded data as it is. */
function canBeCopied({ webp, orientation }: OpenWebp): boolean {
  return orientation === 1 && !webp.isAnimated;
}

async function decode(opened: OpenWebp, options: DecodeOptions): Promise<SourcePicture> {
  const decoded = await decodePicture(opened, options);
  const { icc } = opened.webp;
  const { profile } = options.colors;
  const namesProfile = profile !== "keep" || decoded.icc === icc;
  if (!options.layouts.includes("coded") || !canBeCopied(opened) || !namesProfile) return decoded;
  const kept = profile === "keep" ? icc : icc && neutralProfile(icc);
  return codedPicture(decoded, withWebpMetadata(opened.bytes, { icc: kept }));
}

/** Decodes with libwebp where values must be exact or the canvas cannot be read, or else with the browser. */
async function decodePicture(opened: OpenWebp, options: DecodeOptions): Promise<Picture> {
  const { file, bytes, webp, orientation } = opened;
  const isExact = options.fidelity !== "display" && webp.hasAlpha && !webp.isAnimated;
  const icc = statedProfile(webp.icc, options.colors.profile);
  if (isExact && webp.icc === icc) return uprightPixels({ ...(await exact(bytes)), icc }, orientation);
  const mustBeExact = webp.isLossless && !webp.isAnimated && options.fidelity === "exact";
  if (!(await canvasReadback(mustBeExact ? "exactly" : "closely"))) {
    if (webp.isAnimated) throw onlyForTheBrowser("moving WebP");
    return decodeByLibwebp(opened, options);
  }
  const mayStay = icc !== undefined && (options.colors.profile === "keep" || options.fidelity === "exact");
  const colors = await decodingColors(webp.icc && profileColor(webp.icc), mayStay);
  const plainBytes = plainWebp(bytes, webp);
  const plain = plainBytes === bytes ? file : new Blob([plainBytes]);
  const bitmap = await decodeNatively(plain, TYPE, colors.keepValues);
  const isAsStored = orientation === 1 && webp.icc === undefined;
  const upright = uprightBitmap(bitmap, orientation);
  const picture = bitmapPicture(upright, webp.hasAlpha, colors.stays ? icc : undefined, isAsStored);
  return convertToSrgb(picture, colors.convertFrom);
}

async function decodeByLibwebp(
  { bytes, webp: { icc }, orientation }: OpenWebp,
  { colors }: DecodeOptions,
): Promise<Picture> {
  const picture = inPolicyColors(await exact(bytes), icc && profileColor(icc), colors.profile);
  return uprightPixels({ ...picture, icc: picture.icc && icc }, orientation);
}

async function encodePicture(given: Picture, quality: number | undefined): Promise<EncodedImage> {
  const picture = certain(given);
  if (quality !== undefined) return encodeAt(picture, quality);
  if (picture.hasAlpha) return encodeAt(picture, 1);
  const ways = [USUAL_QUALITY, HIGH_QUALITY, 1].map((one) => () => encodeAt(picture, one));
  return encodePerceptual(picture, ways, async (encoded) => exact(await bytesOf(encoded)));
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
  const { encodeWebp } = await import("./wasm/webp-encoder.ts");
  const module = await wasmModule(encoderUrl);
  const { width, height } = picture;
  const input = { pixels: pixelsOf(picture), width, height };
  const bytes = await encodeWebp(module, input, isLossless ? "lossless" : quality * 100);
  if (bytes === null) throw outOfMemory();
  return new Blob([bytes], { type: TYPE });
}

/** Returns a picture whose `hasAlpha` is certain, not only possible. */
function certain(picture: Picture): Picture {
  if (picture.layout === "rgba" || !picture.hasAlpha) return picture;
  return pixelPicture(pixelsOf(picture), picture.width, picture.height, picture.icc);
}

/** Decodes the values as stored: not rotated, in the colors of the profile. */
async function exact(bytes: Uint8Array<ArrayBuffer>): Promise<PixelPicture> {
  const { decodeWebp } = await import("./wasm/webp-decoder.ts");
  const module = await wasmModule(decoderUrl);
  const image = await decodeWebp(module, bytes);
  if (image === null) throw cannotBeDecoded("WebP");
  const { width, height } = image;
  return pixelPicture(image.data, width, height);
}
