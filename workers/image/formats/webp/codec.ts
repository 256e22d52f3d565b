import decoderUrl from "@jsquash/webp/codec/dec/webp_dec.wasm?url";
import encoderUrl from "@jsquash/webp/codec/enc/webp_enc_simd.wasm?url";
import { ServiceError } from "../../../../src/shared/errors.ts";
import { bytesOf } from "../../../io/file-bytes.ts";
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
} from "../../browser/canvas.ts";
import { givesBack } from "../../browser/canvas-readback.ts";
import { isConvertedHere } from "../../browser/color-management-probe.ts";
import { cannotBeDecoded, onlyForTheBrowser } from "../../browser/decoding-failures.ts";
import { mayLackRows } from "../../browser/truncation-probe.ts";
import { planColor } from "../../color/color-description.ts";
import { convertToSrgb, inItsColors } from "../../color/decoded-values.ts";
import { profileComponents } from "../../color/icc.ts";
import { neutralProfile } from "../../color/neutral-profile.ts";
import { encodePerceptual } from "../../encoding/encode-perceptual.ts";
import { profileColor } from "../../isobmff/properties.ts";
import { type Orientation, readExif } from "../../metadata/exif.ts";
import type { Picture, PixelPicture } from "../../picture/picture.ts";
import { wasmModule } from "../../wasm/wasm-module.ts";
import type { Codec, DecodeOptions } from "../codec.ts";
import { plainWebp, readWebp, type WebpFile, withWebpMetadata } from "./read-webp.ts";

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
      if (!stays) return picture;
      const kept = options.profile === "keep" ? icc : icc && neutralProfile(icc);
      return { ...picture, stored: withWebpMetadata(bytes, { icc: kept }) };
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
      return encodePerceptual(picture, ways, async (encoded) => exact(await bytesOf(encoded)));
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
    return uprightPixels({ ...(await exact(bytes)), icc: webp.icc }, orientation);
  const mustBeExact = webp.isLossless && !webp.isAnimated && options.exactValues;
  if (!(await givesBack(mustBeExact ? "exactly" : "closely"))) {
    if (webp.isAnimated) throw onlyForTheBrowser("moving WebP");
    return decodeByLibwebp(bytes, webp, orientation, options);
  }
  const mayKeep = (options.profile === "keep" || options.exactValues) && (await canKeepValues());
  const icc = mayKeep && webp.icc && mayStay(webp.icc, options) ? webp.icc : undefined;
  const color = icc === undefined && webp.icc ? profileColor(webp.icc) : undefined;
  const isOurs = color !== undefined && (await isConvertedHere(color));
  const plainBytes = plainWebp(bytes, webp);
  const plain = plainBytes === bytes ? file : new Blob([plainBytes]);
  const bitmap = await decodeWhole(plain, webp, icc !== undefined || isOurs);
  if (bitmap === undefined) return decodeByLibwebp(bytes, webp, orientation, options);
  const isAsStored = orientation === 1 && webp.icc === undefined;
  const picture = bitmapPicture(uprightBitmap(bitmap, orientation), webp.hasAlpha, icc, isAsStored);
  return isOurs ? convertToSrgb(picture, color) : picture;
}

/**
 * What the browser decodes, all of it: nothing where it fails, or may have left out rows and said nothing, and libwebp
 * does better.
 *
 * @throws {ServiceError} `damaged_file`
 */
async function decodeWhole(
  file: Blob,
  { isAnimated, icc }: WebpFile,
  keepValues: boolean,
): Promise<ImageBitmap | undefined> {
  const hasTables = icc !== undefined && planColor(profileColor(icc)) === "tables";
  const isOnlyForTheBrowser = isAnimated || (hasTables && !keepValues);
  try {
    const bitmap = await decodeNatively(file, TYPE, keepValues);
    if (isOnlyForTheBrowser || !(await mayLackRows(bitmap))) return bitmap;
    bitmap.close();
  } catch (thrown) {
    const isDamaged = thrown instanceof ServiceError && thrown.code === "damaged_file";
    if (isOnlyForTheBrowser || !isDamaged) throw thrown;
  }
  return undefined;
}

async function decodeByLibwebp(
  bytes: Uint8Array<ArrayBuffer>,
  { icc }: WebpFile,
  orientation: Orientation,
  options: DecodeOptions,
): Promise<Picture> {
  const picture = inItsColors(await exact(bytes), icc && profileColor(icc), options);
  return uprightPixels({ ...picture, icc: picture.icc && icc }, orientation);
}

/** At a quality; 1 is lossless. */
async function encode(picture: Picture, quality: number): Promise<Blob> {
  const isLossless = quality === 1;
  if (!picture.hasAlpha) {
    // Some browsers write it losslessly at quality 1, some do not, and WebKit writes none.
    const isCertain = !isLossless || picture.kind !== "pixels" || (await givesBack("exactly"));
    const native = isCertain ? await encodeNatively(picture, TYPE, quality) : undefined;
    if (native !== undefined && (!isLossless || readWebp(await bytesOf(native)).isLossless)) return native;
  }
  const { encodeWebp } = await import("./wasm/webp-encoder.ts");
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

/** Whether values may stay in the colors of a profile. */
function mayStay(icc: Uint8Array, { profile = "convert" }: DecodeOptions): boolean {
  return profile !== "convert" && profileComponents(icc) === 3;
}

/** As they are stored, before any rotation, and whatever their profile. */
async function exact(bytes: Uint8Array<ArrayBuffer>): Promise<PixelPicture> {
  const { decodeWebp } = await import("./wasm/webp-decoder.ts");
  const module = await wasmModule(decoderUrl);
  const image = await decodeWebp(module, bytes);
  if (image === null) throw cannotBeDecoded("WebP");
  const { width, height } = image;
  return pixelPicture(ownBytes(image.data), width, height);
}
