import decoderUrl from "@jsquash/webp/codec/dec/webp_dec.wasm?url";
import encoderUrl from "@jsquash/webp/codec/enc/webp_enc_simd.wasm?url";
import { ServiceError } from "../../../src/errors.ts";
import {
  bitmapPicture,
  canKeepValues,
  decodeNatively,
  encodeNatively,
  ownBytes,
  pixelPicture,
  pixelsOf,
  uprightBitmap,
  uprightPixels,
} from "../canvas.ts";
import type { Codec, DecodeOptions } from "../codec.ts";
import { type Orientation, readExif } from "../containers/exif.ts";
import { profileComponents } from "../containers/icc.ts";
import { plainWebp, readWebp, type WebpFile, withWebpMetadata } from "../containers/webp.ts";
import { encodeClosely } from "../encode-closely.ts";
import { bytesOf } from "../file-bytes.ts";
import type { Picture } from "../picture.ts";
import { shownByProfile } from "../unfollowed-profiles.ts";
import { wasmModule } from "../wasm-module.ts";

const TYPE = "image/webp";
/** A little more than browsers take when they are not told: photos stay within 3 of 255 of the original. */
const USUAL_QUALITY = 0.85;
/** For small pictures that do not look as they did at the usual one. */
const HIGH_QUALITY = 0.97;

/**
 * WebP, its first frame when it moves. Browsers do not agree on whether its EXIF turns the picture: it is taken away
 * from them, and the picture turned here.
 *
 * What becomes a WebP again with no quality asked for keeps its coded data, once it has been decoded to see that it
 * can be. Else, written with transparency and no quality asked for, or with quality 1, it is lossless: what has
 * transparency is drawn rather than photographed, and blurs visibly. So is what is small and would blur without
 * transparency, too. Other qualities keep alpha exact and only it.
 */
export const codec: Codec = {
  decoder: {
    async inspect(file) {
      const { width, height, hasAlpha } = readWebp(await bytesOf(file));
      return { images: [{ width, height, hasAlpha }] };
    },
    async decode(file, options) {
      const bytes = await bytesOf(file);
      const webp = readWebp(bytes);
      const orientation = webp.exif ? readExif(webp.exif).orientation : 1;
      const picture = await decode(file, bytes, webp, orientation, options);
      const { icc } = webp;
      const isNamed = options.profile !== "keep" || picture.icc === icc;
      const stays = options.stored && isNamed && orientation === 1 && !webp.isAnimated;
      return stays ? { ...picture, stored: withWebpMetadata(bytes, { icc }) } : picture;
    },
    async metadata(file) {
      const { exif, xmp } = readWebp(await bytesOf(file));
      return { exif, xmp };
    },
  },
  encoder: {
    lossy: true,
    alpha: true,
    longestSide: 16_383,
    keepsValues: ({ hasAlpha }, { quality }) => quality === 1 || (quality === undefined && hasAlpha),
    async encode(given, { quality }) {
      const picture = certain(given);
      if (quality !== undefined) return encode(picture, quality);
      if (picture.hasAlpha) return encode(picture, 1);
      const ways = [USUAL_QUALITY, HIGH_QUALITY, 1].map((one) => () => encode(picture, one));
      return encodeClosely(picture, ways);
    },
    async withMetadata(encoded, metadata) {
      return withWebpMetadata(await bytesOf(encoded), metadata);
    },
  },
};

async function decode(
  file: Blob,
  bytes: Uint8Array<ArrayBuffer>,
  webp: WebpFile,
  orientation: Orientation,
  options: DecodeOptions,
): Promise<Picture> {
  const isExact = options.exactAlpha && webp.hasAlpha && !webp.isAnimated;
  if (isExact && (webp.icc === undefined || mayStay(webp.icc, options)))
    return exact(bytes, webp, orientation);
  const mayKeep = (options.profile === "keep" || options.exactValues) && (await canKeepValues());
  const icc = mayKeep && webp.icc && mayStay(webp.icc, options) ? webp.icc : undefined;
  const plainBytes = plainWebp(bytes, webp);
  const plain = plainBytes === bytes ? file : new Blob([plainBytes]);
  const bitmap = await decodeNatively(plain, TYPE, icc !== undefined);
  const isAsStored = orientation === 1 && webp.icc === undefined;
  const picture = bitmapPicture(uprightBitmap(bitmap, orientation), webp.hasAlpha, icc, isAsStored);
  return icc === undefined && webp.icc ? shownByProfile("webp", picture, webp.icc) : picture;
}

/** At a quality; 1 is lossless. */
async function encode(picture: Picture, quality: number): Promise<Blob> {
  const isLossless = quality === 1;
  if (!picture.hasAlpha) {
    // Some browsers write it losslessly at quality 1, some do not, and WebKit writes none.
    const native = await encodeNatively(picture, TYPE, quality);
    if (native !== undefined && (!isLossless || readWebp(await bytesOf(native)).isLossless)) return native;
  }
  const { encodeWebp } = await import("../wasm/webp-encoder.ts");
  const module = await wasmModule(encoderUrl);
  const { width, height } = picture;
  const input = { pixels: pixelsOf(picture), width, height };
  const bytes = await encodeWebp(module, input, isLossless ? "lossless" : quality * 100);
  if (bytes === null) throw new Error("out of memory in libwebp");
  return new Blob([bytes], { type: TYPE });
}

/** A picture that says for certain whether anything of it is transparent. */
function certain(picture: Picture): Picture {
  if (picture.kind === "pixels" || !picture.hasAlpha) return picture;
  return pixelPicture(pixelsOf(picture), picture.width, picture.height, picture.icc);
}

/** Whether values may stay in the colours of a profile. */
function mayStay(icc: Uint8Array, { profile = "convert" }: DecodeOptions): boolean {
  return profile !== "convert" && profileComponents(icc) === 3;
}

async function exact(
  bytes: Uint8Array<ArrayBuffer>,
  { icc }: WebpFile,
  orientation: Orientation,
): Promise<Picture> {
  const { decodeWebp } = await import("../wasm/webp-decoder.ts");
  const module = await wasmModule(decoderUrl);
  const image = await decodeWebp(module, bytes);
  if (image === null)
    throw new ServiceError("damaged_file", "The WebP image cannot be decoded: try another copy of it.");
  const { width, height } = image;
  return uprightPixels(pixelPicture(ownBytes(image.data), width, height, icc), orientation);
}
