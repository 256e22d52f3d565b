import { ServiceError } from "../../src/shared/errors.ts";
import { isLimitReached } from "../call-budget.ts";
import { encoderOf } from "../image/formats/codecs.ts";
import { isPlainRgb } from "../image/formats/jpg/content.ts";
import { decodeStored } from "../image/formats/jpg/decoders.ts";
import { encodeGrayJpeg } from "../image/formats/jpg/encode-jpeg.ts";
import { type Jpeg, readJpeg } from "../image/formats/jpg/read-jpeg.ts";
import { release, toPixels } from "../image/picture/convert-layout.ts";
import { checkDecoding, thisDevice } from "../image/picture/limits.ts";
import type { GrayPicture, Picture } from "../image/picture/picture.ts";
import { resizeGray, resizePicture } from "../image/picture/resize.ts";
import type { Size } from "../image/picture/size.ts";
import { discard } from "../io/discard.ts";
import { bytesOf } from "../io/file-bytes.ts";
import { bufferSource } from "../io/source.ts";
import { codedData, type ImageCoding } from "./coded-image.ts";
import { compressSamples } from "./compress-samples.ts";
import { type ExactPicture, pictureOf, type StoredSamples } from "./exact-picture.ts";
import { isPhotograph } from "./photograph.ts";
import { sourceQuality } from "./source-quality.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** An image to compress. It can be sent to another worker. */
export interface ImageTask extends StoredSamples {
  readonly coding: ImageCoding;
  /** The size that it gets, not larger than its own. */
  readonly to: Size;
  /** The quality of a JPEG, from 0 to 1. */
  readonly quality: number;
  /** Whether exact samples become no JPEG, as those of soft masks. */
  readonly staysExact: boolean;
}

/** A compressed image: a JPEG, or deflated rows with PNG filters. */
export interface CompressedImage extends Size {
  readonly kind: "jpeg" | "flate";
  readonly bytes: Bytes;
}

/**
 * Scales an image down and encodes it: a JPEG or a photograph as a JPEG, another image without loss.
 *
 * @param data of the image as it is in the file, decrypted
 * @returns undefined for an image that stays as it is: of a kind that PDF readers do not agree on, damaged, or too large for
 *   this device
 * @throws {ServiceError} `unsupported_conversion` in a browser without WebAssembly SIMD
 */
export async function compressImage(task: ImageTask, data: Bytes): Promise<CompressedImage | undefined> {
  if (!fitsDevice(task)) return undefined;
  try {
    return await compressed(task, data);
  } finally {
    discard(task.components * task.width * task.height);
  }
}

async function compressed(task: ImageTask, data: Bytes): Promise<CompressedImage | undefined> {
  const { coding, to, quality } = task;
  const coded = codedData(coding, data);
  if (!coded) return undefined;
  if (coding.kind === "jpeg") return compressJpeg(task, coded);
  const picture = pictureOf(task, coded);
  if (!task.staysExact && (await isPhotograph(picture))) return asJpeg(await resized(picture, to), quality);
  return { ...to, kind: "flate", bytes: await compressSamples(await resizedExactly(picture, to)) };
}

/** A quality above that of the source would keep its artifacts, and cost more bytes than the source. */
const LEAST_QUALITY = 0.4;

async function compressJpeg(task: ImageTask, bytes: Bytes): Promise<CompressedImage | undefined> {
  const { to, quality, width, height } = task;
  try {
    const source = bufferSource(bytes);
    const jpeg = readJpeg(source);
    const own = sourceQuality(source, jpeg);
    const isSmaller = to.width < width || to.height < height;
    if (!isAsStated(jpeg, task) || (own <= quality && !isSmaller)) return undefined;
    const picture = await decodeStored(bytes, jpeg, to);
    return picture && asJpeg(await resized(picture, to), Math.min(quality, Math.max(own, LEAST_QUALITY)));
  } catch (error) {
    // A damaged image stays as it is, and one that would take too long.
    const staysSo = error instanceof ServiceError && ["damaged_file", "input_too_large"].includes(error.code);
    if (staysSo) return undefined;
    throw error;
  }
}

function fitsDevice({ width, height }: Size): boolean {
  try {
    checkDecoding({ width, height, hasAlpha: false }, "jpg", thisDevice());
    return true;
  } catch (error) {
    if (isLimitReached(error)) return false;
    throw error;
  }
}

/** Whether a JPEG is what the dictionary states, and all readers decode it to the same samples. */
function isAsStated(jpeg: Jpeg, { width, height, components }: ImageTask): boolean {
  const isSame =
    jpeg.width === width && jpeg.height === height && jpeg.frame.components.length === components;
  return isSame && (components === 1 || isYCbCr(jpeg));
}

/** Whether all readers take three components for YCbCr. With JFIF and a segment of Adobe that says RGB, they differ. */
function isYCbCr(jpeg: Jpeg): boolean {
  return jpeg.adobeTransform !== 0 && !isPlainRgb(jpeg);
}

/** Returns a picture at the size that it gets. Consumes the picture. */
async function resized(picture: Picture | GrayPicture, to: Size): Promise<Picture | GrayPicture> {
  if (picture.width === to.width && picture.height === to.height) return picture;
  return picture.layout === "gray" ? resizedGray(picture, to) : resizePicture(picture, to, true);
}

async function resizedGray(picture: GrayPicture, to: Size): Promise<GrayPicture> {
  return { ...to, layout: "gray", samples: await resizeGray(picture.samples, picture, to) };
}

async function resizedExactly(picture: ExactPicture, to: Size): Promise<ExactPicture> {
  if (picture.width === to.width && picture.height === to.height) return picture;
  return picture.layout === "gray"
    ? resizedGray(picture, to)
    : toPixels(await resizePicture(picture, to, false));
}

async function asJpeg(picture: Picture | GrayPicture, quality: number): Promise<CompressedImage | undefined> {
  const { width, height } = picture;
  if (picture.layout === "gray") {
    const bytes = await encodeGrayJpeg(picture.samples, picture, quality);
    return bytes && { width, height, kind: "jpeg", bytes };
  }
  try {
    const bytes = await bytesOf(await encoderOf("jpg").encode(picture, quality));
    return { width, height, kind: "jpeg", bytes };
  } finally {
    release(picture);
  }
}
