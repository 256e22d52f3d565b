import { ServiceError } from "../../src/shared/errors.ts";
import type { EncodeOptions, Encoder } from "./formats/codec.ts";
import { bytesIn, type EncodedImage } from "./formats/encoded-image.ts";
import { decodedPicture, type SourcePicture } from "./picture/picture.ts";

/** The search begins here when the caller sets no quality and the default is too large. */
const HIGHEST = 1;
const LOWEST = 0;
const MOST_ENCODES = 6;
/** The search ends when the file uses this share of the limit. */
const GOOD_SHARE = 0.95;

/**
 * Encodes a picture into at most `maxBytes`, at the highest quality that a few attempts find. The first attempt uses
 * the requested quality, the second the lowest, which shows whether the limit can be met. Further attempts bisect.
 *
 * @param options `quality` is the highest that the caller allows
 * @throws {ServiceError} `invalid_parameter`, with the smallest size that was reached
 */
export async function encodeToSize(
  encoder: Encoder,
  picture: SourcePicture,
  options: EncodeOptions & { readonly maxBytes: number | undefined },
): Promise<EncodedImage> {
  const { quality, maxBytes, ...others } = options;
  const decoded = decodedPicture(picture);
  const encode = (at: number) => encoder.encode(decoded, { ...others, quality: at });
  const wanted = await encoder.encode(picture, { ...others, quality });
  if (maxBytes === undefined || bytesIn(wanted) <= maxBytes) return wanted;
  if (!encoder.lossy) throw cannotBeMet(maxBytes, bytesIn(wanted));
  let tooHigh = Math.min(quality ?? HIGHEST, HIGHEST);
  let low = LOWEST;
  let best = await encode(low);
  if (bytesIn(best) > maxBytes) throw cannotBeMet(maxBytes, Math.min(bytesIn(wanted), bytesIn(best)));
  for (let encodes = 2; encodes < MOST_ENCODES && bytesIn(best) < maxBytes * GOOD_SHARE; encodes++) {
    const middle = (low + tooHigh) / 2;
    const made = await encode(middle);
    if (bytesIn(made) > maxBytes) {
      tooHigh = middle;
    } else {
      low = middle;
      best = made;
    }
  }
  return best;
}

function cannotBeMet(maxBytes: number, smallest: number): ServiceError {
  return new ServiceError(
    "invalid_parameter",
    `The picture does not fit into ${maxBytes} bytes: the smallest that it can be in this format is ${smallest}. ` +
      "Allow more, take a format that compresses more, or make the picture smaller first.",
    { parameter: "max_bytes", smallest },
  );
}
