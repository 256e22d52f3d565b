import { canvasReadback } from "../browser/canvas-readback.ts";
import { bitmapPicture, pixelsOf, release } from "../picture/convert-layout.ts";
import type { Picture, PixelPicture } from "../picture/picture.ts";
import type { Size } from "../picture/size.ts";
import type { EncodedImage } from "./encoded-image.ts";

/** The largest mean difference, in steps of 255, that is not visible. */
const FAR_OFF = 2.5;
/** Larger pictures are taken for photographs, which lossy formats suit. Comparing them would take too long. */
const LARGEST_AREA = 2 ** 19;

/**
 * Encodes a picture so that it looks as before. Tries the ways in order and returns the first good result, or the
 * last. Lossy formats blur small drawings in saturated colors at qualities that suit photographs.
 *
 * @param decodeHere decodes the result when the canvas of the browser cannot be read
 */
export async function encodePerceptual(
  picture: Picture,
  ways: readonly (() => Promise<EncodedImage>)[],
  decodeHere?: (encoded: EncodedImage) => Promise<PixelPicture | undefined>,
): Promise<EncodedImage> {
  const [first, ...others] = ways;
  if (first === undefined) throw new Error("there is no way to encode");
  let encoded = await first();
  if (!mayBeDrawing(picture)) return encoded;
  for (const encode of others) {
    if (await isClose(encoded, picture, decodeHere)) return encoded;
    encoded = await encode();
  }
  return encoded;
}

/** Whether a picture is so small that {@link encodePerceptual} compares the result with it. */
export function mayBeDrawing({ width, height }: Size): boolean {
  return width * height <= LARGEST_AREA;
}

/**
 * Whether the result looks like the picture. Also true when the result cannot be decoded. False when the canvas cannot
 * be read and there is no `decodeHere`.
 */
async function isClose(
  encoded: EncodedImage,
  picture: Picture,
  decodeHere: ((encoded: EncodedImage) => Promise<Picture | undefined>) | undefined,
): Promise<boolean> {
  const browserMay = await canvasReadback("closely");
  if (!browserMay && decodeHere === undefined) return false;
  const decoded = await (browserMay ? decodedNatively(encoded, picture.hasAlpha) : decodeHere?.(encoded));
  if (decoded === undefined) return true;
  try {
    return meanDifference(pixelsOf(decoded), pixelsOf(picture)) <= FAR_OFF;
  } finally {
    release(decoded);
  }
}

async function decodedNatively(encoded: EncodedImage, hasAlpha: boolean): Promise<Picture | undefined> {
  const bitmap = await createImageBitmap(new Blob([encoded]), { colorSpaceConversion: "none" }).catch(
    () => undefined,
  );
  return bitmap && bitmapPicture(bitmap, hasAlpha);
}

/** Returns the mean difference of both pictures on white. */
function meanDifference(one: Uint8ClampedArray, other: Uint8ClampedArray): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 4) {
    const oneAlpha = (one[at + 3] ?? 0) / 255;
    const otherAlpha = (other[at + 3] ?? 0) / 255;
    for (let channel = at; channel < at + 3; channel++) {
      sum += Math.abs((255 - (one[channel] ?? 0)) * oneAlpha - (255 - (other[channel] ?? 0)) * otherAlpha);
    }
  }
  return sum / (0.75 * one.length);
}
