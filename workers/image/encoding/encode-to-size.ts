import { ServiceError } from "../../../src/shared/errors.ts";
import type { EncodeOptions, Encoder } from "../formats/codec.ts";
import type { Picture } from "../picture/picture.ts";

/** Where the search begins when no quality is asked for and the usual one is too much. */
const HIGHEST = 1;
const LOWEST = 0;
const MOST_ENCODES = 6;
/** Closer to the limit than this is close enough. */
const GOOD_SHARE = 0.95;

/**
 * Encodes a picture into at most so many bytes, at the highest quality that is found with a few tries: as asked
 * for, then the lowest to see whether it can be met at all, then between.
 *
 * @param quality the highest that is wanted
 * @param finish what is done to an encoded file before its length counts
 * @throws {ServiceError} `invalid_parameter`, with the smallest length that was reached
 */
export async function encodeToSize(
  encoder: Encoder,
  picture: Picture,
  { quality, maxBytes, helpers }: EncodeOptions & { readonly maxBytes: number },
  finish: (encoded: Blob) => Promise<Blob>,
): Promise<Blob> {
  const encode = async (at: number | undefined) =>
    finish(await encoder.encode(picture, { quality: at, helpers }));
  const wanted = await encode(quality);
  if (wanted.size <= maxBytes) return wanted;
  if (!encoder.lossy) throw cannotBeMet(maxBytes, wanted.size);
  let tooHigh = Math.min(quality ?? HIGHEST, HIGHEST);
  let low = LOWEST;
  let best = await encode(low);
  if (best.size > maxBytes) throw cannotBeMet(maxBytes, Math.min(wanted.size, best.size));
  for (let encodes = 2; encodes < MOST_ENCODES && best.size < maxBytes * GOOD_SHARE; encodes++) {
    const middle = (low + tooHigh) / 2;
    const made = await encode(middle);
    if (made.size > maxBytes) {
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
