import encoderUrl from "@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm?url";
import { ServiceError } from "../../../../src/shared/errors.ts";
import { concatBytes } from "../../../io/concat-bytes.ts";
import { bytesOf, fileOf, headOf } from "../../../io/file-bytes.ts";
import { bufferSource } from "../../../io/source.ts";
import {
  bitmapPicture,
  canKeepValues,
  decodeNatively,
  encodeNatively,
  pixelsOf,
  release,
} from "../../browser/canvas.ts";
import { givesBack } from "../../browser/canvas-readback.ts";
import { isConvertedHere } from "../../browser/color-management-probe.ts";
import { isSrgb } from "../../color/color-description.ts";
import { convertToSrgb } from "../../color/decoded-values.ts";
import { profileComponents } from "../../color/icc.ts";
import { neutralProfile } from "../../color/neutral-profile.ts";
import { encodePerceptual, mayBeDrawing } from "../../encoding/encode-perceptual.ts";
import { type Color, profileColor } from "../../isobmff/properties.ts";
import { withPlainOrientation } from "../../metadata/exif.ts";
import type { Picture } from "../../picture/picture.ts";
import { wasmModule } from "../../wasm/wasm-module.ts";
import type { Codec, DecodeOptions } from "../codec.ts";
import { isCommonlyCoded, isPlainRgb, jpegContent } from "./content.ts";
import { decodeCmyk } from "./decode-cmyk.ts";
import { decodeDamagedJpeg } from "./decode-damaged.ts";
import { decodePlanes } from "./decode-planes.ts";
import { decodeJpegHere, storedValues } from "./decode-with-libjpeg.ts";
import { checkScans } from "./decoding-cost.ts";
import { encodeJpeg, encodesPlanes } from "./encode-jpeg.ts";
import { type Jpeg, readJpeg } from "./read-jpeg.ts";
import { isInOneScan, type JpegScans, readScans } from "./scans.ts";
import { withJpegExif, withJpegMetadata } from "./write-metadata.ts";

const TYPE = "image/jpeg";
/** What Chromium and Firefox take when they are not told. */
const USUAL_QUALITY = 0.92;

/** As often as chroma, twice as often across, twice both ways. */
const LUMA_SAMPLINGS: readonly number[] = [0x11, 0x21, 0x22];

/**
 * JPEG. The browser turns the picture upright, and converts its colors, but for those of CMYK with a profile.
 *
 * What becomes a JPEG again with no quality asked for keeps its coded data where that is what viewers show as it is:
 * another encoding would only lose. It is decoded all the same, to see that it can be.
 */
export const codec: Codec = {
  decoder: {
    async inspect(file) {
      const { width, height, resolution } = await read(file);
      return { images: [{ width, height, hasAlpha: false, resolution }] };
    },
    async decode(given, options) {
      const { profile = "convert", stored = false, planes = false } = options;
      const jpeg = await read(given);
      const isCounted = await countsAllScans(given, jpeg);
      if (!(await givesBack("closely"))) return decodeHere(given, jpeg, options);
      const file = await legible(given, jpeg);
      const inPlanes =
        planes && isCounted && isInPlanes(jpeg) ? await decodeInPlanes(file, jpeg, options) : undefined;
      if (inPlanes !== undefined)
        return { ...inPlanes, icc: profile === "keep" ? profileOf(jpeg, 3) : undefined };
      const icc = profile === "keep" && (await canKeepValues()) ? profileOf(jpeg, 3) : undefined;
      const color = icc === undefined ? colorOf(jpeg) : undefined;
      const isOurs = color !== undefined && (await isConvertedHere(color));
      const keepValues = icc !== undefined || isOurs;
      // The browser decodes while the file is read here, too.
      const decoding = isCounted ? decodeNatively(file, TYPE, keepValues) : undefined;
      decoding?.catch(() => {});
      const bytes = await bytesOf(file);
      const scans = readScans(bufferSource(bytes), jpeg);
      const decodeMended = (mended: Uint8Array<ArrayBuffer>) =>
        decodeNatively(new Blob([mended]), TYPE, keepValues);
      const decodeDamaged = () => decodeDamagedJpeg(bytes, jpeg, scans, decodeMended);
      let isWhole = scans.ending === "whole";
      const otherwise = orIfDamaged(() => {
        isWhole = false;
        return decodeDamaged();
      });
      const bitmap = await (decoding && isWhole
        ? decoding.catch(otherwise)
        : instead(decoding, decodeDamaged));
      const picture = bitmapPicture(bitmap, false, icc, isAsStored(jpeg));
      const exactly = isWhole ? await decodeCmyk(bytes, jpeg) : undefined;
      if (exactly !== undefined) {
        release(picture);
        return exactly;
      }
      const shown = isOurs ? convertToSrgb(picture, color) : picture;
      return stored && isWhole && isShownAsStored(jpeg)
        ? { ...shown, stored: withoutMetadata(bytes, jpeg, scans, profile) }
        : shown;
    },
    async metadata(file) {
      const { exif, xmp, extendedXmp } = await read(file);
      return { exif, xmp, extendedXmp };
    },
  },
  encoder: {
    lossy: true,
    alpha: false,
    takesPlanes(picture, { quality }) {
      // What may be a drawing is compared with its values.
      if (quality === undefined && mayBeDrawing(picture)) return false;
      return encodesPlanes(quality ?? USUAL_QUALITY);
    },
    async encode(picture, { quality, helpers }) {
      const at = async (some: number) => {
        const parts = await encodeJpeg(picture, some, helpers);
        if (parts !== undefined) return fileOf(parts, TYPE);
        if (picture.kind === "planes") await picture.arrival?.until(picture.height);
        return (await encodeNatively(picture, TYPE, some)) ?? encodeHere(picture, some);
      };
      const valuesOf = async (encoded: Blob) => storedValues(await bytesOf(encoded));
      return quality === undefined
        ? encodePerceptual(picture, [() => at(USUAL_QUALITY), () => at(1)], valuesOf)
        : at(quality);
    },
    async toBytes(picture, { quality, helpers }) {
      if (quality === undefined && mayBeDrawing(picture)) return undefined;
      const parts = await encodeJpeg(picture, quality ?? USUAL_QUALITY, helpers);
      return parts?.length === 1 ? parts[0] : parts && concatBytes(parts);
    },
    async withMetadata(encoded, metadata) {
      return withJpegMetadata(await bytesOf(encoded), metadata);
    },
  },
};

async function read(file: Blob): Promise<Jpeg> {
  const head = await headOf(file);
  try {
    return readJpeg(bufferSource(head));
  } catch (thrown) {
    if (head.length === file.size) throw thrown;
  }
  return readJpeg(bufferSource(await bytesOf(file)));
}

/**
 * Checks the scans of a JPEG before anything decodes it. A browser cannot stop decoding once it has begun.
 *
 * @returns false for a damaged file in which a decoder may find more scans than this function counts
 * @throws {ServiceError} `input_too_large` when decoding the scans would take minutes
 */
async function countsAllScans(file: Blob, jpeg: Jpeg): Promise<boolean> {
  if (isInOneScan(bufferSource(await headOf(file)), jpeg, jpeg.scans)) return true;
  const source = bufferSource(await bytesOf(file));
  const scans = readScans(source, jpeg);
  checkScans(source, jpeg, scans);
  return scans.ending === "whole";
}

async function encodeHere(picture: Picture, quality: number): Promise<Blob> {
  const { encodeMozjpeg } = await import("./wasm/mozjpeg.ts");
  const { width, height } = picture;
  const input = { pixels: pixelsOf(picture), width, height };
  return fileOf([await encodeMozjpeg(await wasmModule(encoderUrl), input, 100 * quality)], TYPE);
}

async function decodeHere(file: Blob, jpeg: Jpeg, options: DecodeOptions): Promise<Picture> {
  const bytes = await bytesOf(file);
  const scans = readScans(bufferSource(bytes), jpeg);
  const picture = await decodeJpegHere(bytes, jpeg, scans, options);
  const mayStay = options.stored && scans.ending === "whole" && isShownAsStored(jpeg);
  return mayStay ? { ...picture, stored: withoutMetadata(bytes, jpeg, scans, options.profile) } : picture;
}

/** The file as browsers understand it: of those that say how to turn them in a way of their own, a copy. */
async function legible(file: Blob, jpeg: Jpeg): Promise<Blob> {
  const exif = jpeg.exif && withPlainOrientation(jpeg.exif);
  return exif === undefined ? file : fileOf(withJpegExif(await bytesOf(file), jpeg, exif), TYPE);
}

/** Nothing where the browser gives no planes, or the file is damaged. */
async function decodeInPlanes(
  file: Blob,
  jpeg: Jpeg,
  { stored, profile }: DecodeOptions,
): Promise<Picture | undefined> {
  const bytes = await bytesOf(file);
  const decoding = decodePlanes(bytes, TYPE, jpeg);
  let isWanted = false;
  try {
    const scans = readScans(bufferSource(bytes), jpeg);
    const frame = await decoding;
    if (frame === undefined || scans.ending !== "whole") return undefined;
    const { width, height } = jpeg;
    const picture: Picture = { kind: "frame", width, height, frame, hasAlpha: false };
    const isStored = stored && isShownAsStored(jpeg);
    const made = isStored ? { ...picture, stored: withoutMetadata(bytes, jpeg, scans, profile) } : picture;
    isWanted = true;
    return made;
  } finally {
    if (!isWanted) decoding.then((frame) => frame?.close()).catch(() => {});
  }
}

/** What comes after a failure to decode, where it is the file that is damaged. */
function orIfDamaged(decode: () => Promise<ImageBitmap>): (thrown: unknown) => Promise<ImageBitmap> {
  return async (thrown) => {
    if (thrown instanceof ServiceError && thrown.code === "damaged_file") return decode();
    throw thrown;
  };
}

/** For a file with damage that browsers do not always tell of: what is missing comes out gray, or all of it blank. */
function instead(
  decoding: Promise<ImageBitmap> | undefined,
  decode: () => Promise<ImageBitmap>,
): Promise<ImageBitmap> {
  decoding?.then((bitmap) => bitmap.close()).catch(() => {});
  return decode();
}

/** Whether the browser need neither turn the picture nor convert its colors. */
function isAsStored({ orientation, icc, frame }: Jpeg): boolean {
  return orientation === 1 && icc === undefined && frame.components.length === 3;
}

/** Whether the picture is luma and chroma as they are stored, in one of the usual samplings. */
function isInPlanes(jpeg: Jpeg): boolean {
  const [luma = 0, ...chroma] = jpeg.frame.samplings;
  const isUsual = LUMA_SAMPLINGS.includes(luma) && chroma.every((sampling) => sampling === 0x11);
  return isUsual && chroma.length === 2 && isOfSrgb(jpeg) && isShownAsStored(jpeg);
}

/** Phones and editors write such a profile into very many JPEGs. */
function isOfSrgb({ icc }: Jpeg): boolean {
  return icc === undefined || (profileComponents(icc) === 3 && isSrgb(Uint8Array.from(icc)));
}

/** Whether every viewer shows the picture as it is stored: upright, gray or YCbCr of 8 bits, in whatever colors. */
function isShownAsStored(jpeg: Jpeg): boolean {
  const { components } = jpeg.frame;
  const isUsual = isCommonlyCoded(jpeg) && jpeg.orientation === 1;
  const isRgb = jpeg.adobeTransform === 0 || isPlainRgb(jpeg);
  return isUsual && (components.length === 1 || (components.length === 3 && !isRgb));
}

/**
 * Returns the file's own coding without metadata. Keeps the profile when `keeping` is `"keep"`, else rebuilds
 * it.
 */
function withoutMetadata(
  bytes: Uint8Array<ArrayBuffer>,
  jpeg: Jpeg,
  scans: JpegScans,
  keeping: DecodeOptions["profile"],
): Blob {
  const profile = keeping === "keep" ? jpeg.icc : jpeg.icc && neutralProfile(jpeg.icc);
  const pieces = jpegContent(bufferSource(bytes), jpeg, { keepMetadata: false, profile }, scans);
  const parts = pieces.map((piece) =>
    piece.kind === "range" ? bytes.subarray(piece.start, piece.end) : new Uint8Array(piece.bytes),
  );
  return new Blob(parts, { type: TYPE });
}

/** What a profile says of the values; nothing without one that fits. */
function colorOf(jpeg: Jpeg): Color | undefined {
  const profile = profileOf(jpeg, 1) ?? profileOf(jpeg, 3);
  return profile && profileColor(profile);
}

/** The profile of a picture of so many components, where it fits that. */
function profileOf({ frame, icc }: Jpeg, components: 1 | 3): Uint8Array | undefined {
  const fits =
    icc !== undefined && frame.components.length === components && profileComponents(icc) === components;
  return fits ? icc : undefined;
}
