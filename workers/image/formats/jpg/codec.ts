import encoderUrl from "@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm?url";
import { bytesOf, headOf } from "../../../io/file-bytes.ts";
import { bufferSource } from "../../../io/source.ts";
import { wasmModule } from "../../../wasm/wasm-module.ts";
import { canvasReadback } from "../../browser/canvas-readback.ts";
import { decodeNatively } from "../../browser/decode-natively.ts";
import { type Color, profileColor } from "../../color/color.ts";
import { isSrgb } from "../../color/color-description.ts";
import { decodingColors } from "../../color/color-management-probe.ts";
import { convertToSrgb } from "../../color/convert-picture.ts";
import { profileComponents } from "../../color/icc.ts";
import { neutralProfile } from "../../color/neutral-profile.ts";
import { hasMetadata } from "../../metadata/metadata.ts";
import { bitmapPicture, pixelsOf } from "../../picture/convert-layout.ts";
import { codedPicture, type Layout, type Picture, type SourcePicture } from "../../picture/picture.ts";
import { uprightSize } from "../../picture/upright.ts";
import type { Codec, ColorPolicy, DecodeOptions } from "../codec.ts";
import { encodeNatively } from "../encode-natively.ts";
import { encodePerceptual, mayBeDrawing } from "../encode-perceptual.ts";
import type { EncodedImage } from "../encoded-image.ts";
import { decodingKind } from "../rare-kind.ts";
import { isCommonlyCoded, isPlainRgb, jpegContent } from "./content.ts";
import { decodeCmyk } from "./decode-cmyk.ts";
import { decodePlanes } from "./decode-planes.ts";
import { decodeJpegHere, mendedJpeg, storedValues } from "./decode-with-libjpeg.ts";
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
 * JPEG. The browser applies the orientation and converts the colors, except for CMYK with a profile.
 *
 * Without a quality, a JPEG becomes a JPEG by copying its coded data, where viewers show it unchanged. Encoding again
 * would only lose quality. The picture is decoded all the same, to check the data.
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
          layouts: layoutsOf(jpeg),
          decode: (options) => decodingKind("JPEG", rareKind(jpeg), () => decode(file, jpeg, options)),
          metadata: async () => ({ exif, xmp, extendedXmp }),
        },
      ];
    },
  },
  encoder: {
    lossy: true,
    alpha: false,
    colorLabels: "icc",
    accepts(image, quality) {
      // A small picture is compared with the result, which needs its pixel values.
      const isCompared = quality === undefined && mayBeDrawing(image);
      const takesPlanes = !isCompared && encodesPlanes(quality ?? USUAL_QUALITY);
      return {
        layouts: ["coded", ...(takesPlanes ? (["frame", "yuv420"] as const) : []), "bitmap", "rgba"],
        fidelity: "display",
      };
    },
    async encode(picture, { quality, metadata }) {
      const encoded = picture.layout === "coded" ? picture.data : await encodePicture(picture, quality);
      return hasMetadata(metadata) ? withJpegMetadata(await bytesOf(encoded), metadata) : encoded;
    },
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

function layoutsOf(jpeg: Jpeg): readonly Layout[] {
  return [
    ...(isShownAsStored(jpeg) ? (["coded"] as const) : []),
    ...(isInPlanes(jpeg) ? (["frame"] as const) : []),
    "bitmap",
    "rgba",
  ];
}

/** A JPEG in memory. */
interface OpenJpeg {
  readonly file: Blob;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly jpeg: Jpeg;
  readonly scans: JpegScans;
}

/**
 * Decodes a JPEG. Checks its scans first, because a browser cannot stop decoding once it has begun.
 *
 * @throws {ServiceError} `damaged_file`, `input_too_large` when decoding the scans would take minutes
 */
async function decode(file: Blob, jpeg: Jpeg, options: DecodeOptions): Promise<SourcePicture> {
  const bytes = await bytesOf(file);
  const source = bufferSource(bytes);
  const scans = readScans(source, jpeg);
  checkScans(jpeg, scans);
  const opened: OpenJpeg = { file, bytes, jpeg, scans };
  const picture = await decodePicture(opened, options);
  const canCopy = options.layouts.includes("coded") && isShownAsStored(jpeg) && scans.ending === "whole";
  return canCopy ? codedPicture(picture, withoutMetadata(opened, options.colors.profile)) : picture;
}

/** Decodes to planes where possible, or else to a bitmap. Uses libjpeg when the canvas cannot be read. */
async function decodePicture(
  { file, bytes, jpeg, scans }: OpenJpeg,
  options: DecodeOptions,
): Promise<Picture> {
  const { layouts, colors } = options;
  const isWhole = scans.ending === "whole";
  const fromCmyk = isWhole ? await decodeCmyk(bytes, jpeg) : undefined;
  if (fromCmyk !== undefined) return fromCmyk;
  // A damaged file is decoded up to its damage.
  const sound = isWhole ? bytes : await mendedJpeg(bytes, scans);
  const color = colorOf(jpeg);
  if (!(await canvasReadback("closely"))) return decodeJpegHere(sound, jpeg, color, colors.profile);
  const icc = colors.profile === "keep" ? profileOf(jpeg, 3) : undefined;
  const takesFrame = isWhole && layouts.includes("frame") && isInPlanes(jpeg);
  const frame = takesFrame ? await decodePlanes(bytes, jpeg) : undefined;
  if (frame !== undefined) {
    const { width, height } = jpeg;
    return { layout: "frame", width, height, frame, hasAlpha: false, icc };
  }
  const { keepValues, stays, convertFrom } = await decodingColors(color, icc !== undefined);
  const bitmap = await decodeNatively(isWhole ? file : new Blob([sound]), TYPE, keepValues);
  const picture = bitmapPicture(bitmap, false, stays ? icc : undefined, isAsStored(jpeg));
  return convertToSrgb(picture, convertFrom);
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

/** Whether the browser neither rotates the picture nor converts its colors. */
function isAsStored({ orientation, icc, frame }: Jpeg): boolean {
  return orientation === 1 && icc === undefined && frame.components.length === 3;
}

/** Whether viewers show the stored planes unchanged, in a usual sampling. */
function isInPlanes(jpeg: Jpeg): boolean {
  const [luma = 0, ...chroma] = jpeg.frame.samplings;
  const isUsual = LUMA_SAMPLINGS.includes(luma) && chroma.every((sampling) => sampling === 0x11);
  return isUsual && chroma.length === 2 && isOfSrgb(jpeg) && isShownAsStored(jpeg);
}

/** Whether the profile, if any, is sRGB. Phones and editors write it into many JPEGs. */
function isOfSrgb({ icc }: Jpeg): boolean {
  return icc === undefined || (profileComponents(icc) === 3 && isSrgb(Uint8Array.from(icc)));
}

/** Whether every viewer shows the coded data unchanged: upright, gray or YCbCr with 8 bits. */
function isShownAsStored(jpeg: Jpeg): boolean {
  const { components } = jpeg.frame;
  const isUsual = isCommonlyCoded(jpeg) && jpeg.orientation === 1;
  const isRgb = jpeg.adobeTransform === 0 || isPlainRgb(jpeg);
  return isUsual && (components.length === 1 || (components.length === 3 && !isRgb));
}

/**
 * Returns the coded data of a file without metadata. Keeps the profile for the policy `"keep"`. Otherwise rebuilds it
 * so that it identifies nothing.
 */
function withoutMetadata({ bytes, jpeg, scans }: OpenJpeg, policy: ColorPolicy["profile"]): Blob {
  const profile = policy === "keep" ? jpeg.icc : jpeg.icc && neutralProfile(jpeg.icc);
  const pieces = jpegContent(bufferSource(bytes), jpeg, { keepMetadata: false, profile }, scans);
  const parts = pieces.map((piece) =>
    piece.kind === "range" ? bytes.subarray(piece.start, piece.end) : new Uint8Array(piece.bytes),
  );
  return new Blob(parts, { type: TYPE });
}

/** Returns the color space of the profile, if the profile fits the components. */
function colorOf(jpeg: Jpeg): Color | undefined {
  const profile = profileOf(jpeg, 1) ?? profileOf(jpeg, 3);
  return profile && profileColor(profile);
}

/** Returns the profile of a picture with that number of components, if it fits. */
function profileOf({ frame, icc }: Jpeg, components: 1 | 3): Uint8Array | undefined {
  const fits =
    icc !== undefined && frame.components.length === components && profileComponents(icc) === components;
  return fits ? icc : undefined;
}
