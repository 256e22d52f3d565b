import { ServiceError } from "../../src/shared/errors.ts";
import { bytesOf } from "../io/file-bytes.ts";
import type { Encoder } from "./formats/codec.ts";
import { bytesIn, type EncodedImage } from "./formats/encoded-image.ts";
import { hasMetadata, type Metadata } from "./metadata/metadata.ts";
import type { Picture } from "./picture/picture.ts";

/** The search begins here when the caller sets no quality and the default is too large. */
const HIGHEST = 1;
const LOWEST = 0;
const MOST_ENCODES = 6;
/** The search ends when the file uses this share of the limit. */
const GOOD_SHARE = 0.95;

/** How a picture becomes a file. */
interface EncodeOptions {
  /** From 0 to 1: the highest that the caller allows. The encoder has a default. */
  readonly quality: number | undefined;
  readonly maxBytes: number | undefined;
  /** The metadata of the file. None by default. */
  readonly metadata?: Metadata | undefined;
  /** The coded data of the input as a finished file, which replaces the first attempt. */
  readonly copied?: EncodedImage | undefined;
}

/**
 * Encodes a picture into at most `maxBytes`, at the highest quality that a few attempts find. The first attempt uses
 * the requested quality, the second the lowest, which shows whether the limit can be met. Further attempts bisect.
 *
 * @throws {ServiceError} `invalid_parameter`, with the smallest size that was reached
 */
export async function encodeToSize(
  encoder: Encoder,
  picture: Picture,
  { quality, maxBytes, metadata, copied }: EncodeOptions,
): Promise<EncodedImage> {
  const encode = async (at: number | undefined) =>
    withMetadata(encoder, await encoder.encode(picture, at), metadata);
  const firstAttempt = copied ?? (await encode(quality));
  if (maxBytes === undefined || bytesIn(firstAttempt) <= maxBytes) return firstAttempt;
  if (!encoder.lossy) {
    // The coded data of the input may be packed badly.
    const encoded = copied ? await encode(quality) : firstAttempt;
    if (bytesIn(encoded) <= maxBytes) return encoded;
    throw cannotBeMet(maxBytes, Math.min(bytesIn(firstAttempt), bytesIn(encoded)));
  }
  let tooHigh = Math.min(quality ?? HIGHEST, HIGHEST);
  let low = LOWEST;
  let best = await encode(low);
  if (bytesIn(best) > maxBytes) throw cannotBeMet(maxBytes, Math.min(bytesIn(firstAttempt), bytesIn(best)));
  for (let encodes = 2; encodes < MOST_ENCODES && bytesIn(best) < maxBytes * GOOD_SHARE; encodes++) {
    const middle = (low + tooHigh) / 2;
    const attempt = await encode(middle);
    if (bytesIn(attempt) > maxBytes) {
      tooHigh = middle;
    } else {
      low = middle;
      best = attempt;
    }
  }
  return best;
}

/** Returns an encoded image with metadata, if there is any. */
export async function withMetadata(
  encoder: Encoder,
  encoded: EncodedImage,
  metadata: Metadata | undefined,
): Promise<EncodedImage> {
  if (!hasMetadata(metadata) || encoder.withMetadata === undefined) return encoded;
  return encoder.withMetadata(await bytesOf(encoded), metadata);
}

function cannotBeMet(maxBytes: number, smallest: number): ServiceError {
  return new ServiceError(
    "invalid_parameter",
    `The picture does not fit into ${maxBytes} bytes: the smallest that it can be in this format is ${smallest}. ` +
      "Allow more, take a format that compresses more, or make the picture smaller first.",
    { parameter: "max_bytes", smallest },
  );
}
