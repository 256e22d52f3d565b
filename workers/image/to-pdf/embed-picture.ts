import type { BytePart } from "../../io/byte-ranges.ts";
import { bytesOf } from "../../io/file-bytes.ts";
import { bufferSource } from "../../io/source.ts";
import type { Encoder } from "../formats/codec.ts";
import { takeFiltered } from "../formats/png/rows.ts";
import type { Resolution } from "../metadata/exif.ts";
import { pixelsOf } from "../picture/convert-layout.ts";
import type { Picture } from "../picture/picture.ts";
import { type ColorSpace, profiledSpace } from "./color-space.ts";
import { embedJpeg } from "./embed-jpeg.ts";
import type { EmbeddedImage, Samples } from "./embedded-image.ts";
import { AlphaSplit } from "./row-sinks.ts";

/** The metadata of a picture that goes into the PDF. */
interface PictureFacts {
  readonly resolution: Resolution | undefined;
  readonly xmp: Uint8Array | undefined;
}

/** Embeds an opaque picture as a JPEG. */
export async function embedLossy(
  picture: Picture,
  facts: PictureFacts,
  jpg: Encoder,
  quality: number,
): Promise<EmbeddedImage> {
  const bytes = await bytesOf(await jpg.encode(picture, { quality }));
  const embedded = embedJpeg(bufferSource(bytes), false);
  if (embedded === undefined) throw new Error("the encoder wrote a JPEG that is none for PDF");
  return withBytes(embedded, bytes, picture, facts);
}

/** Embeds a picture with exact values. */
export async function embedPixels(picture: Picture, facts: PictureFacts): Promise<EmbeddedImage> {
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
    colorSpace: spaceOf(picture),
    ...samples(color),
    softMask: alpha && samples(alpha),
  };
}

/** Replaces ranges of the encoded JPEG by bytes, because ranges in the document refer to the input. */
function withBytes(
  embedded: EmbeddedImage,
  bytes: Uint8Array,
  picture: Picture,
  facts: PictureFacts,
): EmbeddedImage {
  const data = embedded.data.map(
    (piece): BytePart =>
      piece.kind === "bytes" ? piece : { kind: "bytes", bytes: bytes.subarray(piece.start, piece.end) },
  );
  return { ...embedded, ...facts, colorSpace: spaceOf(picture), data };
}

function spaceOf({ icc }: Picture): ColorSpace {
  return profiledSpace(3, icc);
}
