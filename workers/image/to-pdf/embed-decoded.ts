import type { FormatId } from "../../../src/shared/formats.ts";
import type { ImageToPdfOptions } from "../../../src/shared/protocol.ts";
import { withRangesHeld } from "../../io/byte-ranges.ts";
import { bytesOf } from "../../io/file-bytes.ts";
import { bufferSource } from "../../io/source.ts";
import { canvasReadback } from "../browser/canvas-readback.ts";
import { thisBrowser } from "../browser-traits.ts";
import { decide } from "../decide.ts";
import { decodeImage } from "../decode.ts";
import type { EncoderTraits, SourceImage } from "../formats/codec.ts";
import { encoderOf } from "../formats/codecs.ts";
import type { EncodedImage } from "../formats/encoded-image.ts";
import { readExif } from "../metadata/exif.ts";
import { allRead, uprightMetadata } from "../metadata/metadata.ts";
import { wholeXmp } from "../metadata/xmp.ts";
import { bitmapPicture, release } from "../picture/convert-layout.ts";
import { checkDecoding, checkEncoding, thisDevice } from "../picture/limits.ts";
import type { Picture } from "../picture/picture.ts";
import { profiledSpace } from "./color-space.ts";
import { compressPixels } from "./compress-pixels.ts";
import { embedJpeg } from "./embed-jpeg.ts";
import { embedPng } from "./embed-png.ts";
import { type EmbeddedImage, LONGEST_EMBEDDED_SIDE, withoutMetadata } from "./embedded-image.ts";
import { opaqueBitmap } from "./opaque-bitmap.ts";

/** How an image that PDF cannot hold unchanged is embedded. */
interface EmbeddingOptions extends Pick<ImageToPdfOptions, "quality" | "keepMetadata"> {
  /** The format of its file. */
  readonly from: FormatId;
  readonly helpers: number;
}

/**
 * Decodes an image for a PDF. With a quality, an opaque image becomes a JPEG. Otherwise its values are exact.
 *
 * @throws {ServiceError} `damaged_file`, `input_too_large`, `out_of_memory`
 */
export async function embedDecoded(
  image: SourceImage,
  { from, quality, keepMetadata, helpers }: EmbeddingOptions,
): Promise<EmbeddedImage> {
  checkDecoding(image, from, thisDevice());
  checkEncoding(image, "pdf", thisDevice(), LONGEST_EMBEDDED_SIDE);
  const { exif, xmp, extendedXmp, isTooLong } = (await image.metadata?.()) ?? {};
  const resolution = image.resolution ?? (exif && readExif(exif).resolution);
  const ownXmp = keepMetadata
    ? wholeXmp(uprightMetadata(allRead({ xmp, extendedXmp, isTooLong }), image.shown))
    : undefined;
  const options = { from, to: "pdf", quality, keepMetadata };
  const decision = decide(image, PDF_TRAITS, options, await thisBrowser(image.color));
  const picture = await decodeImage(image, decision, helpers);
  try {
    const embedded = await embedPicture(picture, quality);
    const colorSpace = profiledSpace(3, picture.icc);
    const whole = { ...embedded, colorSpace, resolution, xmp: ownXmp };
    return keepMetadata ? whole : withoutMetadata(whole);
  } finally {
    release(picture);
  }
}

/**
 * Describes a PDF as an encoder. Without a quality, it takes exact values. With a quality, it takes what a JPEG takes.
 * Alpha goes into a mask and stays exact.
 */
export const PDF_TRAITS: EncoderTraits = {
  lossy: true,
  alpha: true,
  metadata: true,
  accepts: (image, quality) =>
    quality === undefined
      ? { ...encoderOf("png").accepts(image, quality), planes: true }
      : { ...encoderOf("jpg").accepts(image, quality), fidelity: "alpha" },
};

/** The first byte of a JPEG. */
const JPEG_START = 0xff;

/**
 * The largest opaque picture that the browser compresses, as a PNG, in pixels. That takes 21 bytes for each, and a third of the
 * time of compressing row by row.
 */
const LARGEST_PNG = 64_000_000;

/** Returns a picture as it goes into the PDF. */
async function embedPicture(picture: Picture, quality: number | undefined): Promise<EmbeddedImage> {
  const { width, height, hasAlpha } = picture;
  if (quality !== undefined && !hasAlpha)
    return embedEncoded(await encoderOf("jpg").encode(picture, quality));
  if (!hasAlpha && width * height <= LARGEST_PNG) return embedEncoded(await encodeExactly(picture));
  const upright = { width, height, orientation: 1, resolution: undefined } as const;
  return { ...upright, colorSpace: profiledSpace(3, undefined), ...(await compressPixels(picture)) };
}

/** Embeds a JPEG or a PNG that was made here. */
async function embedEncoded(encoded: EncodedImage): Promise<EmbeddedImage> {
  const bytes = await bytesOf(encoded);
  const source = bufferSource(bytes);
  const embedded = bytes[0] === JPEG_START ? embedJpeg(source, false) : await embedPng(source);
  if (embedded === undefined) throw new Error("the encoder wrote an image that PDF cannot hold");
  // Ranges in the document refer to the input, so the ranges of the encoded image become bytes.
  return { ...embedded, data: withRangesHeld(embedded.data, bytes) };
}

/** Encodes an opaque picture as a PNG, without an alpha channel if the browser can do that. */
async function encodeExactly(picture: Picture): Promise<EncodedImage> {
  const png = encoderOf("png");
  if (picture.layout === "bitmap" || !(await canvasReadback("exactly"))) return png.encode(picture);
  const opaque = bitmapPicture(await opaqueBitmap(picture), false, true);
  try {
    return await png.encode(opaque);
  } finally {
    release(opaque);
  }
}
