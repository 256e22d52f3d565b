import type { FormatId } from "../../../src/shared/formats.ts";
import type { ImageToPdfOptions } from "../../../src/shared/protocol.ts";
import type { BytePart } from "../../io/byte-ranges.ts";
import { bytesOf } from "../../io/file-bytes.ts";
import { bufferSource } from "../../io/source.ts";
import { encoderOf } from "../formats/by-format.ts";
import type { Encoder, EncoderTraits, SourceImage } from "../formats/codec.ts";
import { takeFiltered } from "../formats/png/rows.ts";
import { type Resolution, readExif } from "../metadata/exif.ts";
import { allRead, uprightMetadata } from "../metadata/metadata.ts";
import { wholeXmp } from "../metadata/xmp.ts";
import { pixelsOf, release } from "../picture/convert-layout.ts";
import { checkSize, thisDevice } from "../picture/limits.ts";
import { decodedPicture, type Picture } from "../picture/picture.ts";
import { planConversion } from "../plan.ts";
import { profiledSpace } from "./color-space.ts";
import { embedJpeg } from "./embed-jpeg.ts";
import { type EmbeddedImage, type Samples, withoutMetadata } from "./embedded-image.ts";
import { AlphaSplit } from "./row-sinks.ts";

/** How an image that PDF cannot hold unchanged is embedded. */
interface EmbeddingOptions extends Pick<ImageToPdfOptions, "quality" | "keepMetadata"> {
  /** The format of its file. */
  readonly from: FormatId;
  readonly helpers: number;
}

/** The metadata of a picture that goes into the PDF. */
interface PictureFacts {
  readonly resolution: Resolution | undefined;
  readonly xmp: Uint8Array | undefined;
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
  checkSize(image, thisDevice());
  const { exif, xmp, extendedXmp, isTooLong } = (await image.metadata?.()) ?? {};
  const facts: PictureFacts = {
    resolution: image.resolution ?? (exif && readExif(exif).resolution),
    xmp: keepMetadata
      ? wholeXmp(uprightMetadata(allRead({ xmp, extendedXmp, isTooLong }), image.shown))
      : undefined,
  };
  const jpg = encoderOf("jpg");
  const plan = planConversion(image, pdfTraits(jpg), { from, to: "pdf", quality });
  const { layouts, colors, fidelity } = plan;
  const picture = decodedPicture(await image.decode({ layouts, colors, fidelity, helpers }));
  try {
    const embedded =
      quality === undefined || picture.hasAlpha
        ? await embedPixels(picture, facts)
        : await embedLossy(picture, facts, jpg, quality);
    return keepMetadata ? embedded : withoutMetadata(embedded);
  } finally {
    release(picture);
  }
}

/**
 * Describes a PDF as an encoder. Without a quality, it takes exact values. With a quality, it takes what a JPEG takes.
 * Alpha goes into a mask and stays exact.
 */
function pdfTraits(jpg: Encoder): EncoderTraits {
  return {
    alpha: true,
    colorLabels: "icc",
    accepts: (image, quality) =>
      quality === undefined
        ? { layouts: ["bitmap", "rgba"], fidelity: "exact" }
        : { ...jpg.accepts(image, quality), fidelity: "alpha" },
  };
}

/** Embeds an opaque picture as a JPEG. */
async function embedLossy(
  picture: Picture,
  facts: PictureFacts,
  jpg: Encoder,
  quality: number,
): Promise<EmbeddedImage> {
  const bytes = await bytesOf(await jpg.encode(picture, { quality }));
  const embedded = embedJpeg(bufferSource(bytes), false);
  if (embedded === undefined) throw new Error("the encoder wrote a JPEG that is none for PDF");
  // Ranges in the document refer to the input, so the ranges of the encoded JPEG become bytes.
  const data = embedded.data.map(
    (piece): BytePart =>
      piece.kind === "bytes" ? piece : { kind: "bytes", bytes: bytes.subarray(piece.start, piece.end) },
  );
  return { ...embedded, ...facts, colorSpace: profiledSpace(3, picture.icc), data };
}

/** Embeds a picture with exact values. */
async function embedPixels(picture: Picture, facts: PictureFacts): Promise<EmbeddedImage> {
  const { width, height } = picture;
  const values = pixelsOf(picture);
  const pixels = new Uint8Array(values.buffer, values.byteOffset, values.length);
  const split = new AlphaSplit(width, 3, 1);
  await takeFiltered({ pixels, rowLength: 4 * width, pixelBytes: 4 }, split);
  const { color, alpha } = await split.end();
  const samples = (data: readonly BytePart[]): Samples => ({
    bitsPerComponent: 8,
    compression: { kind: "flate", filtered: true },
    data,
  });
  return {
    ...{ width, height, orientation: 1, ...facts },
    colorSpace: profiledSpace(3, picture.icc),
    ...samples(color),
    softMask: alpha && samples(alpha),
  };
}
