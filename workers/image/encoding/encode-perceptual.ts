import { bitmapPicture, pixelsOf, release } from "../browser/canvas.ts";
import { givesBack } from "../browser/canvas-readback.ts";
import type { Picture, PixelPicture } from "../picture/picture.ts";
import type { Size } from "../picture/size.ts";

/** Off by more than this, in steps of 255 on average, what is lost is seen. */
const FAR_OFF = 2.5;
/** Larger pictures are photographs, which lossy formats are made for, and a look at them takes its time. */
const LARGEST_AREA = 2 ** 19;

/**
 * Encodes a picture so that it looks as it did: by the first way that does it, or else by the last. Small drawings in
 * saturated colors are blurred by lossy formats at qualities that photographs look well at.
 *
 * @param decodeHere decodes what was encoded where the browser would not give its values
 */
export async function encodePerceptual(
  picture: Picture,
  ways: readonly (() => Promise<Blob>)[],
  decodeHere?: (encoded: Blob) => Promise<PixelPicture | undefined>,
): Promise<Blob> {
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

/** Whether a picture is so small that it is looked at, once encoded. */
export function mayBeDrawing({ width, height }: Size): boolean {
  return width * height <= LARGEST_AREA;
}

/** True as well for what cannot be decoded: there is nothing to compare. Not so for what nobody gets to see. */
async function isClose(
  encoded: Blob,
  picture: Picture,
  decodeHere: ((encoded: Blob) => Promise<Picture | undefined>) | undefined,
): Promise<boolean> {
  const browserMay = await givesBack("closely");
  if (!browserMay && decodeHere === undefined) return false;
  const decoded = await (browserMay ? decodedNatively(encoded, picture.hasAlpha) : decodeHere?.(encoded));
  if (decoded === undefined) return true;
  try {
    return meanDifference(pixelsOf(decoded), pixelsOf(picture)) <= FAR_OFF;
  } finally {
    release(decoded);
  }
}

async function decodedNatively(encoded: Blob, hasAlpha: boolean): Promise<Picture | undefined> {
  const bitmap = await createImageBitmap(encoded, { colorSpaceConversion: "none" }).catch(() => undefined);
  return bitmap && bitmapPicture(bitmap, hasAlpha);
}

/** As both look on white. */
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
