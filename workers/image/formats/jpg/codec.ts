import encoderUrl from "@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm?url";
import { concatBytes } from "../../../io/concat-bytes.ts";
import { bytesOf, headOf } from "../../../io/file-bytes.ts";
import { bufferSource } from "../../../io/source.ts";
import { wasmModule } from "../../../wasm/wasm-module.ts";
import { cannotBeDecoded, decodeNatively } from "../../browser/decode-natively.ts";
import { memoizeAsync } from "../../browser/memoize-async.ts";
import { type Color, profileColor } from "../../color/color.ts";
import { conversionToSrgb } from "../../color/color-description.ts";
import { profileComponents } from "../../color/icc.ts";
import { bitmapPicture, pixelsOf } from "../../picture/convert-layout.ts";
import type { BitmapPicture, FramePicture, Picture, PixelPicture } from "../../picture/picture.ts";
import { uprightPixels, uprightSize } from "../../picture/upright.ts";
import type { Codec, CodedImage, Decoders } from "../codec.ts";
import { encodeNatively } from "../encode-natively.ts";
import { encodePerceptual, mayBeDrawing } from "../encode-perceptual.ts";
import type { EncodedImage } from "../encoded-image.ts";
import { decodingKind } from "../rare-kind.ts";
import { isCommonlyCoded, isPlainRgb, jpegContent } from "./content.ts";
import { cmykToSrgb } from "./decode-cmyk.ts";
import { decodeFrame } from "./decode-planes.ts";
import { mendedJpeg, storedValues } from "./decode-with-libjpeg.ts";
import { checkScans } from "./decoding-cost.ts";
import { encodeJpeg, encodesPlanes } from "./encode-jpeg.ts";
import { type Jpeg, rareKind, readJpeg } from "./read-jpeg.ts";
import { type JpegScans, readScans } from "./scans.ts";
import { withJpegMetadata } from "./write-metadata.ts";

const TYPE = "image/jpeg";
/** The default of Chromium and Firefox. */
const USUAL_QUALITY = 0.92;

/** 4:4:4, 4:2:2 and 4:2:0, as horizontal and vertical sampling factors of luma. */
const LUMA_SAMPLINGS: readonly number[] = [0x11, 0x21, 0x22];

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
      const loaded = memoizeAsync(() => load(file, jpeg));
      return [
        {
          ...{ width, height, resolution, hasAlpha: false },
          shown: uprightSize(jpeg, jpeg.orientation),
          color: colorOf(jpeg),
          decoders: decodersOf(jpeg, loaded),
          ...(isShownAsStored(jpeg) && { coded: async () => codedImage(await loaded()) }),
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
    encodeByMozjpeg(picture, at);
  if (quality !== undefined) return encodeAt(quality);
  const valuesOf = async (encoded: EncodedImage) => storedValues(await bytesOf(encoded));
  return encodePerceptual(picture, [() => encodeAt(USUAL_QUALITY), () => encodeAt(1)], valuesOf);
}

/** A JPEG in memory. */
interface LoadedJpeg {
  readonly file: Blob;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly jpeg: Jpeg;
  readonly scans: JpegScans;
}

/**
 * Reads a JPEG as a whole. Checks its scans, because a browser cannot stop decoding once it has begun.
 *
 * @throws {ServiceError} `input_too_large` when decoding the scans would take minutes
 */
async function load(file: Blob, jpeg: Jpeg): Promise<LoadedJpeg> {
  const bytes = await bytesOf(file);
  const scans = readScans(bufferSource(bytes), jpeg);
  checkScans(jpeg, scans);
  return { file, bytes, jpeg, scans };
}

function decodersOf(jpeg: Jpeg, loaded: () => Promise<LoadedJpeg>): Decoders {
  const decodes = <Decoded extends Picture | undefined>(
    decode: (loaded: LoadedJpeg) => Promise<Decoded>,
  ): Promise<Decoded> => decodingKind("JPEG", rareKind(jpeg), async () => decode(await loaded()));
  const isCmyk = jpeg.frame.components.length === 4;
  return {
    ...(isInPlanes(jpeg) && { planes: () => decodes(decodePlanes) }),
    ...(isCmyk && colorOf(jpeg) !== undefined && { pixels: () => decodes(decodeCmyk) }),
    ...(!isCmyk && { pixels: () => decodes(decodeByLibjpeg) }),
    browser: (keepsValues) => decodes((one) => decodeInBrowser(one, keepsValues)),
  };
}

/** Decodes to planes, if the file is whole. */
async function decodePlanes({ bytes, jpeg, scans }: LoadedJpeg): Promise<FramePicture | undefined> {
  const frame = scans.ending === "whole" ? await decodeFrame(bytes, jpeg) : undefined;
  const { width, height } = jpeg;
  return frame && { layout: "frame", width, height, frame, hasAlpha: false };
}

/** Decodes CMYK with a profile to sRGB, if the file is whole. */
async function decodeCmyk({ bytes, jpeg, scans }: LoadedJpeg): Promise<PixelPicture | undefined> {
  return scans.ending === "whole" ? cmykToSrgb(bytes, jpeg) : undefined;
}

/** Decodes with libjpeg: a damaged file up to its damage. */
async function decodeByLibjpeg({ bytes, jpeg, scans }: LoadedJpeg): Promise<PixelPicture> {
  const values = await storedValues(scans.ending === "whole" ? bytes : await mendedJpeg(bytes, scans));
  if (values === undefined) throw cannotBeDecoded("JPEG");
  return uprightPixels(values, jpeg.orientation);
}

/** Decodes with the browser: a damaged file up to its damage. */
async function decodeInBrowser(
  { file, bytes, jpeg, scans }: LoadedJpeg,
  keepsValues: boolean,
): Promise<BitmapPicture> {
  const sound = scans.ending === "whole" ? file : new Blob([await mendedJpeg(bytes, scans)]);
  return bitmapPicture(await decodeNatively(sound, TYPE, keepsValues), false, isAsStored(jpeg));
}

/** Returns the coded data, if the file is whole. */
function codedImage({ bytes, jpeg, scans }: LoadedJpeg): CodedImage | undefined {
  if (scans.ending !== "whole") return undefined;
  const pieces = jpegContent(bufferSource(bytes), jpeg, false, scans);
  const parts = pieces.map((piece) =>
    piece.kind === "range" ? bytes.subarray(piece.start, piece.end) : piece.bytes,
  );
  return { data: concatBytes(parts), icc: jpeg.icc };
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

async function encodeByMozjpeg(picture: Picture, quality: number): Promise<EncodedImage> {
  const { encodeMozjpeg } = await import("./wasm/mozjpeg.ts");
  const { width, height } = picture;
  return encodeMozjpeg(
    await wasmModule(encoderUrl),
    { pixels: pixelsOf(picture), width, height },
    100 * quality,
  );
}

/** Whether decoding with the browser neither rotates the picture nor converts its colors. */
function isAsStored({ orientation, icc, frame }: Jpeg): boolean {
  return orientation === 1 && icc === undefined && frame.components.length === 3;
}

/**
 * Whether viewers show the stored planes unchanged, in a usual sampling. Phones and editors write the profile of sRGB
 * into many JPEGs. Of other profiles, browsers give no planes.
 */
function isInPlanes(jpeg: Jpeg): boolean {
  const [luma = 0, ...chroma] = jpeg.frame.samplings;
  const isUsual = LUMA_SAMPLINGS.includes(luma) && chroma.every((sampling) => sampling === 0x11);
  return (
    isUsual && chroma.length === 2 && isShownAsStored(jpeg) && conversionToSrgb(colorOf(jpeg)) === "none"
  );
}

/** Whether every viewer shows the coded data unchanged: upright, gray or YCbCr with 8 bits. */
function isShownAsStored(jpeg: Jpeg): boolean {
  const { components } = jpeg.frame;
  const isUsual = isCommonlyCoded(jpeg) && jpeg.orientation === 1;
  const isRgb = jpeg.adobeTransform === 0 || isPlainRgb(jpeg);
  return isUsual && (components.length === 1 || (components.length === 3 && !isRgb));
}

/** Returns the color space of the profile, if the profile fits the components. */
function colorOf({ frame, icc }: Jpeg): Color | undefined {
  const fits = icc !== undefined && profileComponents(icc) === frame.components.length;
  return fits ? profileColor(icc) : undefined;
}
